/**
 * Entries of an account's history that cannot be booked yet: their instrument was listed a moment ago, or an amount is
 * none. The history stays before them and is read again, so that nothing is passed over.
 */
import type { z } from 'zod';
import type { Clock } from '../../../engine/ports/system.ts';
import type { NoteUnread } from '../kit/unread-log.ts';
import { check } from '../kit/wire.ts';
import { isPerpetual, isUnlisted, type Listing } from './listing.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

/** Longest wait of the history for them. */
const HELD_MS = 10 * 60_000;

/** Venue times, epoch ms; 0: not readable. */
export interface HeldBack {
  readonly fills: readonly number[];
  readonly funding: readonly number[];
  readonly isUnlisted: boolean;
}

export function heldBack(
  listing: Listing,
  fills: z.output<typeof wire.fills>,
  payments: z.output<typeof wire.funding>,
): HeldBack {
  const unlisted = fills.items.filter(({ coin }) => isUnlisted(listing, coin));
  const unlistedPaid = payments.items.filter(
    ({ delta }) => delta.type === 'funding' && isUnlisted(listing, delta.coin),
  );
  const unread = fills.unread.map(factsOf).filter(({ coin }) => isPerpetual(coin ?? null));
  const unreadPaid = payments.unread
    .map(factsOf)
    .filter(({ delta }) => isPerpetual(delta?.coin ?? null) && (delta?.type ?? 'funding') === 'funding');
  const times = (entries: readonly { readonly time: number | null }[]) =>
    entries.map(({ time }) => time ?? 0);
  return {
    fills: times([...unlisted, ...unread]),
    funding: times([...unlistedPaid, ...unreadPaid]),
    isUnlisted: unlisted.length + unlistedPaid.length > 0,
  };
}

function factsOf(entry: unknown): z.output<typeof wire.barestEntry> {
  const told = check(wire.barestEntry, entry);
  return told.ok ? told.value : { time: null };
}

/** Starts another reading of the history. @return true: it has waited long enough and goes on without them */
export function isWaitOver(
  { clock, note }: { readonly clock: Clock; readonly note: NoteUnread },
  session: Session,
  held: HeldBack,
): boolean {
  const count = held.fills.length + held.funding.length;
  if (count === 0) {
    session.heldSince = null;
    return false;
  }
  session.heldSince ??= clock.uptime();
  const isOver = clock.uptime() - session.heldSince > HELD_MS;
  note('history', isOver ? 'entries are left out' : 'entries cannot be booked yet', count);
  if (isOver) session.heldSince = null;
  else if (held.isUnlisted) session.missedUnlisted();
  else session.missed();
  return isOver;
}

/** Fills of which only the trade itself is readable. */
export function barestFills(unread: readonly unknown[]): readonly wire.WireFill[] {
  return unread.flatMap((entry) => {
    const told = check(wire.barestFill, entry);
    return told.ok ? [told.value] : [];
  });
}
