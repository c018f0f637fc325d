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

export function OrderFacts({ read }: { readonly read: PlanRead }) {
  const { plan, isOld, error } = read;
  const rate = useTakerRate();
  const isStale = useStaleSeconds() !== null;
  return (
    <div>
      <Facts
        className={classNames(css['costs'], css['ends'], isOld && css['old'], isStale && 'stale')}
        of={{
          Fee: (
            <>
              <DollarFee fee={plan?.totalFee} />
              {plan !== null && signOf(plan.totalFee) !== 0 && (
                <span className={css['aside']}>
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
          Tradeability: plan === null ? <NoFigure /> : <Tradeability plan={plan} />,
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
