import { Layers } from 'lucide-react';
import { NoAnswer, ResourceBusy } from '../../../gateway/client/client.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx';

const BUSY = new ResourceBusy({
  status: 409,
  errorCode: 'RESOURCE_BUSY',
  message: 'Another action on this position is still running',
  details: {},
  requestId: '01985c2e-6f1a-7c3b-9b1e-0a5d3f8e2c41',
});

export function StateSamples() {
  return (
    <div className={layout['stack']}>
      <EmptyState
        title="No positions"
        icon={<Layers />}
        action={<Button kind="primary">Open the first one</Button>}
      >
        What you open is shown here, with its profit and its funding.
      </EmptyState>
      <ErrorState error={BUSY} onRetry={() => undefined} />
      <ErrorState compact error={new NoAnswer('no answer in time')} onRetry={() => undefined} />
      <Skeleton rows={3} />
    </div>
  );
}
