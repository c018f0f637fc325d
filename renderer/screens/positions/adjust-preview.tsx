/** Preview of an adjustment: a reduction is shown like a close, an increase like an opening. */
import Big from 'big.js';
import { useStaleSeconds } from '../../api/clock.ts';
import { useTicker } from '../../api/market.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import type { AdjustPlan, ChangePlan } from '../../features/change-plan/use-change-plan.ts';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import { afterFacts } from '../../features/liquidation/liquidation.tsx';
import { PaymentFigure } from '../../features/next-funding/next-payment.tsx';
import { protectionFacts } from '../../features/protection/protection.tsx';
import type { ChangedLeg } from './bracket-fate.ts';
import { BracketFates } from './bracket-fates.tsx';
import { ClosePreview } from './close-preview.tsx';
import { PlannedOrders } from './planned-orders.tsx';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

type OpenPlan = NonNullable<AdjustPlan['open']>;

export function AdjustPreview({
  read,
  position,
}: {
  readonly read: ChangePlan<AdjustPlan>;
  readonly position: Position;
}) {
  const isStale = useStaleSeconds() !== null;
  const { plan, isOld, error } = read;
  if (plan === null) return error === null ? null : <ErrorState compact error={error} />;
  if (plan.close !== null)
    return <ClosePreview read={{ ...read, plan: plan.close }} position={position} waits={false} />;
  const { open } = plan;
  if (open === null) return null;
  return (
    <section
      aria-label="Preview"
      className={classNames(layout['stack'], (isOld || isStale) && 'stale')}
      data-ready={!isOld}
    >
      <OpeningOrders plan={open} caption="What is sent" />
      <Facts
        className={css['facts']}
        of={{
          Adds: <Amount value={open.grossNotional} />,
          'Expected slippage': <Expected plan={open} />,
          'Fees, at most': <Pnl value={negated(open.totalFee)} />,
          'Margin, at most': <Amount value={open.marginRequired} />,
          'Funding a day': <PaymentFigure usd={negated(dayOf(open.netFundingHourly))} />,
          ...afterFacts(open.after),
          ...protectionFacts(plan.protection, 'after'),
        }}
      />
      <BracketFates
        position={position}
        of={{ change: 'enlarged', legs: position.legs.map((leg) => enlarged(leg, open)) }}
      />
      <OpeningProblems plan={open} />
    </section>
  );
}

function enlarged({ symbol, side, quantity }: Position['legs'][number], { legs }: OpenPlan): ChangedLeg {
  const added = legs.find((leg) => leg.symbol === symbol && leg.side === side)?.quantity ?? '0';
  return { side, before: quantity, after: new Big(quantity).plus(added).toFixed() };
}

/** Table of the orders of an opening. */
export function OpeningOrders({ plan, caption }: { readonly plan: OpenPlan; readonly caption: string }) {
  const legs = plan.legs.map((leg) => ({ ...leg, expectedPrice: leg.expected?.averagePrice ?? null }));
  return <PlannedOrders caption={caption} legs={legs} />;
}

/** The user's own limit that the order exceeds. */
export function OverLimit({ children }: { readonly children: string | null }) {
  return children === null ? null : (
    <p className={layout['problem']} role="alert">
      {children}
    </p>
  );
}

/** Reasons why the opening would not be sent. */
export function OpeningProblems({ plan: { problems } }: { readonly plan: Pick<OpenPlan, 'problems'> }) {
  const tickerOf = useTicker();
  if (problems.length === 0) return null;
  return (
    <ul className={layout['problem']} aria-label="Problems of the opening">
      {problems.map(({ code, message, symbol }) => (
        <li key={`${code} ${symbol}`}>
          {symbol !== null && <strong>{tickerOf(symbol)} </strong>}
          {message}
        </li>
      ))}
    </ul>
  );
}

/** USD an hour → USD a day. */
export function dayOf(hourly: string): string {
  return new Big(hourly).times(24).toFixed();
}
