/** Costs and needs of the order, and its obstacles: fee, funding, margin, tradeability, problems. */
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

// The plan that they are of comes later than the ticket anyway.
const after = () => import('../../features/liquidation/liquidation.tsx');
const MoveAfter = lazy(async () => ({ default: (await after()).MoveAfter }));
const RatioAfter = lazy(async () => ({ default: (await after()).RatioAfter }));

/** Over figures of an order that waits, or comes in slices. */
export const IF_NOW = 'If all of it opened now';

export function OrderFacts({
  read,
  isLater,
}: {
  readonly read: PlanRead;
  /** The order waits, or comes in slices: what it costs is said of all of it at the prices of now. */
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

/** The account's; undefined: not read. What it comes to is the dry run's to say, as everything else of the order. */
export function useTakerRate(): string | undefined {
  const { connector, id } = useAccount();
  const query = { connector, notional: '1', tradeAccountId: id };
  return useGet('GET /fee', { query }, { freshForMs: 10_000 }).data?.takerRate;
}

/** USD per day at present rates. */
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

/** Said where a leg is not tradable; everything else that stands against the order is listed as its problems. */
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

/** Without the leg's index and instrument, which its ticker says. */
const bare = (message: string) => message.replace(/^Leg \d+ \([^)]*\): /, '');
