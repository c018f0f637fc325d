/** Costs and needs of the order, and its obstacles: fee, funding, margin, tradeability, problems. */
import Big from 'big.js';
import { lazy, Suspense } from 'react';
import { useStaleSeconds } from '../../api/clock.ts';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, NoFigure, Percent } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { signOf } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { type Basket, basketFault, tradeLegs } from '../../features/basket/basket.ts';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import type { Plan } from './chart-lines.ts';
import css from './ticket-panel.module.css';
import type { PlanRead } from './use-plan.ts';

// The plan that it is of comes later than the ticket anyway.
const AfterOrder = lazy(() => import('../../features/liquidation/after-order.tsx'));

export function OrderFacts({
  basket,
  totalUsd,
  read,
}: {
  readonly basket: Basket;
  /** Total of the order; null: the typed text is not a number yet. */
  readonly totalUsd: string | null;
  readonly read: PlanRead;
}) {
  const { plan, isOld, error } = read;
  const fee = useFee(basket, totalUsd);
  const isStale = useStaleSeconds() !== null;
  return (
    <div>
      <Facts
        className={classNames(css['costs'], css['ends'], isOld && css['old'], isStale && 'stale')}
        of={{
          Fee: (
            <>
              <Amount value={fee?.totalFee} digits={4} />
              {fee !== undefined && (
                <span className={css['aside']}>
                  <Percent value={fee.takerRate} digits={3} /> taker
                </span>
              )}
            </>
          ),
          Slippage: <Expected plan={plan} />,
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
          'Liq. after': (
            <Suspense>
              <AfterOrder after={plan?.after} />
            </Suspense>
          ),
          Tradeability: plan === null ? <NoFigure /> : <Tradeability plan={plan} />,
        }}
      />
      {error !== null && error !== undefined && <ErrorState compact error={error} />}
    </div>
  );
}

function useFee(basket: Basket, totalUsd: string | null) {
  const { connector, id } = useAccount();
  const isWhole = totalUsd !== null && basketFault(basket) === null;
  const { data } = useGet(
    'GET /fee',
    {
      query: {
        connector,
        legs: JSON.stringify(tradeLegs(basket)),
        totalUsd: totalUsd ?? '1',
        tradeAccountId: id,
      },
    },
    { enabled: isWhole, keepPrevious: true, freshForMs: 10_000 },
  );
  return isWhole ? data : undefined;
}

/** Below half of it four decimals would say that nothing is paid. */
const LEAST_DAILY = '0.00005';

/** USD per day at present rates. */
export function Funding({ hourly }: { readonly hourly: string | null | undefined }) {
  if (hourly == null) return <Amount value={null} />;
  const sign = signOf(hourly);
  if (sign === 0) return <>none</>;
  const daily = new Big(hourly).abs().times(24);
  const verb = sign > 0 ? 'You pay' : 'You receive';
  if (daily.lt(LEAST_DAILY)) return <>{verb} less than $0.0001 a day</>;
  return (
    <>
      {verb} <Amount value={daily.toFixed()} digits={daily.lt(1) ? 4 : 2} />
      <span className={css['aside']}>a day</span>
    </>
  );
}

const UNTRADABLE = new Set(['NOT_TRADABLE', 'REDUCE_ONLY', 'PRICE_STALE']);

function Tradeability({ plan }: { readonly plan: Plan }) {
  const { problems, legs } = plan;
  const count = problems.filter(({ code }) => UNTRADABLE.has(code)).length;
  if (problems.length === 0) return <>All legs tradable</>;
  // Never "tradable" above a list of what stands against it.
  return (
    <span className={layout['problem']}>
      {count > 0 ? `${count} of ${legs.length} legs cannot be traded` : 'Not as typed: see the problems'}
    </span>
  );
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
