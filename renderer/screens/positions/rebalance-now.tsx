/** The plan of a rebalance at present prices, and the button that sends it. */
import { useQuery } from '@tanstack/react-query';
import Big from 'big.js';
import { useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { rebalancePosition } from '../../../gateway/contract/rebalance.ts';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { Amount, NoFigure, Percent, Quantity, Side } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Field } from '../../components/field.tsx';
import { signOf } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { TextField } from '../../components/text-field.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import form from '../../features/form.module.css';
import { FormProblems } from '../../features/form-dialog/form-problems.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { CLOSING_FAILURES } from '../../features/leg-failure/leg-failure.ts';
import { useHasOwnLimits, useOwnLimits } from '../../features/own-limits/own-limits.ts';
import { protectionFacts } from '../../features/protection/protection.tsx';
import {
  NEW_REBALANCE,
  type RebalanceDraft,
  rebalanceTarget,
} from '../../features/rebalance-form/rebalance-draft.ts';
import { REBALANCE_MODES, TIMEFRAMES } from '../../features/rebalance-form/rebalance-fields.tsx';
import { OverLimit } from './adjust-preview.tsx';
import css from './positions.module.css';
import { useMarketOrder } from './use-market-order.ts';
import type { Position } from './use-position-data.ts';

const PLAN_EVERY_MS = 3_000;
type RebalancePlan = Answer<'POST /positions/{id}/rebalance/plan'>;
type PlanLeg = RebalancePlan['legs'][number];

/** Reasons why the plan skips a leg. */
const SKIPS: Readonly<Record<string, string>> = {
  WITHIN_DRIFT: 'Near enough to its target',
  PRICE_STALE: 'Its price is stale',
  NOT_TRADABLE: 'Not tradable now',
  REDUCE_ONLY: 'Can only be reduced now',
  MAX_TRADE: 'Beyond the most to trade',
  ZERO_QUANTITY: 'Rounds to nothing',
  MIN_NOTIONAL: "Below the venue's minimum",
  NET_EXPOSURE: 'Without the other legs, net exposure would get worse',
};

function skipText(reason: string | null): string {
  return reason === null ? 'Left alone' : (SKIPS[reason] ?? reason);
}

/** True: the plan trades at least one leg. */
const tradesAnything = ({ legs }: RebalancePlan) => legs.some(({ skipped }) => !skipped);

const isGrowing = ({ skipped, deltaQuantity }: PlanLeg) => !skipped && signOf(deltaQuantity) > 0;

/** Gross amount of the growing legs' orders, USD. */
function addedBy({ legs }: RebalancePlan): string {
  return legs
    .filter(isGrowing)
    .reduce((sum, { deltaUsd }) => sum.plus(new Big(deltaUsd).abs()), new Big(0))
    .toFixed();
}

const COLUMNS: readonly Column<PlanLeg>[] = [
  { id: 'leg', header: 'Leg', cell: (leg) => <Side side={leg.side}>{leg.ticker}</Side> },
  { id: 'now', header: 'Weight now', align: 'right', cell: (leg) => <Percent value={leg.currentWeight} /> },
  { id: 'target', header: 'Target', align: 'right', cell: (leg) => <Percent value={leg.targetWeight} /> },
  { id: 'order', header: 'What is sent', cell: (leg) => <Sent leg={leg} /> },
  { id: 'usd', header: 'Notional', align: 'right', cell: (leg) => <Amount value={tradedOf(leg)} /> },
  { id: 'skip', header: 'Note', isText: true, cell: (leg) => (leg.skipped ? skipText(leg.skipReason) : '') },
];

/** True: the leg's order buys. A growing long is bought, and a growing short is sold. */
const isBuy = ({ side, deltaQuantity }: PlanLeg) => signOf(deltaQuantity) >= 0 === (side === 'BUY');

/** Order of a leg; nothing for a skipped leg, even if it is off its target. */
function Sent({ leg }: { readonly leg: PlanLeg }) {
  if (leg.skipped) return <NoFigure why="nothing is sent" />;
  return (
    <>
      {isBuy(leg) ? 'Buy' : 'Sell'} <Quantity value={leg.deltaQuantity.replace('-', '')} /> {leg.ticker}
    </>
  );
}

const tradedOf = ({ skipped, deltaUsd }: PlanLeg) => (skipped ? null : deltaUsd.replace('-', ''));

export function RebalanceNow({
  position,
  onDone,
}: {
  readonly position: Position;
  readonly onDone: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(position));
  const sending = useFormSend(/^maxTradeUsd$/);
  const { choice, number } = draftFields(draft, setDraft, sending.errors);
  const order = useMarketOrder(position, 'Rebalance');
  const body = rebalanceTarget(draft);
  const valid = rebalancePosition.body.safeParse(body).success;
  const plan = usePlan(position.id, body, valid);
  const grows = new Set(plan.data?.legs.filter(isGrowing).map(({ symbol }) => symbol));
  const limit = useOwnLimits()({
    totalUsd: plan.data === undefined ? null : addedBy(plan.data),
    legs: position.legs.filter(({ symbol }) => grows.has(symbol)),
  });
  // The plan has the order's amount. If the user has set limits, sending waits for the plan of the typed values.
  const isUnknown = useHasOwnLimits() && plan.isPlaceholderData;
  const submit = async () => {
    const asked = { ...body, onLegFailure: draft.onLegFailure };
    const went = await sending.send(rebalancePosition.body, asked, (checked) =>
      order('POST /positions/{id}/rebalance', { params: { id: position.id }, body: checked }),
    );
    if (went) onDone();
  };
  return (
    <div className={layout['stack']}>
      <div className={form['row']}>
        {isPair(position.legs) && (
          <Field label="Target">
            <Segmented options={REBALANCE_MODES} {...choice('mode')} label="Target" wide />
          </Field>
        )}
        {draft.mode === 'LIVE_BETA' && (
          <SelectField label="Beta from" options={TIMEFRAMES} {...choice('timeframe')} />
        )}
        <TextField
          label="Most to trade"
          help="All legs together. Empty: no limit"
          after="USD"
          {...number('maxTradeUsd')}
          error={sending.errors('maxTradeUsd') ?? (valid ? undefined : 'Expected an amount above 0')}
        />
        <SelectField label="If a leg fails" options={CLOSING_FAILURES} {...choice('onLegFailure')} />
      </div>
      {valid && (
        <Loaded query={plan} rows={3}>
          {(data) => (
            <>
              <p className={layout['quiet']}>
                Furthest from its target: <Percent value={data.drift} />
                {data.beta !== null && (
                  <>
                    . Beta: <Quantity value={data.beta} step="0.001" />
                  </>
                )}
                . At current prices.
              </p>
              <Table label="Rebalance plan" natural rows={data.legs} columns={COLUMNS} rowKey={legKey} />
              {data.protection.length > 0 && (
                <Facts className={css['facts']} of={protectionFacts(data.protection, 'after')} />
              )}
            </>
          )}
        </Loaded>
      )}
      <FormProblems sending={sending} />
      <div className={css['end']}>
        {plan.data !== undefined && !tradesAnything(plan.data) && (
          <p className={layout['quiet']}>Nothing to trade: every leg stays as it is.</p>
        )}
        <OverLimit>{limit}</OverLimit>
        <Button
          kind="primary"
          busy={sending.step !== 'idle'}
          disabled={
            !valid || plan.data === undefined || !tradesAnything(plan.data) || limit !== null || isUnknown
          }
          onClick={() => void submit()}
        >
          {sending.step === 'settling' ? 'Settling…' : 'Rebalance now'}
        </Button>
      </div>
    </div>
  );
}

/** Draft that starts with the values of the automatic rebalance. */
function draftOf({
  autoRebalance,
}: Position): Pick<RebalanceDraft, 'mode' | 'timeframe' | 'maxTradeUsd' | 'onLegFailure'> {
  return {
    mode: autoRebalance?.mode ?? NEW_REBALANCE.mode,
    timeframe: autoRebalance?.timeframe ?? NEW_REBALANCE.timeframe,
    maxTradeUsd: autoRebalance?.maxTradeUsd ?? '',
    onLegFailure: autoRebalance?.onLegFailure ?? NEW_REBALANCE.onLegFailure,
  };
}

const legKey = ({ symbol }: PlanLeg) => symbol;

/** Reads the plan with a POST that records nothing, so it repeats like a GET. */
function usePlan(positionId: string, body: object, enabled: boolean) {
  const client = useClient();
  const { id: accountId } = useAccount();
  return useQuery({
    queryKey: [accountId, 'POST /positions/{id}/rebalance/plan', positionId, body],
    queryFn: ({ signal }) =>
      client.call('POST /positions/{id}/rebalance/plan', { params: { id: positionId }, body, signal }),
    refetchInterval: PLAN_EVERY_MS,
    placeholderData: (previous) => previous,
    enabled,
  });
}
