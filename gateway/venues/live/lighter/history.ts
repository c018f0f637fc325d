/**
 * Trades and payments of an account since a cursor. The venue lists them from the newest one on, so they are read back
 * to the cursor and returned oldest first.
 */
import type { z } from 'zod';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { VenueError, VenueHistory } from '../../../engine/ports/venue.ts';
import type { NoteUnread } from '../kit/unread-log.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import { check } from '../kit/wire.ts';
import { paymentOf, sidesOf, toMs } from './answers.ts';
import type { Client } from './client.ts';
import { isUnlisted, type Listing } from './listing.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

const IN_ANSWER = 100;
/** Pages of one call. A longer history is read by several, because a standard account has 60 requests a minute. */
const PAGES_AT_ONCE = 20;
/** Age from which entries are certainly in the lists; later ones are read again. */
const LAG_MS = 2 * 60_000;

/** Longest wait of the history for entries that cannot be booked: markets not listed yet, unreadable amounts. */
const HELD_MS = 10 * 60_000;

/** Time between two readings of the payments while few requests are left: they are made once an hour. */
const PAYMENTS_APART_MS = 60_000;

export interface HistoryDeps {
  readonly client: Pick<Client, 'isScarce'>;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly listing: () => Listing;
  readonly note: NoteUnread;
}

/** Ids, which rise: everything up to them has been read. */
interface Cursor {
  readonly trade: bigint;
  readonly payment: bigint;
}

/** null: a foreign cursor. */
function readCursor(cursor: string): Cursor | null {
  const parts = /^v1:(\d{1,20}):(\d{1,20})$/.exec(cursor);
  return parts === null ? null : { trade: BigInt(parts[1] ?? 0), payment: BigInt(parts[2] ?? 0) };
}

const written = ({ trade, payment }: Cursor) => `v1:${trade}:${payment}`;

interface Item {
  readonly id: bigint;
  readonly timestamp: number;
}

interface PageOf<T> {
  readonly items: readonly T[];
  readonly unread: readonly unknown[];
  readonly length: number;
  readonly next: string | null;
}
type Page<T> = Promise<Result<PageOf<T>, VenueError>>;

/** Entries that a reading has found on its way back to `from`. */
interface Walk<T> {
  readonly from: bigint;
  readonly found: T[];
  readonly unread: unknown[];
  next: string | null;
  /** True: the reading has reached `from`. */
  isThere: boolean;
}

/** Readings of an account that are longer than one call, continued by the next one. */
export interface Walks {
  trades?: Walk<wire.WireTrade> | undefined;
  payments?: Walk<wire.WirePayment> | undefined;
}

/** Continues a reading of all entries after `from`, in any order. The next call repeats a page without an answer. */
async function walkOn<T>(
  page: (cursor: string | null) => Page<T>,
  idOf: (item: T) => bigint,
  known: Walk<T> | undefined,
  from: bigint,
): Promise<Result<Walk<T>, { readonly error: VenueError; readonly walk: Walk<T> | undefined }>> {
  const walk: Walk<T> =
    known?.from === from ? known : { from, found: [], unread: [], next: null, isThere: false };
  for (let pages = 0; pages < PAGES_AT_ONCE && !walk.isThere; pages += 1) {
    const told: Awaited<Page<T>> = await page(walk.next);
    // A cursor that the venue refuses is useless.
    if (!told.ok) return fail({ error: told.error, walk: told.error.kind === 'rejected' ? undefined : walk });
    const { items, unread, length, next } = told.value;
    walk.found.push(...items.filter((item) => idOf(item) > from));
    walk.unread.push(...unread);
    const isLast = items.some((item) => idOf(item) <= from) || length < IN_ANSWER;
    // A page that leads to itself would be read for ever.
    walk.isThere = isLast || next === null || next === walk.next;
    walk.next = next;
  }
  return ok(walk);
}

function tradesPage(session: Session, limit = IN_ANSWER) {
  return async (cursor: string | null): Page<wire.WireTrade> => {
    const query = {
      ...{ account_index: session.accountIndex, market_type: 'perp' },
      ...{ sort_by: 'trade_id', sort_dir: 'desc', limit },
      ...(cursor === null ? {} : { cursor }),
    };
    const told = await session.signer.get({ lane: 'recovery', path: '/api/v1/trades', query }, wire.trades);
    return told.ok ? ok({ ...told.value.trades, next: nextOf(told.value) }) : told;
  };
}

function paymentsPage(session: Session, limit = IN_ANSWER) {
  return async (cursor: string | null): Page<wire.WirePayment> => {
    const query = { account_index: session.accountIndex, limit, ...(cursor === null ? {} : { cursor }) };
    const told = await session.signer.get(
      { lane: 'recovery', path: '/api/v1/positionFunding', query },
      wire.payments,
    );
    return told.ok ? ok({ ...told.value.position_fundings, next: nextOf(told.value) }) : told;
  };
}

function nextOf({ next_cursor: next }: Pick<z.output<typeof wire.trades>, 'next_cursor'>): string | null {
  return next === undefined || next === '' ? null : next;
}

const tradeId = ({ trade_id }: wire.WireTrade) => BigInt(trade_id);
const paymentId = ({ funding_id }: wire.WirePayment) => BigInt(funding_id);

/** A live account may have years of other trades: without a cursor the history begins after the latest of them. */
async function beginning(session: Session): Promise<Result<VenueHistory, VenueError>> {
  const [trades, payments] = await Promise.all([
    tradesPage(session, 1)(null),
    paymentsPage(session, 1)(null),
  ]);
  if (!trades.ok) return trades;
  if (!payments.ok) return payments;
  const cursor: Cursor = {
    trade: highest(trades.value.items.map(tradeId), 0n),
    payment: highest(payments.value.items.map(paymentId), 0n),
  };
  return ok({ fills: [], funding: [], nextCursor: written(cursor), more: false });
}

export async function readHistory(
  deps: HistoryDeps,
  session: Session,
  cursor: string | null,
): Promise<Result<VenueHistory, VenueError>> {
  if (cursor === null) return beginning(session);
  const from = readCursor(cursor);
  if (from === null) return fail({ kind: 'rejected', message: 'The history does not know this cursor' });
  const { walks } = session;
  const isDue = arePaymentsDue(deps, session);
  const [trades, payments] = await Promise.all([
    walkOn(tradesPage(session), tradeId, walks.trades, from.trade),
    isDue
      ? walkOn(paymentsPage(session), paymentId, walks.payments, from.payment)
      : ok<Walk<wire.WirePayment>>({ from: from.payment, found: [], unread: [], next: null, isThere: true }),
  ]);
  walks.trades = trades.ok ? trades.value : trades.error.walk;
  walks.payments = payments.ok ? payments.value : payments.error.walk;
  if (!trades.ok) return fail(trades.error.error);
  if (!payments.ok) return fail(payments.error.error);
  if (isDue) session.paymentsReadAt = deps.clock.uptime();
  // The oldest come last, and are returned first.
  if (!trades.value.isThere || !payments.value.isThere)
    return ok({ fills: [], funding: [], nextCursor: cursor, more: true });
  walks.trades = undefined;
  walks.payments = undefined;
  return toldOf(deps, session, from, trades.value, payments.value);
}

function arePaymentsDue(
  { client, clock }: HistoryDeps,
  { walks, heldSince, paymentsReadAt }: Session,
): boolean {
  const isLate = clock.uptime() - paymentsReadAt >= PAYMENTS_APART_MS;
  return isLate || !client.isScarce() || heldSince !== null || walks.payments !== undefined;
}

async function toldOf(
  deps: HistoryDeps,
  session: Session,
  from: Cursor,
  trades: Walk<wire.WireTrade>,
  payments: Walk<wire.WirePayment>,
): Promise<Result<VenueHistory, VenueError>> {
  const { venueClock, listing } = deps;
  const names = new Map<number, string | null>();
  for (const { clientIndex } of trades.found.flatMap((trade) => sidesOf(trade, session.accountIndex)))
    names.set(clientIndex, await session.ids.nameOf(clientIndex));
  const isOfUnlisted = ({ market_id }: { readonly market_id: number }) => isUnlisted(listing(), market_id);
  const held = {
    trades: [...trades.found.filter(isOfUnlisted).map(tradeId), ...trades.unread.map(idOfUnread)],
    payments: [...payments.found.filter(isOfUnlisted).map(paymentId), ...payments.unread.map(idOfUnread)],
  };
  const isOver = isWaitOver(deps, session, [...held.trades, ...held.payments].length);
  if (session.heldSince !== null && [...trades.found, ...payments.found].some(isOfUnlisted))
    session.missedUnlisted();
  const settled = Math.floor(venueClock.now()) - LAG_MS;
  const before = (reached: bigint, ids: readonly bigint[], start: bigint) =>
    isOver ? reached : ids.reduce((least, id) => lower(least, id > start ? id - 1n : start), reached);
  const next: Cursor = {
    trade: before(
      upTo(
        trades.found.map((one) => ({ id: tradeId(one), timestamp: one.timestamp })),
        settled,
        from.trade,
      ),
      held.trades,
      from.trade,
    ),
    payment: before(
      upTo(
        payments.found.map((one) => ({ id: paymentId(one), timestamp: toMs(one.timestamp) })),
        settled,
        from.payment,
      ),
      held.payments,
      from.payment,
    ),
  };
  return ok({
    fills: session.fillsIn(trades.found, (index) => names.get(index) ?? null),
    funding: payments.found
      .flatMap((payment) => paymentOf(listing(), payment) ?? [])
      .toSorted((a, b) => a.timestamp - b.timestamp),
    nextCursor: written(next),
    toldAgainFrom: settled + 1,
    more: false,
  });
}

/** 0: not readable. */
function idOfUnread(entry: unknown): bigint {
  const told = check(wire.barestEntry, entry);
  return BigInt((told.ok ? (told.value.trade_id ?? told.value.funding_id) : null) ?? 0);
}

/** Starts another reading of the history. @return true: it has waited long enough and goes on without them */
function isWaitOver({ clock, note }: HistoryDeps, session: Session, count: number): boolean {
  if (count === 0) {
    session.heldSince = null;
    return false;
  }
  session.heldSince ??= clock.uptime();
  const isOver = clock.uptime() - session.heldSince > HELD_MS;
  note('history', isOver ? 'entries are left out' : 'entries cannot be booked yet', count);
  if (isOver) session.heldSince = null;
  else session.missed();
  return isOver;
}

function lower(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function highest(ids: readonly bigint[], least: bigint): bigint {
  return ids.reduce((most, id) => (id > most ? id : most), least);
}

/** The highest id below which all are old enough to be in the list for certain. */
function upTo(items: readonly Item[], settled: number, from: bigint): bigint {
  const young = items.filter(({ timestamp }) => timestamp > settled).map(({ id }) => id);
  const bound = young.length === 0 ? null : young.reduce((least, id) => (id < least ? id : least));
  return highest(
    items.map(({ id }) => id).filter((id) => bound === null || id < bound),
    from,
  );
}
