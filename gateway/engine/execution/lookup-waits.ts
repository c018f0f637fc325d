/**
 * How long the gateway waits before it asks a venue about orders. The account stream usually speaks first, so that most
 * orders are never asked for, and venues allow few requests (the strictest: 60 a minute).
 */
import type { OrderLookup } from '../ports/venue.ts';

const FIRST_WAIT_MS = 300;
/** A request that got no answer may still be on its way: asked too early, the venue denies the order. */
const FIRST_WAIT_UNKNOWN_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Longest wait per order where several are asked for: four that stay unknown for a minute cost 30 lookups at most. */
const LONGEST_WAIT_EACH_MS = 4_000;
const LONGEST_WAIT_OF_ALL_MS = 16_000;
/** So many orders of all baskets are asked for without regard to each other. */
const FEW = 8;
const WAIT_FOR_EACH_MORE_MS = 500;

/**
 * Shortest wait, ms, where orders of many baskets are unknown at once, as after a restart: asked for as often as few are,
 * they would use up all that the venue lets us ask, and its books, which end them, would be read last.
 * @param all orders of all baskets that are being asked about
 */
export function pauseForAll(all: number): number {
  return Math.min(Math.max(0, all - FEW) * WAIT_FOR_EACH_MORE_MS, LONGEST_WAIT_OF_ALL_MS);
}

/**
 * @param last the wait before, ms; null: nothing was asked yet
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
