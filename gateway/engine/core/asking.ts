/** How often a holder of a mandate asks, and whether it is made to wait. Times are uptime, ms. */

import { DAY_MS } from '../../domain/history-range.ts';

export const MINUTE_MS = 60_000;
/** Refusals within a minute after which nothing is taken for a while. */
const REFUSALS = 3;
/** Times that may be kept beyond a day before they are let go together. */
const MANY = 1_024;

export class Asking {
  /** Of orders that were asked for within 24 hours and a while before, oldest first. */
  #asked: number[] = [];
  /** About where the last minute begins: it only moves on. */
  #minute = 0;
  #refusals: number[] = [];
  /** Until when nothing is taken. */
  coolUntil = 0;

  /** As it was, in any order: to be followed by `sort`. */
  load(at: number): void {
    this.#asked.push(at);
  }

  note(at: number): void {
    // What was judged first is noted first, but for what another was judged and noted meanwhile.
    const newest = this.#asked.at(-1) ?? at;
    this.#asked.push(at < newest ? newest : at);
  }

  /** The newest was not asked for after all. */
  takeBack(): void {
    this.#asked.pop();
    this.#minute = Math.min(this.#minute, this.#asked.length);
  }

  /** To be called after times were loaded. */
  sort(): void {
    this.#asked.sort((a, b) => a - b);
  }

  /** Oldest first. */
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
    // Of a moment before the one that was asked for last.
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

/** Ms until one more may come after the times (oldest first), of which at most `most` are within the window; 0: now. */
export function waitOf(asked: readonly number[], most: number, windowMs: number, now: number): number {
  const within = asked.slice(firstAfter(asked, now - windowMs));
  const oldest = within[within.length - most];
  return within.length < most || oldest === undefined ? 0 : oldest + windowMs - now;
}

/** Index of the first of rising times that is later; their number: none is. */
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
