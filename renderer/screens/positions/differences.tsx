/** Banner of this account's differences, with the two actions that settle them. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { say, sayError } from '../../components/toast.tsx';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import { useOpenedByLink } from '../../features/opened-by-link/use-opened-by-link.ts';
import { DifferencesBanner } from '../../features/venue-differences/differences-banner.tsx';
import { useDifferences } from '../../features/venue-differences/use-differences.ts';
import { waiting } from './settle-draft.ts';
import { useOpenPositions } from './use-position-data.ts';

const SettleDialog = lazy(async () => ({ default: (await import('./settle-dialog.tsx')).SettleDialog }));

export function Differences() {
  const account = useAccount();
  const found = useDifferences().find(({ tradeAccountId }) => tradeAccountId === account.id);
  const [settling, setSettling] = useState<Parameters<typeof SettleDialog>[0]['differences'] | null>(null);
  const sync = useSend('POST /sync', {
    changes: [
      'GET /sync/differences',
      'GET /positions',
      'GET /positions/unassigned',
      'GET /fills/provisionals-lite',
    ],
  });
  // Opened by name (`?settle`), or shown from another screen (`?differences`): the next key acts on it.
  const [isSettled, setSettled] = useOpenedByLink('settle');
  const [isShown, setShown] = useOpenedByLink('differences');
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isSettled) return;
    setSettled(false);
    if (found !== undefined && waiting(found.differences).length > 0) setSettling(found.differences);
  }, [isSettled, setSettled, found]);
  useEffect(() => {
    if (!isShown) return;
    setShown(false);
    first.current?.focus();
  }, [isShown, setShown]);
  const compare = useAction(async () => {
    try {
      const { differences } = await sync.mutateAsync({ body: {} });
      if (differences === null)
        say('Not compared: an order is running', { detail: 'Try again when it has ended.', account });
      else if (differences.length === 0) say('Venue and baskets agree', { kind: 'success', account });
    } catch (error) {
      sayError('The venue was not compared', error);
    }
  });
  // The choices are the open positions, so the dialog waits for them. Once open it stays: it may be sending.
  const isRead = useOpenPositions().data !== undefined;
  const [isOpen, setOpen] = useState(false);
  if (settling !== null && isRead && !isOpen) setOpen(true);
  const canSettle = found !== undefined && waiting(found.differences).length > 0;
  return (
    <>
      {found !== undefined && (
        <DifferencesBanner
          of={found}
          actions={
            <>
              {canSettle && (
                <Button ref={first} kind="primary" onClick={() => setSettling(found.differences)}>
                  Settle trades outside Tandem…
                </Button>
              )}
              <Button
                {...(canSettle ? {} : { ref: first })}
                busy={compare.busy}
                onClick={() => void compare.run()}
              >
                Compare with the venue again
              </Button>
            </>
          }
        />
      )}
      {settling !== null && isOpen && (
        <Suspense>
          <SettleDialog
            differences={settling}
            onClose={() => {
              setSettling(null);
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
