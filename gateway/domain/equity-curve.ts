/**
 * An account's equity by day. Once sampling has begun, equity is marked to market: the last sample of each day. Earlier
 * days, and days without a sample, count realised PnL − fees + funding; days without any entry have a return of 0.
 *
 * Returns are time-weighted: a deposit or withdrawal within a day cuts the day into pieces whose growths are multiplied
 * (GIPS 2020, 2.A.25), so that a deposit is no gain and a paper reset no loss. PnL that was unrealised when sampling
 * began is no gain of that day either.
 */
import { type Atto, attoNumber } from './atto.ts';
import { DAY_MS } from './history-range.ts';
import type { DayNet } from './portfolio.ts';

export interface EquityDay {
  /** Start of the UTC day, epoch ms. */
  readonly start: number;
  /** Realised PnL − fees + funding. */
  readonly net: Atto;
  /** Deposits less withdrawals. */
  readonly deposits: Atto;
  /** Change of unrealised PnL: `before` + `deposits` + `net` + `unrealized` = `equity`. */
  readonly unrealized: Atto;
  /** Equity at the end of the day. */
  readonly equity: Atto;
  /** Equity at the start of the day. */
  readonly before: Atto;
  /** Gain of the day, without unrealised PnL from before sampling began. */
  readonly gain: Atto;
  /**
   * `gain` as a fraction of the equity at the start of the day; with deposits, the growth of each piece between them
   * is multiplied. null: equity was not above 0.
   */
  readonly return: number | null;
  /** Equity as if there were no deposits: the growth of one unit since the beginning, times a constant. */
  readonly index: number;
  readonly indexBefore: number;
  readonly basis: EquityBasis;
}

export type EquityBasis = 'MARKED' | 'REALIZED';

/** An equity sample, of all trading or of one source. */
export interface EquityMark {
  readonly at: number;
  /** Deposits of all time. */
  readonly deposits: Atto;
  /** Deposits since the previous sample. */
  readonly flow: Atto;
  /** Result of all time: realised PnL − fees + funding + unrealised PnL. */
  readonly pnl: Atto;
  readonly unrealized: Atto;
}

export interface EquityMarks {
  /** First sample; null: no sample was ever taken. */
  readonly first: EquityMark | null;
  /** Last sample of each day, oldest first. */
  readonly closes: readonly EquityMark[];
  /** Samples with a deposit or a withdrawal, oldest first. */
  readonly flows: readonly EquityMark[];
}

const NO_MARKS: EquityMarks = { first: null, closes: [], flows: [] };

/**
 * Every day from `from` up to `to`, exclusive (both starts of days).
 * @param capital equity before the first of `days` and of `marks`
 * @param days oldest first
 */
export function equityCurve(
  days: readonly DayNet[],
  capital: Atto,
  from: number,
  to: number,
  marks: EquityMarks = NO_MARKS,
): readonly EquityDay[] {
  const first = Math.min(days[0]?.start ?? from, dayOf(marks.first?.at ?? from), from);
  const nets = inDays(days, ({ start }) => start);
  const closes = inDays(marks.closes, ({ at }) => dayOf(at));
  const flows = inDays(marks.flows, ({ at }) => dayOf(at));
  const curve: EquityDay[] = [];
  let at = { equity: capital, deposits: marks.first?.deposits ?? 0n, scale: 1 };
  let isSampled = false;
  for (let start = first; start < to; start += DAY_MS) {
    const net = nets.take(start).reduce((sum, day) => sum + day.net, 0n);
    const close = closes.take(start).at(-1);
    const paid = flows.take(start);
    const jump = isSampled || close === undefined ? 0n : (marks.first?.unrealized ?? 0n);
    isSampled ||= close !== undefined;
    const day = nextDay(at, { start, net, close, paid, jump });
    const isWhole = day.gain === day.equity - day.before && paid.length === 0;
    const scale = day.equity > 0n ? day.index / attoNumber(day.equity) : 1;
    at = {
      equity: day.equity,
      deposits: close?.deposits ?? at.deposits,
      // The scale is not recomputed, so that equity recovered to the last digit counts as fully recovered.
      scale: isWhole ? at.scale : scale,
    };
    if (start >= from) curve.push(day);
  }
  return curve;
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** Returns the rows of each day; days must be requested in ascending order. */
function inDays<Row>(rows: readonly Row[], day: (row: Row) => number) {
  let next = 0;
  return {
    take(start: number): readonly Row[] {
      const from = next;
      for (let row = rows[next]; row !== undefined && day(row) <= start; row = rows[next]) next += 1;
      return rows.slice(from, next);
    },
  };
}

function nextDay(
  at: { readonly equity: Atto; readonly deposits: Atto; readonly scale: number },
  today: {
    readonly start: number;
    readonly net: Atto;
    readonly close: EquityMark | undefined;
    readonly paid: readonly EquityMark[];
    readonly jump: Atto;
  },
): EquityDay {
  const { start, net, close, paid, jump } = today;
  const equity = close === undefined ? at.equity + net : close.deposits + close.pnl;
  const deposits = close === undefined ? 0n : close.deposits - at.deposits;
  const gain = equity - at.equity - deposits - jump;
  const indexBefore = attoNumber(at.equity) * at.scale;
  const isWhole = deposits === 0n && jump === 0n && paid.length === 0;
  const growth = isWhole ? null : growthOf(at.equity + jump, paid, equity);
  const simple = at.equity > 0n ? attoNumber(gain) / attoNumber(at.equity) : null;
  return {
    start,
    net,
    deposits,
    unrealized: equity - at.equity - deposits - net,
    equity,
    before: at.equity,
    gain,
    return: isWhole ? simple : growth === null ? null : growth - 1,
    index: growth === null ? attoNumber(equity) * at.scale : indexBefore * growth,
    indexBefore,
    basis: close === undefined ? 'REALIZED' : 'MARKED',
  };
}

/** End ÷ start of each piece between deposits, multiplied; null: a piece begins with no equity. */
function growthOf(start: Atto, paid: readonly EquityMark[], end: Atto): number | null {
  let growth = 1;
  let base = start;
  for (const { deposits, pnl, flow } of paid) {
    if (base <= 0n) return null;
    growth *= attoNumber(deposits + pnl - flow) / attoNumber(base);
    base = deposits + pnl;
  }
  return base <= 0n ? null : (growth * attoNumber(end)) / attoNumber(base);
}

export interface Drawdown {
  /** Fall from the peak to the trough, USD, deposits left out. */
  readonly value: Atto;
  /** Fall as a fraction of the peak. */
  readonly share: number;
  /** Day of the peak, of the trough, and of the return to the peak (null: not yet); all null where equity never fell. */
  readonly from: number | null;
  readonly to: number | null;
  readonly recoveredAt: number | null;
}

/** Fall from the highest value so far, as a fraction of it, at the end of each day; deposits do not count. */
export function drawdowns(curve: readonly EquityDay[]): readonly number[] {
  let peak = curve[0]?.indexBefore ?? 0;
  return curve.map(({ index }) => {
    if (index > peak) peak = index;
    return peak > 0 ? (peak - index) / peak : 0;
  });
}

/** The deepest fall as a fraction of its peak. null: there is no day. The equity before the first day is a peak too. */
export function maxDrawdown(curve: readonly EquityDay[]): Drawdown | null {
  const [first] = curve;
  if (first === undefined) return null;
  let gained = 0n;
  let peak = { index: first.indexBefore, gained, day: first.start };
  let deepest = { peak, trough: peak, share: 0 };
  for (const { start, index, gain } of curve) {
    gained += gain;
    if (index > peak.index) peak = { index, gained, day: start };
    const share = peak.index > 0 ? (peak.index - index) / peak.index : 0;
    if (share > deepest.share) deepest = { peak, trough: { index, gained, day: start }, share };
  }
  if (deepest.share === 0) return { value: 0n, share: 0, from: null, to: null, recoveredAt: null };
  const recovered = curve.find(
    ({ start, index }) => start > deepest.trough.day && index >= deepest.peak.index,
  );
  return {
    value: deepest.peak.gained - deepest.trough.gained,
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
 * Smoother Tool, Futures 20 (1991). null: under two days, no drawdown, no equity at the start or
 * end, or a ratio of 10¹⁵ or more.
 */
export function calmar(curve: readonly EquityDay[]): number | null {
  const start = curve[0]?.indexBefore ?? 0;
  const end = curve.at(-1)?.index ?? 0;
  const share = maxDrawdown(curve)?.share ?? 0;
  if (curve.length < 2 || start <= 0 || end <= 0 || share === 0) return null;
  const ratio = ((end / start) ** (365 / curve.length) - 1) / share;
  return Math.abs(ratio) < 1e15 ? ratio : null;
}
