/** Expected cost against the mark in words (a sign could mean cost or gain), or a note that the books are too thin. */
import Big from 'big.js';
import { Amount, NoFigure, Percent } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import layout from '../../components/layout.module.css';
import css from './expected-cost.module.css';

/** Plan of an opening, a close or an adjustment, with the part that the order books can fill. */
export interface ExpectedCost {
  readonly expectedCost: string | null;
  readonly expectedSlippage: string | null;
  readonly legs: readonly {
    readonly ticker: string;
    readonly quantity: string;
    readonly expected: { readonly fillable: string; readonly isPartial: boolean } | null;
  }[];
}

export function Expected({ plan }: { readonly plan: ExpectedCost | null }) {
  if (plan === null) return <NoFigure />;
  const { expectedCost, expectedSlippage } = plan;
  const short = plan.legs.flatMap(({ ticker, expected, quantity }) =>
    expected !== null && new Big(expected.fillable).lt(quantity)
      ? [{ ticker, isPartial: expected.isPartial }]
      : [],
  );
  return <ExpectedTogether short={short} cost={expectedCost} share={expectedSlippage} />;
}

/** Expected cost of several orders together. */
export function ExpectedTogether({
  short,
  cost,
  share,
}: {
  /** Legs whose books hold less than the order; `isPartial`: only a part of the book is known. */
  readonly short: readonly { readonly ticker: string; readonly isPartial: boolean }[];
  /** USD, positive: worse than the marks; null: no book is known. */
  readonly cost: string | null;
  readonly share: string | null;
}) {
  const names = (of: boolean) =>
    short
      .filter(({ isPartial }) => isPartial === of)
      .map(({ ticker }) => ticker)
      .join(', ');
  const [thin, deep] = [names(false), names(true)];
  if (thin !== '') return <span className={layout['problem']}>The book is too thin: {thin}</span>;
  // The rest of the book is not known, so any figure would be wrong.
  if (deep !== '') return <span className={css['aside']}>more than the known part of the book: {deep}</span>;
  if (cost === null) return <span className={css['aside']}>no order book is known</span>;
  return <CostPastMark cost={cost} share={share ?? '0'} />;
}

/** `≈ $0.15 worse than mark, 0.007 %`, or `at the mark`. */
function CostPastMark({
  cost: expectedCost,
  share,
}: {
  /** USD, positive: worse. */
  readonly cost: string;
  /** The same as a fraction of the notional. */
  readonly share: string;
}) {
  const cost = new Big(expectedCost);
  const slippage = new Big(share).abs().toFixed();
  // An amount beside it would suggest a cost after all.
  if (isAtMark(slippage)) return <>at the mark</>;
  return (
    <>
      <span className={css['about']}>
        ≈&nbsp;
        <Amount value={cost.abs().toFixed()} digits={cost.abs().lt(1) ? 4 : 2} /> {wayOf(cost.lt(0))}
      </span>{' '}
      <span className={classNames(css['aside'], layout['whole'])}>
        than mark, <Percent value={slippage} digits={3} />
      </span>
    </>
  );
}

/** Half of the smallest shown percentage: below it a share would be shown as zero, better or worse. */
const LEAST_SHARE = '0.000005';

const isAtMark = (share: string) => new Big(share).lt(LEAST_SHARE);

const wayOf = (isBetter: boolean) => (isBetter ? 'better' : 'worse');

/** `0.012 % worse`, or `at the mark`. */
export function PastMark({
  share,
  isBetter,
}: {
  /** Unsigned fraction: its sign would mean the opposite for a long and a short. */
  readonly share: string;
  readonly isBetter: boolean;
}) {
  if (isAtMark(share)) return <>at the mark</>;
  return (
    <>
      <Percent value={share} digits={3} /> {wayOf(isBetter)}
    </>
  );
}
