/** Reads balances, positions and history of an account from Hyperliquid. */
import type { z } from 'zod';
import { Decimal, dec, sum, text, ZERO } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { VenueBalances, VenueError, VenueHistory, VenuePosition } from '../../../engine/ports/venue.ts';
import type { Lane } from '../kit/budget.ts';
import { entryNotional } from '../kit/entry-notional.ts';
import type { NoteUnread } from '../kit/unread-log.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import { collateralOf } from './account-mode.ts';
import { fillOf, paymentOf } from './answers.ts';
import type { Client } from './client.ts';
import { barestFills, heldBack, isWaitOver } from './held-back.ts';
import type { Listing } from './listing.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

/** The most that one answer holds. */
const FILLS_IN_ANSWER = 2_000;
const PAYMENTS_IN_ANSWER = 500;
/** Age, before the latest entry, from which the history is certainly complete; later entries are read again. */
const LAG_MS = 2 * 60_000;
/** Time between two readings of the payments while little weight is left: they are made once an hour. */
const PAYMENTS_APART_MS = 60_000;
const NO_PAYMENTS: z.output<typeof wire.funding> = { items: [], unread: [], length: 0 };

export interface Reading {
  readonly balances: VenueBalances;
  readonly positions: readonly VenuePosition[];
}

export interface ReadDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly listing: () => Listing;
  readonly note: NoteUnread;
}

export async function readState(
  { client, listing }: ReadDeps,
  { user, mode }: { readonly user: string; readonly mode: string },
  lane: Lane,
): Promise<Result<Reading, VenueError>> {
  const collateral = collateralOf(mode);
  const [perps, spot] = await Promise.all([
    client.info(lane, { type: 'clearinghouseState', user }, wire.clearinghouseState),
    collateral === 'perps'
      ? ok(null)
      : client.info(lane, { type: 'spotClearinghouseState', user }, wire.spotState),
  ]);
  if (!perps.ok) return perps;
  if (!spot.ok) return spot;
  const positions = perps.value.assetPositions.flatMap(({ position }): readonly VenuePosition[] => {
    const asset = listing().byCoin(position.coin);
    if (asset === undefined || dec(position.szi).isZero()) return [];
    const { units } = asset.listed;
    return [
      {
        symbol: asset.instrument.id,
        quantity: units.quantityToOurs(position.szi),
        entryPrice: units.priceToOurs(position.entryPx ?? '0'),
        ...openedFor(position),
        leverage: position.leverage.value,
        marginMode: position.leverage.type === 'isolated' ? 'isolated' : 'cross',
        marginUsed: position.marginUsed,
        unrealizedPnl: position.unrealizedPnl,
        liquidationPrice: position.liquidationPx === null ? null : units.priceToOurs(position.liquidationPx),
      },
    ];
  });
  const ofPerps = perpsBalances(perps.value);
  if (spot.value === null) return ok({ balances: ofPerps, positions });
  const ofSpot = spotBalances(perps.value, spot.value);
  // In an unknown mode, the state with the larger balance counts.
  const isInPerps = collateral === null && dec(ofPerps.balance).gt(ofSpot.balance);
  return ok({ balances: isInPerps ? ofPerps : ofSpot, positions });
}

type PerpsState = z.output<typeof wire.clearinghouseState>;
type WirePosition = PerpsState['assetPositions'][number]['position'];

function openedFor({ szi, entryPx, positionValue, unrealizedPnl }: WirePosition) {
  if (entryPx === null || positionValue === null) return {};
  const size = dec(szi);
  const of = { size: size.abs(), price: entryPx, isShort: size.isNegative() };
  return { entryNotional: text(entryNotional(of, { value: positionValue, pnl: unrealizedPnl })) };
}

const unrealizedOf = ({ assetPositions }: PerpsState): Decimal =>
  sum(assetPositions.map(({ position }) => dec(position.unrealizedPnl)));

function perpsBalances(perps: PerpsState): VenueBalances {
  const { accountValue, totalMarginUsed } = perps.marginSummary ?? perps.crossMarginSummary;
  return {
    asset: 'USDC',
    balance: text(dec(accountValue).minus(unrealizedOf(perps))),
    equity: accountValue,
    marginUsed: totalMarginUsed,
    freeMargin: perps.withdrawable,
  };
}

/**
 * Balances of an account whose collateral stands in spot. The margin in use is that of the positions, because the summary
 * of the perpetuals may read 0. Free margin is the lower of two figures: the USDC that is not on hold, and the equity
 * beyond the margin.
 */
function spotBalances(perps: PerpsState, spot: z.output<typeof wire.spotState>): VenueBalances {
  const usdc = spot.balances.find(({ coin }) => coin === 'USDC') ?? { total: '0', hold: '0' };
  const marginUsed = sum(perps.assetPositions.map(({ position }) => dec(position.marginUsed)));
  const equity = dec(usdc.total).plus(unrealizedOf(perps));
  const free = Decimal.min(dec(usdc.total).minus(usdc.hold), equity.minus(marginUsed));
  return {
    asset: 'USDC',
    balance: usdc.total,
    equity: text(equity),
    marginUsed: text(marginUsed),
    freeMargin: text(Decimal.max(free, ZERO)),
  };
}

/** Fills of an account for questions about its orders. @param startTime venue time, epoch ms; null: no answer */
export async function readFillsSince(
  client: Pick<Client, 'info'>,
  user: string,
  startTime: number,
): Promise<readonly wire.WireFill[] | null> {
  const question = { type: 'userFillsByTime', user, startTime: Math.max(0, Math.floor(startTime)) };
  const told = await client.info('lookup', question, wire.fills);
  return told.ok ? told.value.items : null;
}

interface Cursor {
  /** Venue time, epoch ms: everything before it has been read. */
  readonly fills: number;
  readonly funding: number;
}

/** null: a foreign cursor. */
function readCursor(cursor: string): Cursor | null {
  const parts = /^v1:(\d{1,16}):(\d{1,16})$/.exec(cursor);
  return parts === null ? null : { fills: Number(parts[1]), funding: Number(parts[2]) };
}

/**
 * Reads fills and payments from the cursor on. Without a cursor the history begins now, by the venue's own clock: a
 * live account may have years of other trades. The last two minutes are read again each time, because the venue's list
 * may lag behind its orders.
 *
 * The cursor never follows the time alone: a clock ahead for a moment would lead it past all entries until then.
 */
export async function readHistory(
  deps: ReadDeps,
  session: Session,
  cursor: string | null,
  clientIds: (fills: readonly wire.WireFill[]) => Promise<ReadonlyMap<string, string | null> | null>,
): Promise<Result<VenueHistory, VenueError>> {
  const { client, clock, venueClock, listing } = deps;
  if (cursor === null) {
    // The venue is asked for its time: a computed time may be ahead by half a round trip, and a fill of these
    // milliseconds would be in no history.
    const told = await client.info('recovery', { type: 'exchangeStatus' }, wire.exchangeStatus);
    if (!told.ok) return told;
    const { time } = told.value;
    return ok({ fills: [], funding: [], nextCursor: `v1:${time}:${time}`, more: false });
  }
  const from = readCursor(cursor);
  if (from === null) return fail({ kind: 'rejected', message: 'The history does not know this cursor' });
  const { user } = session;
  const isLate = clock.uptime() - session.paymentsReadAt >= PAYMENTS_APART_MS;
  const arePaymentsDue = isLate || !client.isScarce() || session.heldSince !== null;
  const [fills, payments] = await Promise.all([
    client.info('recovery', { type: 'userFillsByTime', user, startTime: from.fills }, wire.fills),
    arePaymentsDue
      ? client.info('recovery', { type: 'userFunding', user, startTime: from.funding }, wire.funding)
      : ok(NO_PAYMENTS),
  ]);
  if (!fills.ok) return fills;
  if (!payments.ok) return payments;
  if (arePaymentsDue) session.paymentsReadAt = clock.uptime();
  const held = heldBack(listing(), fills.value, payments.value);
  const isOver = isWaitOver(deps, session, held);
  const bare = isOver ? barestFills(fills.value.unread) : [];
  if (!(await session.names.book(bare)))
    return fail({ kind: 'unknown', message: 'the ids of its fills could not be stored' });
  const readable = [...fills.value.items, ...bare];
  const ids = await clientIds(readable);
  if (ids === null) return fail({ kind: 'unknown', message: 'the orders of its fills are not known' });
  const moreFills = fills.value.length >= FILLS_IN_ANSWER;
  const morePayments = payments.value.length >= PAYMENTS_IN_ANSWER;
  const settled = Math.floor(venueClock.now()) - LAG_MS;
  const after = (times: readonly number[], held: readonly number[], start: number, more: boolean) => {
    const latest = Math.max(start, ...times);
    const reached = more ? latest : Math.max(start, Math.min(settled, latest - LAG_MS));
    return isOver ? reached : Math.max(start, Math.min(reached, ...held));
  };
  const timesOf = (items: readonly { readonly time: number }[]) => items.map(({ time }) => time);
  const next: Cursor = {
    fills: after(timesOf(readable), held.fills, from.fills, moreFills),
    funding: after(timesOf(payments.value.items), held.funding, from.funding, morePayments),
  };
  const told = readable.flatMap(
    (fill) => fillOf(listing(), session, fill, ids.get(fill.oid) ?? fill.cloid ?? null) ?? [],
  );
  const paid = payments.value.items
    .filter(({ delta }) => delta.type === 'funding')
    .flatMap(({ time, delta }) => paymentOf(listing(), { time, ...delta }) ?? []);
  return ok({
    fills: told.toSorted((a, b) => a.timestamp - b.timestamp),
    funding: paid.toSorted((a, b) => a.timestamp - b.timestamp),
    nextCursor: `v1:${next.fills}:${next.funding}`,
    toldAgainFrom: next.fills,
    // A page that does not move on would be read for ever: more than its size in one millisecond.
    more: (moreFills && next.fills > from.fills) || (morePayments && next.funding > from.funding),
  });
}
