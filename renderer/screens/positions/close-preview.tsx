/** Preview of a close: the trade of each leg, costs and proceeds, and the effect on the brackets. */
import Big from 'big.js';
import { useStaleSeconds } from '../../api/clock.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import type { Bracket } from '../../features/brackets-form/bracket-text.ts';
import type { ChangePlan, ClosePlan } from '../../features/change-plan/use-change-plan.ts';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import { afterFacts } from '../../features/liquidation/liquidation.tsx';
import { protectionFacts } from '../../features/protection/protection.tsx';
import { bracketFate, type ChangedLeg, type SizeChange } from './bracket-fate.ts';
import { BracketLines } from './bracket-fates.tsx';
import { PlannedOrders } from './planned-orders.tsx';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

type NamedBracket = ClosePlan['brackets']['ended'][number];

export function ClosePreview({
  read: { plan, isOld, error },
  position,
  waits,
}: {
  readonly read: ChangePlan<ClosePlan>;
  readonly position: Pick<Position, 'legs'>;
  /** True: the close is not sent now, so the figures are those of a close at this moment. */
  readonly waits: boolean;
}) {
  const isStale = useStaleSeconds() !== null;
  if (plan === null) return error === null ? null : <ErrorState compact error={error} />;
  return (
    <section
      aria-label="Preview"
      className={classNames(layout['stack'], (isOld || isStale) && 'stale')}
      data-ready={!isOld}
    >
      <LegPreview plan={plan} waits={waits} />
      <Facts
        className={css['facts']}
        of={{
          Notional: <Amount value={plan.grossNotional} />,
          'Expected slippage': <Expected plan={plan} />,
          Fees: <Pnl value={negated(plan.totalFee)} />,
          'Realised PnL': <Pnl value={plan.realizedPnl} />,
          'After closing fees': (
            <span title="Less the fees above. Those of opening were paid then: Net PnL of the position has them">
              <Pnl value={plan.netPnl} />
            </span>
          ),
          ...(plan.after?.basket != null ? afterFacts(plan.after) : {}),
          ...protectionFacts(plan.protection, 'after'),
        }}
      />
      <BracketFate plan={plan} position={position} />
    </section>
  );
}

export function LegPreview({ plan, waits }: { readonly plan: ClosePlan; readonly waits: boolean }) {
  return <PlannedOrders caption={waits ? 'If it closed now' : 'What is sent'} legs={plan.legs} />;
}

function BracketFate({
  plan: { brackets, legs },
  position,
}: {
  readonly plan: ClosePlan;
  readonly position: Pick<Position, 'legs'>;
}) {
  // The plan leaves out unchanged legs.
  const changed = position.legs.map(({ symbol, side, quantity }): ChangedLeg => {
    const planned = legs.find((leg) => leg.symbol === symbol);
    if (planned === undefined) return { side, before: quantity, after: quantity };
    const { quantity: closed, remaining } = planned;
    return { side, before: new Big(closed).plus(remaining).toFixed(), after: remaining };
  });
  const fate = (change: SizeChange) => (one: NamedBracket) =>
    bracketFate(one.bracketType === 'TAKE_PROFIT' ? 'takeProfit' : 'stopLoss', one as Bracket, {
      change,
      legs: changed,
    });
  return (
    <BracketLines lines={[...brackets.ended.map(fate('ended')), ...brackets.kept.map(fate('reduced'))]} />
  );
}
