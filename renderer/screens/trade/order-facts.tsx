/** Costs and requirements of the order, and its obstacles: fee, funding, margin, tradeability, problems. */
import Big from 'big.js';
import { lazy, type ReactNode, Suspense } from 'react';
import { useStaleSeconds } from '../../api/clock.ts';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Percent } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated, signOf } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import { DollarFee } from '../../features/fill-fee/fill-fee.tsx';
import { WhoPays } from '../../features/next-funding/who-pays.tsx';
import type { Plan } from './chart-lines.ts';
import css from './ticket-panel.module.css';
import type { PlanRead } from './use-plan.ts';

// Loaded on demand: the plan that they show arrives after the ticket anyway.
const after = () => import('../../features/liquidation/liquidation.tsx');
const MoveAfter = lazy(async () => ({ default: (await after()).MoveAfter }));
const RatioAfter = lazy(async () => ({ default: (await after()).RatioAfter }));

/** Heading over figures of an order that is pending or comes in slices. */
export const IF_NOW = 'If all of it opened now';

export function OrderFacts({
  read,
  isLater,
}: {
  readonly read: PlanRead;
  /** True: the order is pending or comes in slices, so its costs are given for all of it at current prices. */
  readonly isLater: boolean;
}) {
  const { plan, isOld, error } = read;
  const rate = useTakerRate();
  const isStale = useStaleSeconds() !== null;
  return (
    <div>
      {isLater && <p className={css['later']}>{IF_NOW}</p>}
      <Facts
        className={classNames(css['costs'], css['ends'], isOld && css['old'], isStale && 'stale')}
        of={{
          Fee: (
            <>
              <DollarFee fee={plan?.totalFee} />
              {plan !== null && signOf(plan.totalFee) !== 0 && (
                <span className={css['rate']}>
                  {rate !== undefined && (
                    <>
                      <Percent value={rate} digits={3} /> taker,{' '}
                    </>
                  )}
                  at the worst price
                </span>
              )}
            </>
          ),
          'Expected slippage': <Expected plan={plan} />,
          'Net funding': <Funding hourly={plan?.netFundingHourly} />,
          Margin: (
            <>
              <Amount value={plan?.marginRequired} />
              {plan !== null && (
                <span className={css['aside']}>
                  of <Amount value={plan.freeMargin} /> free
                </span>
              )}
            </>
          ),
          'Liquidation after': (
            <Suspense>
              <MoveAfter after={plan?.after} />
            </Suspense>
          ),
          'Margin ratio after': (
            <Suspense>
              <RatioAfter after={plan?.after} />
            </Suspense>
          ),
          ...tradeability(plan),
        }}
      />
      {error !== null && error !== undefined && <ErrorState compact error={error} />}
    </div>
  );
}

/** Account's taker rate; undefined: not read. The dry run has the fee itself, like all else about the order. */
export function useTakerRate(): string | undefined {
  const { connector, id } = useAccount();
  const query = { connector, notional: '1', tradeAccountId: id };
  return useGet('GET /fee', { query }, { freshForMs: 10_000 }).data?.takerRate;
}

/** Funding per day at current rates, USD. */
export function Funding({ hourly }: { readonly hourly: string | null | undefined }) {
  if (hourly == null) return <Amount value={null} />;
  return (
    <>
      <WhoPays received={negated(new Big(hourly).times(24).toFixed())} />
      {signOf(hourly) !== 0 && <span className={css['aside']}> a day</span>}
    </>
  );
}

const UNTRADABLE = new Set(['NOT_TRADABLE', 'REDUCE_ONLY', 'PRICE_STALE']);

/** Shown if a leg is not tradable. All other obstacles are listed as the order's problems. */
function tradeability(plan: Plan | null): Readonly<Record<string, ReactNode>> {
  const count = plan?.problems.filter(({ code }) => UNTRADABLE.has(code)).length ?? 0;
  if (plan === null || count === 0) return {};
  return {
    Tradeability: (
      <span className={layout['problem']}>
        {count} of {plan.legs.length} legs cannot be traded
      </span>
    ),
  };
}

/** Problems from the dry run that would make the order fail. */
export function Problems({ plan }: { readonly plan: Plan | null }) {
  const tickerOf = useTicker();
  if (plan === null || plan.problems.length === 0) return null;
  return (
    <ul className={css['problems']} aria-label="Problems">
      {plan.problems.map(({ code, message, symbol }) => (
        <li key={`${code} ${symbol}`}>
          {symbol !== null && <strong>{tickerOf(symbol)} </strong>}
          {symbol === null ? message : bare(message)}
        </li>
      ))}
    </ul>
  );
}

/** Removes the leg's index and instrument, since its ticker names it. */
const bare = (message: string) => message.replace(/^Leg \d+ \([^)]*\): /, '');
