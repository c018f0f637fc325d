/**
 * Looks up orders: one request for all of them, and one for their trades if the stream has not reported them. After a
 * start many baskets ask at the same time, and a standard account has sixty requests a minute for everything. Callers
 * share the request that waits for its turn.
 */
import type { z } from 'zod';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { SharedReading } from '../../../domain/shared-reading.ts';
import type { OrderLookup, OrderRef, VenueError } from '../../../engine/ports/venue.ts';
import { outcomeOf } from './answers.ts';
import type { Listing } from './listing.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

/** Largest number of orders in one request. */
const MOST_ORDERS = 20;
const TRADES_IN_ANSWER = 100;

type Trades = z.output<typeof wire.trades>;
interface FoundOrders {
  /** By our number. */
  readonly byIndex: ReadonlyMap<number, wire.WireOrder>;
  /** Some are not as described, so a missing one may be among them. */
  readonly isPartly: boolean;
}
type Found = Result<FoundOrders, VenueError>;

/** The questions about the orders of one account. */
export class OrderQuestions {
  readonly session: Session;
  readonly #trades: SharedReading<Result<Trades, VenueError>>;
  /** Our numbers of the orders that the next request is about. */
  #wanted = new Set<number>();
  /** The request that waits for its turn within the rate limit; whoever asks until then joins it. */
  #waiting: Promise<Found> | null = null;

  constructor(session: Session) {
    this.session = session;
    this.#trades = new SharedReading(() => lastTrades(session));
  }

  orders(indexes: Iterable<number>): Promise<Found> {
    for (const index of indexes) this.#wanted.add(index);
    this.#waiting ??= this.#ask();
    return this.#waiting;
  }

  async #ask(): Promise<Found> {
    let taken: readonly number[] | null = null;
    const take = (): readonly number[] => {
      if (taken !== null) return taken;
      taken = [...this.#wanted];
      this.#wanted = new Set();
      this.#waiting = null;
      return taken;
    };
    const found = await askFor(this.session, take);
    // It had no turn: those who wait learn it, and the next one to ask begins again.
    take();
    return found;
  }

  /** The newest ones. */
  trades(): Promise<Result<Trades, VenueError>> {
    return this.#trades.ask();
  }
}

export async function lookUpOrders(
  { listing }: { readonly listing: () => Listing },
  questions: OrderQuestions,
  refs: readonly OrderRef[],
): Promise<Result<readonly OrderLookup[], VenueError>> {
  const { session } = questions;
  const indexes = new Map<string, number>();
  for (const { clientOrderId } of refs) {
    const index = await session.ids.indexOf(clientOrderId);
    if (index !== null) indexes.set(clientOrderId, index);
  }
  const found: Found =
    indexes.size === 0
      ? ok({ byIndex: new Map(), isPartly: false })
      : await questions.orders(indexes.values());
  if (!found.ok) return found;
  const states = refs.map(({ clientOrderId }): OrderLookup => {
    const index = indexes.get(clientOrderId);
    // Numbers are stored before orders leave: an order without one never left.
    if (index === undefined) return { kind: 'not_found', clientOrderId };
    const order = found.value.byIndex.get(index);
    if (order !== undefined) {
      const outcome = outcomeOf(listing(), order, clientOrderId);
      session.learn(outcome);
      return outcome;
    }
    // An order that the sequencer refuses is in no list; the stream has reported it.
    const known = session.stateOf(clientOrderId);
    if (known?.kind === 'refused') return known.outcome;
    if (!found.value.isPartly) return { kind: 'not_found', clientOrderId };
    return { kind: 'unknown', clientOrderId, message: 'its answer about orders is not as described' };
  });
  return ok(await withFills(questions, states));
}

/** @param take our numbers of the orders, called in the turn of the first request */
async function askFor(session: Session, take: () => readonly number[]): Promise<Found> {
  const found = new Map<number, wire.WireOrder>();
  let isPartly = false;
  let at = 0;
  do {
    const from = at;
    const query = () => ({
      account_index: session.accountIndex,
      client_order_indexes: take()
        .slice(from, from + MOST_ORDERS)
        .join(','),
    });
    const told = await session.signer.get(
      { lane: 'lookup', path: '/api/v1/accountOrders', query },
      wire.foundOrders,
    );
    if (!told.ok) return fail(told.error);
    const { items, unread } = told.value.orders;
    isPartly ||= unread.length > 0;
    for (const order of items) {
      const known = found.get(order.client_order_index);
      const isNewer = known === undefined || (order.updated_at ?? 0) >= (known.updated_at ?? 0);
      if (isNewer) found.set(order.client_order_index, order);
    }
    at += MOST_ORDERS;
  } while (at < take().length);
  return ok({ byIndex: found, isPartly });
}

function lastTrades(session: Session): Promise<Result<Trades, VenueError>> {
  const query = {
    ...{ account_index: session.accountIndex, market_type: 'perp' },
    ...{ sort_by: 'trade_id', sort_dir: 'desc', limit: TRADES_IN_ANSWER },
  };
  return session.signer.get({ lane: 'lookup', path: '/api/v1/trades', query }, wire.trades);
}

async function withFills(
  questions: OrderQuestions,
  states: readonly OrderLookup[],
): Promise<readonly OrderLookup[]> {
  const { session } = questions;
  const lacks = (one: OrderLookup) =>
    isFilled(one) && session.completeFills(one.clientOrderId, one.filledQuantity) === null;
  if (states.some(lacks)) {
    const told = await questions.trades();
    if (told.ok) session.fillsIn(told.value.trades.items, (index) => session.ids.known(index) ?? null);
  }
  return states.map((one) => (isFilled(one) ? { ...one, fills: session.fillsOf(one.clientOrderId) } : one));
}

function isFilled(one: OrderLookup): one is Extract<OrderLookup, { kind: 'done' | 'resting' }> {
  return (one.kind === 'done' || one.kind === 'resting') && one.filledQuantity !== '0';
}
