/** Dialog that assigns trades outside Tandem to a basket. */
import { useState } from 'react';
import { SyncTooEarly } from '../../../gateway/client/client.ts';
import { syncPositionRoute } from '../../../gateway/contract/sync.ts';
import { useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Quantity, Side } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { FieldGroup } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { RadioGroup } from '../../components/radio.tsx';
import { say } from '../../components/toast.tsx';
import { basketName } from '../../features/basket-name/basket-name.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import type { Difference } from '../../features/venue-differences/use-differences.ts';
import css from './positions.module.css';
import { settleTargets, waiting } from './settle-draft.ts';
import { SettlePreview, useSettlePlan } from './settle-preview.tsx';
import { changeOf, SETTLE_VERBS } from './settle-words.ts';
import { useOpenPositions } from './use-position-data.ts';

const NO_FIELDS = /^$/;
const PAUSE_MS = 1_000;
/** Longest time of retries, ms. The youngest fill must be 15 s old, and the last execution 10 s past. */
const PATIENCE_MS = 45_000;

export function SettleDialog({
  differences,
  onClose,
}: {
  readonly differences: readonly Difference[];
  readonly onClose: () => void;
}) {
  const account = useAccount();
  const tickerOf = useTicker();
  const positions = useOpenPositions();
  // Keeps the differences as they were at opening: settling removes them.
  const [rows] = useState(() => waiting(differences));
  const [targets] = useState(() => settleTargets(rows, positions.data ?? []));
  const [chosen, setChosen] = useState(targets[0]?.id ?? 'new');
  const [isWaiting, setWaiting] = useState(false);
  const sending = useFormSend(NO_FIELDS);
  const settle = useSend('POST /sync/positions', {
    changes: [
      'GET /sync/differences',
      'GET /positions',
      'GET /positions/unassigned',
      'GET /fills/provisionals-lite',
      'GET /fills',
    ],
  });
  const target = targets.find(({ id }) => id === chosen);
  const { data: plan, error, isPlaceholderData } = useSettlePlan(target);
  const submit = async () => {
    const body = { legs: target?.legs.map(({ symbol, side }) => ({ symbol, side })) ?? [], cloids: [] };
    const isDone = await sending.send(syncPositionRoute.body, body, async (checked) => {
      await whenOldEnough(
        () => settle.mutateAsync({ body: checked }),
        () => setWaiting(true),
      );
      say(chosen === 'new' ? 'A position was made' : 'The position has taken the trades', {
        kind: 'success',
        account,
      });
    });
    setWaiting(false);
    return isDone;
  };
  const taken = new Set(target?.legs.map(({ symbol }) => symbol));
  const left = rows.filter(({ symbol }) => !taken.has(symbol)).map(({ ticker }) => ticker);
  const names = targets.map(({ id, legs }) => {
    const { text } = basketName(legs, tickerOf);
    return { value: id, label: id === 'new' ? `A position of its own: ${text}` : `Your position ${text}` };
  });
  // The plan of another choice is neither shown nor sent.
  const isKnown = plan !== undefined && !isPlaceholderData && error === null;
  return (
    <FormDialog
      title="Settle trades outside Tandem"
      account={account}
      sending={sending}
      confirm={isKnown ? SETTLE_VERBS[changeOf(plan)] : 'Settle'}
      canSend={isKnown || sending.step !== 'idle'}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className={css['turns']} aria-label="Traded outside Tandem">
        {rows.map(({ symbol, ticker, outside }) => (
          <li key={symbol}>
            <Side side={Number(outside) > 0 ? 'BUY' : 'SELL'}>{ticker}</Side>
            <Quantity value={outside.replace('-', '')} />
          </li>
        ))}
      </ul>
      <FieldGroup legend="Where do they belong?">
        <RadioGroup label="Where do they belong?" options={names} value={chosen} onChange={setChosen} />
      </FieldGroup>
      <div className={classNames(isPlaceholderData && 'stale')}>
        <SettlePreview
          plan={plan}
          error={error}
          position={positions.data?.find(({ id }) => id === plan?.positionId)}
        />
      </div>
      <p className={layout['quiet']}>
        No order is sent: the trades are booked where they belong, with their PnL and fees.
        {left.length > 0 && ` ${left.join(', ')} ${left.length === 1 ? 'stays' : 'stay'} in no basket.`}
      </p>
      {isWaiting && (
        <p role="status" className={layout['caution']}>
          Waiting until these trades can be told apart from Tandem's own orders, 15 s at most.
        </p>
      )}
    </FormDialog>
  );
}

/** Repeats a request that the gateway refuses while a fill is too young or an execution has just ended. */
async function whenOldEnough(work: () => Promise<unknown>, onWaiting: () => void): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const passes =
        error instanceof SyncTooEarly && error.errorCode !== 'SYNC_CREATE_CLOID_ALREADY_PROVISIONAL';
      if (!passes || Date.now() > until) throw error;
    }
    onWaiting();
    await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
