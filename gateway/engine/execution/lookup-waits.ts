/**
 * Wait times before the gateway asks a venue about orders. The account stream usually reports first, so most orders are
 * never looked up, and venues allow few requests (the strictest: 60 a minute).
 */
import type { OrderLookup } from '../ports/venue.ts';

const FIRST_WAIT_MS = 300;
/** An unanswered order may still be under way: the venue would deny it if asked too early. */
const FIRST_WAIT_UNKNOWN_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Longest wait per order if several are looked up: four unknown for a minute cost at most 30 lookups. */
const LONGEST_WAIT_EACH_MS = 4_000;
const LONGEST_WAIT_OF_ALL_MS = 16_000;
/** Number of orders over all baskets up to which lookups need no extra wait. */
const FEW = 8;
const WAIT_FOR_EACH_MORE_MS = 500;

/**
 * Shortest wait, ms, when orders of many baskets are unknown at once, as after a restart. Polled as often as a few,
 * they would use up the venue's request limit, and the books that settle them would be read last.
 * @param all number of orders of all baskets being looked up
 */
export function pauseForAll(all: number): number {
  return Math.min(Math.max(0, all - FEW) * WAIT_FOR_EACH_MORE_MS, LONGEST_WAIT_OF_ALL_MS);
}

/**
 * @param last previous wait, ms; null: nothing was asked yet
 * @param answers the latest answer about each open order
 */
export function nextWait(last: number | null, answers: readonly OrderLookup['kind'][]): number {
  if (last === null) {
    const isSilent = answers.length > 0 && answers.every((kind) => kind === 'unknown');
    return isSilent ? FIRST_WAIT_UNKNOWN_MS : FIRST_WAIT_MS;
  }
  const longest = Math.max(LONGEST_WAIT_MS, answers.length * LONGEST_WAIT_EACH_MS);
  return Math.min(last * 2, longest, LONGEST_WAIT_OF_ALL_MS);
}
