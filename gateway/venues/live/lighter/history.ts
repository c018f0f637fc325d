/**
 * Trades and payments of an account since a cursor. The venue lists them from the newest one on, so they are read back to
 * the cursor and told oldest first.
 */
import type { z } from 'zod';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { VenueError, VenueHistory } from '../../../engine/ports/venue.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import { paymentOf, sidesOf, toMs } from './answers.ts';
import type { Listing } from './listing.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

const IN_ANSWER = 100;
/** A history that is longer is not read in one go: it would take the requests of minutes. */
const MOST_PAGES = 200;
/** What happened so long ago is in the lists for certain; it is read again until then. */
const LAG_MS = 2 * 60_000;

export interface HistoryDeps {
  readonly venueClock: VenueClock;
  readonly listing: () => Listing;
}

/** Ids, which rise: everything up to them was told. */
interface Cursor {
  readonly trade: bigint;
  readonly payment: bigint;
}

/** null: a cursor that nobody here made. */
function readCursor(cursor: string): Cursor | null {
  const parts = /^v1:(\d{1,20}):(\d{1,20})$/.exec(cursor);
  return parts === null ? null : { trade: BigInt(parts[1] ?? 0), payment: BigInt(parts[2] ?? 0) };
}

const written = ({ trade, payment }: Cursor) => `v1:${trade}:${payment}`;

interface Item {
  readonly id: bigint;
  readonly timestamp: number;
}

type Page<T> = Promise<Result<{ readonly items: readonly T[]; readonly next: string | null }, VenueError>>;

/** All after `from`, in any order. */
async function readBack<T>(
  page: (cursor: string | null) => Page<T>,
  idOf: (item: T) => bigint,
  from: bigint,
): Promise<Result<readonly T[], VenueError>> {
  const found: T[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const told: Awaited<Page<T>> = await page(cursor);
    if (!told.ok) return told;
    const { items, next } = told.value;
    found.push(...items.filter((item) => idOf(item) > from));
    const isThere = items.some((item) => idOf(item) <= from) || items.length < IN_ANSWER;
    // A page that leads to itself would be read for ever.
    if (isThere || next === null || next === cursor) return ok(found);
    cursor = next;
  }
  return fail({ kind: 'unknown', message: 'the history is longer than can be read at once' });
}

function tradesPage(session: Session, limit = IN_ANSWER) {
  return async (cursor: string | null): Page<wire.WireTrade> => {
    const query = {
      ...{ account_index: session.accountIndex, market_type: 'perp' },
      ...{ sort_by: 'trade_id', sort_dir: 'desc', limit },
      ...(cursor === null ? {} : { cursor }),
    };
    const told = await session.signer.get({ lane: 'recovery', path: '/api/v1/trades', query }, wire.trades);
    return told.ok ? ok({ items: told.value.trades, next: nextOf(told.value) }) : told;
  };
}

function paymentsPage(session: Session, limit = IN_ANSWER) {
  return async (cursor: string | null): Page<wire.WirePayment> => {
    const query = { account_index: session.accountIndex, limit, ...(cursor === null ? {} : { cursor }) };
    const told = await session.signer.get(
      { lane: 'recovery', path: '/api/v1/positionFunding', query },
      wire.payments,
    );
    return told.ok ? ok({ items: told.value.position_fundings, next: nextOf(told.value) }) : told;
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
  { venueClock, listing }: HistoryDeps,
  session: Session,
  cursor: string | null,
): Promise<Result<VenueHistory, VenueError>> {
  if (cursor === null) return beginning(session);
  const from = readCursor(cursor);
  if (from === null) return fail({ kind: 'rejected', message: 'The history does not know this cursor' });
  const settled = Math.floor(venueClock.now()) - LAG_MS;
  const [trades, payments] = await Promise.all([
    readBack(tradesPage(session), tradeId, from.trade),
    readBack(paymentsPage(session), paymentId, from.payment),
  ]);
  if (!trades.ok) return trades;
  if (!payments.ok) return payments;
  const names = new Map<number, string | null>();
  for (const { clientIndex } of trades.value.flatMap((trade) => sidesOf(trade, session.accountIndex)))
    names.set(clientIndex, await session.ids.nameOf(clientIndex));
  const next: Cursor = {
    trade: upTo(
      trades.value.map((one) => ({ id: tradeId(one), timestamp: one.timestamp })),
      settled,
      from.trade,
    ),
    payment: upTo(
      payments.value.map((one) => ({ id: paymentId(one), timestamp: toMs(one.timestamp) })),
      settled,
      from.payment,
    ),
  };
  return ok({
    fills: session.fillsIn(trades.value, (index) => names.get(index) ?? null),
    funding: payments.value
      .flatMap((payment) => paymentOf(listing(), payment) ?? [])
      .toSorted((a, b) => a.timestamp - b.timestamp),
    nextCursor: written(next),
    more: false,
  });
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
