/** Shown while the filter leaves no row, with a button back to all tradable rows. */
import { Layers } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/states.tsx';

export function NoMatch({ what, onClear }: { readonly what: string; readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<Layers />}
      title={`No ${what} match`}
      action={<Button onClick={onClear}>Show all tradable</Button>}
    />
  );
}
