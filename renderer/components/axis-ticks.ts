/** Positions of axis marks: at round values, or at round times of the displayed zone. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Steps of marks within a day, ms. */
const CLOCK_STEPS = [1, 5, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);
const DAY_STEPS = [1, 2, 7, 14];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120];
const MONTH_DAYS = 30.4;

/** Multiples of 1, 2 or 5 × 10ⁿ from `from` to `to`. `most` is roughly the maximum number of them. */
export function valueTicks(from: number, to: number, most: number): readonly number[] {
  const least = (to - from) / Math.max(1, most);
  if (!(least > 0) || !Number.isFinite(least)) return [];
  const size = 10 ** Math.floor(Math.log10(least));
  const step = size * ([1, 2, 5].find((factor) => factor * size >= least) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => {
    // Removes float noise: 0.30000000000000004.
    return Number(((first + index) * step).toPrecision(12));
  });
}

/**
 * Round times from `from` to `to`, epoch ms. `most` is roughly the maximum number of them.
 * @param days whole days only
 */
export function timeTicks(
  from: number,
  to: number,
  most: number,
  zone: 'utc' | 'local',
  days = false,
): readonly number[] {
  const least = (to - from) / Math.max(1, most);
  if (!(least > 0)) return [];
  const clock = days ? undefined : CLOCK_STEPS.find((step) => step >= least);
  const dayStep = DAY_STEPS.find((step) => step * DAY_MS >= least);
  const months = MONTH_STEPS.find((step) => step * MONTH_DAYS * DAY_MS >= least) ?? 120;
  const midnight = calendar(zone, from);
  const ticks: number[] = [];
  for (let index = 0; ticks.length <= 2 * most + 2; index += 1) {
    const at =
      clock !== undefined
        ? midnight(0, 0) + index * clock
        : dayStep !== undefined
          ? midnight(0, index * dayStep)
          : midnight(index * months, null);
    if (at > to) break;
    if (at >= from) ticks.push(at);
    // Starts at the first mark in the range instead of counting up from midnight in steps of a minute.
    else if (clock !== undefined) index = Math.max(index, Math.ceil((from - midnight(0, 0)) / clock) - 1);
  }
  return ticks;
}

/**
 * Midnight of the day this many months and days after the day of `start`. With days null: of the first of a month,
 * counting months from January.
 */
function calendar(zone: 'utc' | 'local', start: number): (months: number, days: number | null) => number {
  const at = new Date(start);
  if (zone === 'utc') {
    const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
    return (months, days) =>
      days === null ? Date.UTC(year, months, 1) : Date.UTC(year, month + months, day + days);
  }
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()];
  return (months, days) =>
    (days === null ? new Date(year, months, 1) : new Date(year, month + months, day + days)).getTime();
}
