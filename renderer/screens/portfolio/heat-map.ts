/** Daily PnL as a calendar: one column per week from Monday, one row per weekday. UTC days. */

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const WEEKS_A_BLOCK = 53;
const STEPS = 4;

/** Sign and size of the day's PnL relative to the largest in the range: −4 to 4. */
export type HeatLevel = -4 | -3 | -2 | -1 | 0 | 1 | 2 | 3 | 4;

export interface DayPnl {
  /** UTC day: `2026-01-31` */
  readonly date: string;
  /** PnL of the day in USD, the gateway's decimal. */
  readonly pnl: string;
}

export interface HeatDay extends DayPnl {
  readonly level: HeatLevel;
  /** Column of the week inside the block, from 0. */
  readonly week: number;
  /** Weekday; 0 is Monday. */
  readonly weekday: number;
}

export interface HeatBlock {
  readonly weeks: number;
  readonly days: readonly HeatDay[];
  /** Beginnings of months: first week in the block, and `2026-01`. */
  readonly months: readonly { readonly week: number; readonly month: string }[];
}

/**
 * Blocks of at most 53 weeks, the latest first.
 * @param series daily, oldest first
 */
export function heatMap(series: readonly DayPnl[]): readonly HeatBlock[] {
  const [first] = series;
  if (first === undefined) return [];
  // Only the colour uses this float: the shown figure is the gateway's text.
  const largest = Math.max(...series.map(({ pnl }) => Math.abs(Number(pnl))));
  const origin = mondayOf(first.date);
  const blocks: HeatDay[][] = [];
  for (const { date, pnl } of series) {
    const offset = (Date.parse(date) - origin) / DAY_MS;
    const week = Math.floor(offset / WEEK_DAYS);
    const block = Math.floor(week / WEEKS_A_BLOCK);
    blocks[block] ??= [];
    blocks[block]?.push({
      date,
      pnl,
      level: levelOf(Number(pnl), largest),
      week: week % WEEKS_A_BLOCK,
      weekday: offset % WEEK_DAYS,
    });
  }
  return blocks.map(blockOf).reverse();
}

function blockOf(days: readonly HeatDay[]): HeatBlock {
  const months: { week: number; month: string }[] = [];
  for (const { date, week } of days) {
    const month = date.slice(0, 7);
    if (months.at(-1)?.month === month) continue;
    // Two month names would overlap, so only the later one is kept.
    if ((months.at(-1)?.week ?? -WEEK_DAYS) > week - 3) months.pop();
    months.push({ week, month });
  }
  return { weeks: (days.at(-1)?.week ?? 0) + 1, days, months };
}

function mondayOf(date: string): number {
  const time = Date.parse(date);
  return time - ((new Date(time).getUTCDay() + 6) % WEEK_DAYS) * DAY_MS;
}

const LEVELS: readonly HeatLevel[] = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

function levelOf(pnl: number, largest: number): HeatLevel {
  if (pnl === 0 || largest === 0) return 0;
  const size = Math.max(1, Math.ceil((Math.abs(pnl) / largest) * STEPS));
  return LEVELS[STEPS + Math.sign(pnl) * size] ?? 0;
}

export interface DayFacts {
  /** The day with the largest profit; undefined: no day had a profit. */
  readonly best: DayPnl | undefined;
  /** The day with the largest loss; undefined: no day had a loss. */
  readonly worst: DayPnl | undefined;
  readonly up: number;
  readonly down: number;
}

export function dayFacts(series: readonly DayPnl[]): DayFacts {
  const ofSign = (sign: number) =>
    series
      .filter(({ pnl }) => Math.sign(Number(pnl)) === sign)
      .toSorted((one, other) => sign * (Number(other.pnl) - Number(one.pnl)));
  const [ups, downs] = [ofSign(1), ofSign(-1)];
  return { best: ups[0], worst: downs[0], up: ups.length, down: downs.length };
}
