/**
 * An account's equity by day. Once sampling has begun, equity is marked to market: the last sample of each day. Earlier
 * days, and days without a sample, count realised PnL − fees + funding; days without any entry have a return of 0.
 *
 * Returns are time-weighted: a deposit or withdrawal within a day cuts the day into pieces whose growths are multiplied
 * (GIPS 2020, 2.A.25), so that a deposit is no gain and a paper reset no loss. PnL that was unrealised when sampling
 * began is no gain of that day either. While an account has no capital, because all of it was withdrawn, its index is
 * constant.
 *
 * Drawdowns use every stored sample, not only days.
 */
import { type Atto, atto, attoNumber } from './atto.ts';
import type { EquityMark, PathMark } from './equity-mark.ts';
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
  /** Samples of the day, oldest first; without any, only its end. */
  readonly path: readonly EquityPoint[];
  readonly basis: EquityBasis;
}

export interface EquityPoint {
  readonly index: number;
  /** Gain since the start of the day. */
  readonly gain: Atto;
}

export type EquityBasis = 'MARKED' | 'REALIZED';

export interface EquityMarks {
  /** First sample; null: no sample was ever taken. */
  readonly first: EquityMark | null;
  /** Last sample of each day, oldest first. */
  readonly closes: readonly EquityMark[];
  /** Samples with a deposit or a withdrawal, oldest first. */
  readonly flows: readonly EquityMark[];
  /** All samples of the days whose drawdown is asked for, oldest first. */
  readonly path?: readonly PathMark[];
}

const NO_MARKS: EquityMarks = { first: null, closes: [], flows: [] };

/** Equity below this is no capital, USD: a remainder of rounding after a withdrawal has no meaningful return. */
export const LEAST_CAPITAL = atto('0.01');

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
  const path = inDays(marks.path ?? [], ({ at }) => dayOf(at));
  const curve: EquityDay[] = [];
  let at: DayEnd = {
    equity: capital,
    deposits: depositsBefore(marks.first),
    scale: { factor: 1, held: null },
  };
  let isSampled = false;
  for (let start = first; start < to; start += DAY_MS) {
    const net = nets.take(start).reduce((sum, day) => sum + day.net, 0n);
    const close = closes.take(start).at(-1);
    const paid = flows.take(start);
    const samples = path.take(start);
    const jump = isSampled || close === undefined ? 0n : (marks.first?.unrealized ?? 0n);
    isSampled ||= close !== undefined;
    const { day, end } = nextDay(at, { start, net, close, paid, jump, samples });
    at = end;
    if (start >= from) curve.push(day);
  }
  return curve;
}

/** Deposits before the first sample: of an account whose earlier ones were thinned, it may have a deposit of its own. */
export function depositsBefore(first: Pick<EquityMark, 'deposits' | 'flow'> | null): Atto {
  return first === null ? 0n : first.deposits - first.flow;
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

export interface IndexScale {
  /** Index ÷ equity. */
  readonly factor: number;
  /** Frozen index of an account whose capital was withdrawn; null: it has capital. */
  readonly held: number | null;
}

interface DayEnd {
  readonly equity: Atto;
  readonly deposits: Atto;
  readonly scale: IndexScale;
}

interface DayRecords {
  readonly start: number;
  readonly net: Atto;
  readonly close: EquityMark | undefined;
  readonly paid: readonly EquityMark[];
  readonly jump: Atto;
  readonly samples: readonly PathMark[];
}

function nextDay(at: DayEnd, today: DayRecords): { readonly day: EquityDay; readonly end: DayEnd } {
  const { start, net, close, paid, jump, samples } = today;
  const equity = close === undefined ? at.equity + net : close.deposits + close.pnl;
  const deposits = close === undefined ? 0n : close.deposits - at.deposits;
  const gain = equity - at.equity - deposits - jump;
  const indexBefore = indexOf(at.scale, at.equity);
  const isWhole = deposits === 0n && jump === 0n && paid.length === 0;
  const growth = isWhole ? null : growthOf(at.equity + jump, paid, equity);
  const simple = at.equity >= LEAST_CAPITAL ? attoNumber(gain) / attoNumber(at.equity) : null;
  const begin = jump === 0n ? at.scale : rescaled(indexBefore, at.equity + jump, at.scale);
  const until = samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const { indexes, scale } = indexWalk(begin, [...samples, ...paid.filter((mark) => mark.at > until)]);
  const index = indexOf(scale, equity);
  const day: EquityDay = {
    start,
    net,
    deposits,
    unrealized: equity - at.equity - deposits - net,
    equity,
    before: at.equity,
    gain,
    return: isWhole ? simple : growth === null ? null : growth - 1,
    index,
    indexBefore,
    path: samples.length === 0 ? [{ index, gain }] : pathOf(samples, indexes, at.equity + jump - at.deposits),
    basis: close === undefined ? 'REALIZED' : 'MARKED',
  };
  return {
    day,
    end: {
      equity,
      deposits: close?.deposits ?? at.deposits,
      // Profit without capital: the index continues from its present value.
      scale: scale.held === null ? scale : rescaled(scale.held, equity, scale),
    },
  };
}

/** @param gone equity at the start of the day less the deposits until then */
function pathOf(
  samples: readonly PathMark[],
  indexes: readonly number[],
  gone: Atto,
): readonly EquityPoint[] {
  return samples.map(({ pnl }, number) => ({ index: indexes[number] ?? 0, gain: pnl - gone }));
}

function indexOf({ factor, held }: IndexScale, equity: Atto): number {
  return held ?? attoNumber(equity) * factor;
}

/** Scale from which on `equity` has this index. An account that has lost everything keeps its factor. */
function rescaled(index: number, equity: Atto, { factor }: IndexScale): IndexScale {
  if (index <= 0) return { factor, held: null };
  if (equity < LEAST_CAPITAL) return { factor, held: index };
  return { factor: index / attoNumber(equity), held: null };
}

/**
 * Index at each sample. Deposits between two samples change the scale, not the index.
 * @param samples oldest first, those with a deposit or withdrawal among them
 */
export function indexWalk(
  begin: IndexScale,
  samples: readonly PathMark[],
): { readonly indexes: readonly number[]; readonly scale: IndexScale } {
  let scale = begin;
  const indexes = samples.map(({ deposits, pnl, flow }) => {
    const equity = deposits + pnl;
    if (flow !== 0n) scale = rescaled(indexOf(scale, equity - flow), equity, scale);
    return indexOf(scale, equity);
  });
  return { indexes, scale };
}

/** End ÷ start of each piece between deposits, multiplied; null: there was no capital, or it was lost. */
function growthOf(start: Atto, paid: readonly EquityMark[], end: Atto): number | null {
  let growth = 1;
  let base = start;
  let hadCapital = false;
  const ends = paid.map(({ deposits, pnl, flow }) => ({
    equity: deposits + pnl - flow,
    next: deposits + pnl,
  }));
  for (const { equity, next } of [...ends, { equity: end, next: end }]) {
    if (base < 0n) return null;
    if (base >= LEAST_CAPITAL) {
      growth *= attoNumber(equity) / attoNumber(base);
      hadCapital = true;
    }
    base = next;
  }
  return hadCapital ? growth : null;
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

/**
 * Fall from the highest value so far, as a fraction of it, at the end of each day; deposits do not count. The running
 * day ends with its last sample.
 */
export function drawdowns(curve: readonly EquityDay[]): readonly number[] {
  let peak = curve[0]?.indexBefore ?? 0;
  return curve.map(({ path, index }) => {
    for (const point of path) if (point.index > peak) peak = point.index;
    return peak > 0 ? (peak - (path.at(-1)?.index ?? index)) / peak : 0;
  });
}

/**
 * The deepest fall as a fraction of its peak, over all samples. null: there is no day. The equity before the first day
 * is a peak too.
 */
export function maxDrawdown(curve: readonly EquityDay[]): Drawdown | null {
  const [first] = curve;
  if (first === undefined) return null;
  let before = 0n;
  let peak = { index: first.indexBefore, gained: 0n, day: first.start };
  let deepest = { peak, trough: peak, share: 0 };
  let recoveredAt: number | null = null;
  for (const { start, path, gain } of curve) {
    for (const { index, gain: since } of path) {
      if (index > peak.index) peak = { index, gained: before + since, day: start };
      const share = peak.index > 0 ? (peak.index - index) / peak.index : 0;
      if (share > deepest.share) {
        deepest = { peak, trough: { index, gained: before + since, day: start }, share };
        recoveredAt = null;
      } else if (recoveredAt === null && index >= deepest.peak.index) recoveredAt = start;
    }
    before += gain;
  }
  if (deepest.share === 0) return { value: 0n, share: 0, from: null, to: null, recoveredAt: null };
  return {
    value: deepest.peak.gained - deepest.trough.gained,
    share: deepest.share,
    from: deepest.peak.day,
    to: deepest.trough.day,
    recoveredAt,
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
