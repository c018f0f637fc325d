/**
 * An account's equity by day, from what each day brought: realised PnL − fees + funding. Days without anything are days
 * with a return of 0. Deposits are not known to the gateway: the capital counts as if it had been there from the start.
 */
import { type Atto, attoNumber } from './atto.ts';
import { DAY_MS } from './history-range.ts';
import type { DayNet } from './portfolio.ts';

export interface EquityDay {
  /** Start of the UTC day, epoch ms. */
  readonly start: number;
  readonly net: Atto;
  /** At the end of the day. */
  readonly equity: Atto;
  /** `net` as a fraction of the equity at the start of the day; null where that is not above 0. */
  readonly return: number | null;
}

/**
 * Every day from `from` to before `to` (both starts of days).
 * @param capital equity before the first of `days`
 * @param days oldest first
 */
export function equityCurve(
  days: readonly DayNet[],
  capital: Atto,
  from: number,
  to: number,
): readonly EquityDay[] {
  const curve: EquityDay[] = [];
  let equity = capital;
  let next = 0;
  const take = (until: number): Atto => {
    let net = 0n;
    for (let day = days[next]; day !== undefined && day.start < until; day = days[next]) {
      net += day.net;
      next += 1;
    }
    return net;
  };
  equity += take(from);
  for (let start = from; start < to; start += DAY_MS) {
    const net = take(start + DAY_MS);
    const fraction = equity > 0n ? attoNumber(net) / attoNumber(equity) : null;
    equity += net;
    curve.push({ start, net, equity, return: fraction });
  }
  return curve;
}

export interface Drawdown {
  /** USD below the peak, at the trough. */
  readonly value: Atto;
  /** Fraction of the peak. */
  readonly share: number;
  /** Day of the peak, of the trough, and of the return to the peak (null: not yet); all null where equity never fell. */
  readonly from: number | null;
  readonly to: number | null;
  readonly recoveredAt: number | null;
}

/** Equity before the first day of the curve. */
function openingEquity(curve: readonly EquityDay[]): Atto {
  const [first] = curve;
  return first === undefined ? 0n : first.equity - first.net;
}

/** The fall from the highest equity so far, as a fraction of it, at the end of each day. */
export function drawdowns(curve: readonly EquityDay[]): readonly number[] {
  let peak = openingEquity(curve);
  return curve.map(({ equity }) => {
    if (equity > peak) peak = equity;
    return peak > 0n ? attoNumber(peak - equity) / attoNumber(peak) : 0;
  });
}

/** The deepest fall as a fraction of its peak. null: there is no day. The equity before the first day is a peak too. */
export function maxDrawdown(curve: readonly EquityDay[]): Drawdown | null {
  const [first] = curve;
  if (first === undefined) return null;
  let peak = { equity: openingEquity(curve), day: first.start };
  let deepest = { peak, trough: peak, share: 0 };
  for (const { start, equity } of curve) {
    if (equity > peak.equity) peak = { equity, day: start };
    const share = peak.equity > 0n ? attoNumber(peak.equity - equity) / attoNumber(peak.equity) : 0;
    if (share > deepest.share) deepest = { peak, trough: { equity, day: start }, share };
  }
  if (deepest.share === 0) return { value: 0n, share: 0, from: null, to: null, recoveredAt: null };
  const recovered = curve.find(
    ({ start, equity }) => start > deepest.trough.day && equity >= deepest.peak.equity,
  );
  return {
    value: deepest.peak.equity - deepest.trough.equity,
    share: deepest.share,
    from: deepest.peak.day,
    to: deepest.trough.day,
    recoveredAt: recovered?.start ?? null,
  };
}

/**
 * √(mean of the squared drawdowns in percent) over all days. P. Martin and B. McCann, The Investor's Guide to Fidelity
 * Funds (1989). null: there is no day.
 */
export function ulcerIndex(curve: readonly EquityDay[]): number | null {
  if (curve.length === 0) return null;
  let squares = 0;
  for (const share of drawdowns(curve)) squares += (share * 100) ** 2;
  return Math.sqrt(squares / curve.length);
}

/**
 * Compound annual growth ÷ deepest drawdown: ((end ÷ start)^(365 ÷ n) − 1) ÷ drawdown. T. W. Young, Calmar Ratio: A
 * Smoother Tool, Futures 20 (1991). null: under two days, never a drawdown, nothing left, or beyond all measure.
 */
export function calmar(curve: readonly EquityDay[]): number | null {
  const start = attoNumber(openingEquity(curve));
  const end = attoNumber(curve.at(-1)?.equity ?? 0n);
  const share = maxDrawdown(curve)?.share ?? 0;
  if (curve.length < 2 || start <= 0 || end <= 0 || share === 0) return null;
  const ratio = ((end / start) ** (365 / curve.length) - 1) / share;
  return Math.abs(ratio) < 1e15 ? ratio : null;
}
