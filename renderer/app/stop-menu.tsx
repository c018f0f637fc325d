/** Stop menu: pause, panic and revocation. */
import { Ban, OctagonX, Pause, Play, ShieldOff } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useGet } from '../api/queries.ts';
import { useMaybeAccount } from '../api/session.ts';
import { ahead } from '../components/ahead.tsx';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Menu } from '../components/menu.tsx';
import css from './frame.module.css';
import { resumeName } from './panic-text.ts';
import { requestStop, type StopAction, setPaused, useStopRequest } from './stop-request.ts';

/** Accounts that the menu's actions affect. */
const EVERYWHERE = 'all accounts';

// Not needed for the first render: loaded right after it, so that it is ready when the menu is used.
const question = ahead(async () => (await import('./stop-question.tsx')).StopQuestion);

export function StopMenu() {
  question.useFetched();
  const account = useMaybeAccount() ?? undefined;
  const safety = useGet('GET /safety', {}, { shared: true, refetchEvery: 15_000 });
  const paused = safety.data?.paused === true;
  const ask = (what: StopAction) => () => requestStop(what);
  return (
    <>
      {paused && (
        <span
          className={css['paused']}
          title="New orders paused: triggers and slices that open wait too, those that close, and stops, go on"
        >
          <Badge tone="warn">
            <Pause aria-hidden="true" />
            <span className={css['longer']}>New orders paused</span>
            <span className={css['shorter']} aria-hidden="true">
              Paused
            </span>
          </Badge>
        </span>
      )}
      <Menu
        align="end"
        trigger={
          <Button icon={<OctagonX />} className={css['stop']}>
            Stop
          </Button>
        }
        items={[
          {
            id: 'pause',
            label: paused ? resumeName(safety.data) : 'Pause new orders',
            icon: paused ? <Play /> : <Pause />,
            hint: EVERYWHERE,
            disabled: safety.data === undefined,
            onSelect: () => void setPaused(!paused),
          },
          {
            id: 'cancel',
            label: 'Cancel all resting orders…',
            icon: <Ban />,
            hint: 'this account',
            disabled: account === undefined,
            onSelect: ask('cancel'),
          },
          { id: 'agents', label: 'Revoke all agents…', icon: <ShieldOff />, onSelect: ask('agents') },
          { id: 'line', separator: true },
          {
            id: 'close',
            label: 'Close everything…',
            icon: <OctagonX />,
            hint: EVERYWHERE,
            danger: true,
            onSelect: ask('close'),
          },
        ]}
      />
      <Question />
    </>
  );
}

/** Stays mounted after its first use, so that it closes with the animation of other dialogs. */
function Question() {
  const asked = useStopRequest((state) => state.action);
  const [isUsed, setUsed] = useState(false);
  if (asked !== null && !isUsed) setUsed(true);
  if (!isUsed) return null;
  return (
    <ErrorBoundary onRetry={question.fetchAgain}>
      <Suspense fallback={null}>
        <question.View />
      </Suspense>
    </ErrorBoundary>
  );
}
