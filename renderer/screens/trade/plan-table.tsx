/** Legs of an order as they would be sent now, with their totals. */
import Big from 'big.js';
import type { ReactNode } from 'react';
import { COUNTED_AT } from '../../../gateway/contract/mandate-words.ts';
import { Amount, Percent, Quantity, Side } from '../../components/amount.tsx';
import { signOf } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { PastMark } from '../../features/expected-cost/expected-cost.tsx';
import { DollarFee } from '../../features/fill-fee/fill-fee.tsx';
import type { Plan } from './chart-lines.ts';
import { depthUse } from './depth-use.ts';
import { UsedShare } from './depth-used.tsx';
import { LegLiquidation } from './leg-liquidation.tsx';
import { useTakerRate } from './order-facts.tsx';
import { useTicks } from './review-figures.tsx';
import css from './review-sheet.module.css';

type PlanLeg = Plan['legs'][number];

/** Columns after the leg, with their totals. */
const PLAN_COLUMNS: readonly {
  readonly name: string;
  /** Explanation, for a name that does not say it all. */
  readonly why?: string;
  /** @param tick of the instrument: all prices of a leg have its decimals */
  readonly cell: (leg: PlanLeg, tick: string | undefined, plan: Plan) => ReactNode;
  readonly total?: (plan: Plan) => ReactNode;
}[] = [
  { name: 'Quantity', cell: (leg) => <Quantity value={leg.quantity} /> },
  { name: 'Mark price', cell: (leg, tick) => <Quantity value={leg.price} step={tick} /> },
  {
    name: 'Expected',
    why: 'Mean price of the fills, by the order book of the moment',
    cell: ({ expected }, tick) => <Quantity value={rounded(expected?.averagePrice)} step={tick} />,
    total: (plan) => <Slips share={plan.expectedSlippage} />,
  },
  { name: 'Worst price', cell: (leg, tick) => <Quantity value={leg.limitPrice} step={tick} /> },
  {
    name: 'Notional',
    cell: (leg) => <Amount value={leg.notional} />,
    total: (plan) => <Amount value={plan.grossNotional} />,
  },
  {
    name: 'Depth',
    why: 'USD that the order book offers no worse than the worst price',
    cell: (leg) => <Depth leg={leg} />,
  },
  { name: 'Leverage', cell: (leg) => `${leg.leverage}× ${leg.marginMode}` },
  {
    name: 'Margin',
    cell: (leg) => <Amount value={leg.margin} />,
    total: (plan) => <Amount value={plan.marginRequired} />,
  },
  {
    name: 'Fee',
    cell: (leg) => <DollarFee fee={leg.fee} />,
    total: (plan) => <TotalFee fee={plan.totalFee} />,
  },
  {
    name: 'Liq. price after',
    cell: (leg, _, { after }) => <LegLiquidation leg={leg} after={after} />,
  },
];

/** Depth of the book, with the share that the leg takes. */
function Depth({ leg }: { readonly leg: PlanLeg }) {
  const use = depthUse(leg);
  return (
    <>
      <Amount value={leg.expected?.depth} compact />
      {use !== null && (
        <span className={css['rate']} title="Of that, what this leg uses">
          <UsedShare use={use} />
        </span>
      )}
    </>
  );
}

/** Fee, with its rate. */
function TotalFee({ fee }: { readonly fee: string }) {
  const rate = useTakerRate();
  return (
    <>
      <DollarFee fee={fee} />
      {rate !== undefined && signOf(fee) !== 0 && (
        <span className={css['rate']} title="Taker fee, of the notional">
          <Percent value={rate} digits={3} />
        </span>
      )}
    </>
  );
}

/** Slippage in words such as better: its sign means the opposite for a long and a short. */
function Slips({ share }: { readonly share: string | null }) {
  if (share === null) return null;
  const size = new Big(share);
  return (
    <span>
      <PastMark share={size.abs().toFixed()} isBetter={size.lt(0)} />
    </span>
  );
}

/** Mean price with the digits of its mark: further digits are of no use. */
function rounded(price: string | null | undefined): string | null {
  return price == null ? null : new Big(new Big(price).toPrecision(7)).toFixed();
}

export function PlanTable({ plan }: { readonly plan: Plan | null }) {
  const tickOf = useTicks();
  if (plan === null)
    return <p className={layout['dim']}>The sizes are not known yet; they are set when it is sent.</p>;
  return (
    // Focusable, so that the keyboard can scroll it sideways.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section className={css['scroll']} tabIndex={0} aria-label="Legs of the order">
      <table className={css['table']}>
        <caption>At current prices; margin and fee: {COUNTED_AT}</caption>
        <thead>
          <tr>
            <th scope="col">Leg</th>
            {PLAN_COLUMNS.map(({ name, why }) => (
              <th key={name} scope="col" title={why}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plan.legs.map((leg) => (
            <tr key={leg.symbol} data-problem={leg.problem === null ? undefined : ''}>
              <th scope="row">
                <Side side={leg.side}>{leg.ticker}</Side>
              </th>
              {PLAN_COLUMNS.map(({ name, cell }) => (
                <td key={name} data-name={name}>
                  {cell(leg, tickOf(leg.symbol), plan)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {PLAN_COLUMNS.map(({ name, total }) => (
              <td key={name} data-name={name}>
                {total?.(plan)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
