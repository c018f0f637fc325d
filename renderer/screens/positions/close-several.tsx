/** Closes several positions at market after one confirmation. Lists the positions, and then the result of each. */
import { useEffect, useRef, useState } from 'react';
import { useTicker } from '../../api/market.ts';
import { readAnew } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { describeError } from '../../components/describe-error.ts';
import { Dialog } from '../../components/dialog.tsx';
import layout from '../../components/layout.module.css';
import { basketName } from '../../features/basket-name/basket-name.ts';
import { settle } from '../../features/resting-action/settle.ts';
import { type SentOrder, sendOrder, useSentOrders } from '../../features/sent-orders/sent-orders.ts';
import { counted, SeveralTable, type Step } from './several-table.tsx';
import type { Position } from './use-position-data.ts';

/** Number of consecutive orders with lost answers after which no more are sent. */
const MOST_UNKNOWN = 2;

/** Thrown for a position that was still waiting for other work on its basket when sending stopped. */
class Stopped extends Error {}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function CloseSeveral({
  positions,
  onClose,
}: {
  readonly positions: readonly Position[];
  readonly onClose: (hasSent: boolean) => void;
}) {
  const account = useAccount();
  const tickerOf = useTicker();
  const back = useRef<HTMLButtonElement>(null);
  const { sent, steps, isRunning, run, stop } = useSending();
  // Closed positions are no longer among the rows.
  const rows = sent ?? positions;
  const guarded = rows.filter(({ takeProfit, stopLoss }) => takeProfit !== null || stopLoss !== null).length;
  const nameOf = ({ legs }: Position) => basketName(legs, tickerOf).text;
  const isOver = sent !== null && !isRunning;
  const orders = useSentOrders(account.id);
  const stateOf = (order: SentOrder) => orders.find(({ key }) => key === order.key)?.state ?? order.state;
  return (
    <Dialog
      open
      size="large"
      account={account}
      title={`Close ${counted(rows.length)}`}
      initialFocus={back}
      easyToClose={false}
      mustAnswer={isRunning}
      onClose={() => {
        if (!isRunning) onClose(sent !== null);
      }}
      actions={
        <>
          {sent === null && (
            <Button ref={back} onClick={() => onClose(false)}>
              Back
            </Button>
          )}
          {isRunning && <Button onClick={stop}>Send no more</Button>}
          {isOver ? (
            <Button kind="primary" onClick={() => onClose(true)}>
              Done
            </Button>
          ) : (
            <Button
              kind="danger"
              busy={isRunning}
              disabled={rows.length === 0}
              onClick={() => void run(rows, nameOf)}
            >
              Close {counted(rows.length)}
            </Button>
          )}
        </>
      }
    >
      <div className={layout['stack']}>
        <SeveralTable rows={rows} steps={sent === null ? null : steps} nameOf={nameOf} />
        <p role="status">{sent === null ? '' : sentText(rows, steps, isRunning, stateOf)}</p>
        {sent === null && (
          <p className={layout['quiet']}>
            Each as if it were closed alone at this moment.
            {guarded > 0 && ' Take-profit and stop-loss end with their position.'}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Sends one close after the other: sending can be stopped, and a refused close does not hold up the others. */
function useSending() {
  const client = useClient();
  const { id: accountId } = useAccount();
  const [sent, setSent] = useState<readonly Position[] | null>(null);
  const [steps, setSteps] = useState<ReadonlyMap<string, Step>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const isStopped = useRef(false);
  // Leaving in any way stops sending, so that nothing is closed without the trader.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const run = async (rows: readonly Position[], nameOf: (row: Position) => string) => {
    if (isRunning) return;
    setSent(rows);
    setRunning(true);
    let unknown = 0;
    for (const row of rows) {
      const say = (step: Step) => setSteps((before) => new Map(before).set(row.id, step));
      if (isStopped.current) {
        say({ kind: 'left' });
        continue;
      }
      say({ kind: 'sending' });
      try {
        const order = async () => {
          if (isStopped.current) throw new Stopped();
          return sendOrder({
            client,
            accountId,
            route: 'POST /positions/{id}/close',
            title: `Close ${nameOf(row)}`,
            request: { params: { id: row.id }, body: { type: 'MARKET' } },
          });
        };
        const outcome = await settle(order, wait, () => say({ kind: 'settling' }));
        if (outcome.kind === 'nothing') say({ kind: 'refused', text: outcome.message });
        else {
          say({ kind: 'sent', order: outcome.answer });
          unknown = outcome.answer.state === 'UNKNOWN' ? unknown + 1 : 0;
          // The gateway does not answer, so the other orders would have unknown results too.
          if (unknown === MOST_UNKNOWN) isStopped.current = true;
        }
      } catch (error) {
        say(
          error instanceof Stopped ? { kind: 'left' } : { kind: 'refused', text: describeError(error).text },
        );
      }
    }
    setRunning(false);
    void readAnew('GET /executions', 'GET /positions');
  };
  return {
    /** Positions when their closing was requested; null: not requested. */
    sent,
    steps,
    isRunning,
    run,
    /** Stops sending. Orders in flight are not taken back. */
    stop: () => {
      isStopped.current = true;
    },
  };
}

function sentText(
  rows: readonly Position[],
  steps: ReadonlyMap<string, Step>,
  isRunning: boolean,
  stateOf: (order: SentOrder) => SentOrder['state'],
): string {
  const all = [...steps.values()];
  if (isRunning) return `Sending ${all.length} of ${rows.length}`;
  const states = all.flatMap((step) => (step.kind === 'sent' ? [stateOf(step.order)] : []));
  const checked = states.filter((state) => state === 'UNKNOWN').length;
  const sent = states.filter((state) => state !== 'UNKNOWN' && state !== 'NOT_FOUND').length;
  const told = sent === rows.length ? `All ${sent} were sent` : `${sent} of ${rows.length} were sent`;
  return checked === 0 ? told : `${told}, ${checked} still being checked`;
}
