/** Request rate of a mandate's holder and its cool-down. Times are uptime, ms. */

import { DAY_MS } from '../../domain/history-range.ts';

export const MINUTE_MS = 60_000;
/** Refusals within a minute that start a cool-down. */
const REFUSALS = 3;
/** Number of times older than a day that may pile up before they are removed together. */
const MANY = 1_024;

export class Asking {
  /** Times of requested orders, oldest first. Some older than 24 hours are included. */
  #asked: number[] = [];
  /** Index near the start of the last minute. It moves forward only. */
  #minute = 0;
  #refusals: number[] = [];
  /** Time until which every request is refused. */
  coolUntil = 0;

  /** Adds a stored time, in any order. Call `sort` afterwards. */
  load(at: number): void {
    this.#asked.push(at);
  }

  note(at: number): void {
    // Requests are noted in the order of their checks, except when another was checked and noted in between.
    const newest = this.#asked.at(-1) ?? at;
    this.#asked.push(at < newest ? newest : at);
  }

  /** Removes the newest time, whose order was not placed after all. */
  takeBack(): void {
    this.#asked.pop();
    this.#minute = Math.min(this.#minute, this.#asked.length);
  }

  /** Sorts the times. To be called after `load`. */
  sort(): void {
    this.#asked.sort((a, b) => a - b);
  }

  /** Times of requested orders, oldest first. */
  get asked(): readonly number[] {
    return this.#asked;
  }

  /** Number of orders within the day before `now`. */
  withinDay(now: number): number {
    return this.#asked.length - firstAfter(this.#asked, now - DAY_MS);
  }

  /** Number of orders within the minute before `now`. */
  withinMinute(now: number): number {
    const since = now - MINUTE_MS;
    const asked = this.#asked;
    let first = this.#minute;
    // `now` can be earlier than in the previous call.
    if (first > 0 && (asked[first - 1] ?? since) > since) first = firstAfter(asked, since);
    while ((asked[first] ?? now) <= since) first += 1;
    this.#minute = first;
    return asked.length - first;
  }

  refused(now: number, coolDownSeconds: number): void {
    this.#refusals = [...this.#refusals.filter((at) => at > now - MINUTE_MS), now];
    if (this.#refusals.length < REFUSALS) return;
    this.#refusals = [];
    this.coolUntil = now + coolDownSeconds * 1_000;
  }

  forgetUntil(time: number): void {
    const old = this.#asked[MANY];
    if (old === undefined || old > time) return;
    const first = firstAfter(this.#asked, time);
    this.#asked = this.#asked.slice(first);
    this.#minute = Math.max(0, this.#minute - first);
  }
}

/** Time until one more request is allowed, ms; 0: now. At most `most` of `asked` (oldest first) per window. */
export function waitOf(asked: readonly number[], most: number, windowMs: number, now: number): number {
  const within = asked.slice(firstAfter(asked, now - windowMs));
  const oldest = within[within.length - most];
  return within.length < most || oldest === undefined ? 0 : oldest + windowMs - now;
}

/** Index of the first of the ascending times later than `time`; the array's length if there is none. */
function firstAfter(times: readonly number[], time: number): number {
  const [oldest] = times;
  if (oldest === undefined || oldest > time) return 0;
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
