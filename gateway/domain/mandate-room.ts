/**
 * Quick check: an order far within its mandate needs no exact figures. Most orders are, and each waits for its
 * judgement. Exact figures, with every limit and the reasons for an approval, take several times longer.
 *
 * Amounts are whole millionths of a dollar. Usage is rounded up and limits are rounded down, so `judge` allows every
 * order that passes here. The reverse does not hold: an order that fails here has to be judged.
 */
import type { DecimalString } from './decimal.ts';
import type { Mandate, MandateKind } from './mandate.ts';
import { mayTradeAll } from './mandate-instruments.ts';
import { type Scaled, scaled } from './scaled.ts';

const PLACES = 6;
const POWERS = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));
/** Sums of whole numbers up to it are exact, and those that are not lie above it. */
const MOST = 9e15;

/** Money limits in millionths, rounded down; MOST if there is none. */
export interface Room {
  /** True: only figures decide. The mandate has no hours, is not reduce-only, and does not always need an approval. */
  readonly isPlain: boolean;
  readonly order: number;
  readonly opened24h: number;
  readonly gross: number;
  /** null: no loss stops it. */
  readonly loss: number | null;
  /** Orders up to it are placed without a person. */
  readonly unasked: number;
  readonly slippage: number;
}

/** Terms never change: a change of a mandate is another object. */
const ROOMS = new WeakMap<Mandate, Room>();
let last: { readonly mandate: Mandate; readonly room: Room } | null = null;

export function roomOf(mandate: Mandate): Room {
  if (last?.mandate === mandate) return last.room;
  const room = ROOMS.get(mandate) ?? readRoom(mandate);
  last = { mandate, room };
  return room;
}

function readRoom(mandate: Mandate): Room {
  const { approval, lossStop } = mandate;
  const room = {
    isPlain: !mandate.reduceOnly && mandate.hours === null && approval.when !== 'always',
    order: limitOf(mandate.maxOrderUsd),
    opened24h: limitOf(mandate.maxOpenedUsd24h),
    gross: limitOf(mandate.maxGrossUsd),
    loss: lossStop === null ? null : limitOf(lossStop.usd),
    // `above` without an amount never asks a person.
    unasked: approval.when === 'above' ? limitOf(approval.aboveUsd) : MOST,
    slippage: limitOf(mandate.maxSlippage),
  };
  ROOMS.set(mandate, room);
  return room;
}

function limitOf(text: DecimalString | null): number {
  if (text === null) return MOST;
  const { units, places } = scaled(text);
  const whole = millionths(BigInt(units), places);
  return whole > BigInt(MOST) ? MOST : Number(whole);
}

/** Cuts off the digits behind the last place. */
function millionths(units: bigint, places: number): bigint {
  return places <= PLACES ? units * 10n ** BigInt(PLACES - places) : units / 10n ** BigInt(places - PLACES);
}

/** The amount in millionths or a little more; Infinity for one that is no safe number. */
export function atMost({ units, places }: Scaled): number {
  if (typeof units !== 'number') {
    const whole = millionths(units, places) + 1n;
    return whole > BigInt(MOST) ? Number.POSITIVE_INFINITY : Number(whole);
  }
  if (places <= PLACES) {
    const whole = units * (POWERS[PLACES - places] ?? Number.POSITIVE_INFINITY);
    return Number.isSafeInteger(whole) ? whole : Number.POSITIVE_INFINITY;
  }
  // One more than the whole part: a quotient may have been rounded down to it.
  return Math.floor(units / (POWERS[places - PLACES] ?? 1)) + 1;
}

/** Fields of a request that the words and lists of a mandate decide about. */
export interface RoomAsk {
  readonly kind: MandateKind;
  readonly brings?: readonly MandateKind[];
  readonly account: { readonly id: string };
  readonly isOwn: boolean;
  readonly isRequest: boolean;
}

/** Everything of `judge` that is no figure. @param now epoch ms */
export function isInScope(
  mandate: Mandate,
  ask: RoomAsk,
  opening: { readonly legs: readonly { readonly symbol: string }[] },
  now: number,
): boolean {
  const { kinds, approval, validUntil } = mandate;
  const { kind, brings } = ask;
  if (!roomOf(mandate).isPlain || (validUntil !== null && now >= validUntil)) return false;
  if (!mandate.accounts.includes(ask.account.id) || !kinds.includes(kind)) return false;
  if (mandate.manage === 'OWN' && !ask.isOwn) return false;
  if (ask.isRequest && approval.kinds.includes(kind)) return false;
  if (brings !== undefined && !brings.every((one) => kinds.includes(one))) return false;
  return mayTradeAll(mandate, opening);
}
