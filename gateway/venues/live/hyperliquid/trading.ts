/**
 * Orders, cancels and settings at Hyperliquid. One basket is one signed action, which the venue refuses once it has
 * expired, and which answers for each order by itself. No builder, referrer or third party's fee is ever part of it.
 */
import { dec } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type {
  OrderLookup,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  VenueError,
} from '../../../engine/ports/venue.ts';
import type { Lane } from '../kit/budget.ts';
import {
  byExpiry,
  firstOutcome,
  NO_SUCH_ORDER,
  nonceWaitMs,
  outcomesOf,
  unfit,
  wasTooEarly,
} from '../kit/orders.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import { check, read } from '../kit/wire.ts';
import { wordsOf } from '../kit/words.ts';
import { fillOf, provenOutcome } from './answers.ts';
import type { ActionAnswer, Client } from './client.ts';
import type { Asset, Listing } from './listing.ts';
import type { Session } from './session.ts';
import { type Action, exchangeBody, type Network, signL1Action } from './signing/l1-action.ts';
import { priceText, sizeText } from './signing/numbers.ts';
import { isDuplicate, meaningOfRefusal, meaningOfRequestError, reasonOfRefusal } from './statuses.ts';
import { exchangeAnswer, legStatus, type OrderWithStatus, orderStatus, type WireFill } from './wire.ts';

/** Largest time by which a fill may be stamped before its order, because the clocks differ. */
const SKEW_MS = 5_000;
/** Form of the venue's client order ids. */
const CLIENT_ID = /^0x[0-9a-fA-F]{32}$/;
const ACTION_PATIENCE_MS = 5_000;
/** Interval in which an account beyond its limit may send one request. */
const LIMITED_MS = 10_000;

/** One order in the venue's form. The order of the fields is part of the signed data. */
interface WireOrder {
  readonly a: number;
  readonly b: boolean;
  readonly p: string;
  readonly s: string;
  readonly r: boolean;
  readonly t: { readonly limit: { readonly tif: 'Ioc' | 'Gtc' } };
  readonly c: string;
}

interface Leg {
  readonly order: PlaceOrder;
  readonly asset: Asset;
  readonly wire: WireOrder;
}

export interface TradingDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly network: Network;
  readonly listing: () => Listing;
  /** The venue refuses the account's key. */
  readonly onAuth: (session: Session, message: string) => void;
  /** The venue takes only orders that rest for the moment, with its words. */
  readonly onPostOnly: (message: string) => void;
}

export class Trading {
  readonly #deps: TradingDeps;

  constructor(deps: TradingDeps) {
    this.#deps = deps;
  }

  async place(session: Session, orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]> {
    const outcomes = new Map<string, OrderOutcome>();
    const legs: Leg[] = [];
    for (const order of orders) {
      const leg = this.#legOf(order);
      // An id that was sent before has its outcome already, even if the order differs now.
      if ('kind' in leg && session.expects(order.clientOrderId))
        outcomes.set(order.clientOrderId, await this.#firstOutcome(session, order));
      else if ('kind' in leg) outcomes.set(order.clientOrderId, leg);
      else legs.push(leg);
    }
    session.expect(orders.map(({ clientOrderId }) => clientOrderId));
    await session.whileSending(() =>
      Promise.all(
        [...byExpiry(legs)].map(async ([expiresAt, group]) => {
          for (const outcome of await this.#send(session, group, expiresAt))
            outcomes.set(outcome.clientOrderId, outcome);
        }),
      ),
    );
    return outcomesOf(orders, outcomes);
  }

  /** The order as the venue takes it, or why it cannot take it. */
  #legOf(order: PlaceOrder): Leg | OrderOutcome {
    const asset = this.#deps.listing().bySymbol(order.symbol);
    if (asset === undefined) return unfit(order, 'symbol');
    const { units } = asset.listed;
    const p = priceText(units.priceToVenue(order.limitPrice), asset.szDecimals);
    const quantity = units.quantityToVenue(order.quantity);
    const s = quantity === null ? null : sizeText(quantity, asset.szDecimals);
    if (p === null) return unfit(order, 'price');
    if (s === null) return unfit(order, 'quantity');
    const wire: WireOrder = {
      a: asset.index,
      b: order.side === 'BUY',
      p,
      s,
      r: order.reduceOnly,
      t: { limit: { tif: order.timeInForce === 'IOC' ? 'Ioc' : 'Gtc' } },
      c: order.clientOrderId,
    };
    return { order, asset, wire };
  }

  async #send(session: Session, legs: readonly Leg[], expiresAt: number): Promise<readonly OrderOutcome[]> {
    const expiresAfter = this.#deps.venueClock.toVenue(expiresAt);
    const isClosing = legs.every(({ order }) => order.reduceOnly);
    const action = { type: 'order', orders: legs.map(({ wire }) => ({ ...wire })), grouping: 'na' };
    const answer = await this.#act(session, {
      lane: isClosing ? 'close' : 'open',
      legs: legs.length,
      action,
      expiresAfter,
      // The last second is for the way and the answer.
      until: expiresAt - 1_000,
    });
    const all = (outcome: (clientOrderId: string) => OrderOutcome) =>
      legs.map(({ order }) => outcome(order.clientOrderId));
    if (answer.kind === 'not_sent') {
      const { retryAt, message } = answer;
      return all((clientOrderId) => ({ kind: 'not_sent', clientOrderId, retryAt, message }));
    }
    if (answer.kind === 'unknown')
      return all((clientOrderId) => ({ kind: 'unknown', clientOrderId, message: answer.message }));
    const told = read(exchangeAnswer, answer.body);
    if (!told.ok)
      return all((clientOrderId) => ({ kind: 'unknown', clientOrderId, message: told.error.message }));
    if (told.value.status === 'err') {
      const message = wordsOf(told.value.response);
      const meaning = meaningOfRequestError(message);
      if (meaning === 'auth') this.#deps.onAuth(session, message);
      const retryAt = await this.#retryAt(session, meaning, { expiresAt, expiresAfter });
      if (retryAt !== null)
        return all((clientOrderId) => ({ kind: 'not_sent', clientOrderId, retryAt, message }));
      if (meaning === 'post_only') this.#deps.onPostOnly(message);
      const reason = meaning === 'expired' || meaning === 'post_only' ? meaning : reasonOfRefusal(message);
      return all((clientOrderId) => ({ kind: 'rejected', clientOrderId, reason, message }));
    }
    session.refusedNonces = 0;
    session.refusal = null;
    const statuses = ofEachLeg(told.value.response.data?.statuses ?? [], legs.length);
    if (statuses.length !== legs.length)
      return all((clientOrderId) => ({
        kind: 'unknown',
        clientOrderId,
        message: 'it did not answer for each order',
      }));
    return Promise.all(legs.map((leg, index) => this.#outcome(session, leg, statuses[index])));
  }

  /**
   * Time to send a request again that the venue did not look at; null: it has decided. A wrong clock makes nonces and
   * expiries wrong, so it is measured first. An expiry that this does not change is refused for good.
   */
  async #retryAt(
    session: Session,
    meaning: ReturnType<typeof meaningOfRequestError>,
    sent: { readonly expiresAt: number; readonly expiresAfter: number },
  ): Promise<number | null> {
    const { clock, venueClock, client } = this.#deps;
    if (meaning === 'limited') {
      client.limits.lacking(session.user);
      return clock.now() + LIMITED_MS;
    }
    if (meaning === 'nonce') {
      await venueClock.refresh();
      return clock.now() + nonceWaitMs(session);
    }
    const { expiresAt, expiresAfter } = sent;
    const isAgain =
      meaning === 'expired' && (await wasTooEarly(this.#deps, { expiresAt, sent: expiresAfter }));
    return isAgain ? clock.now() : null;
  }

  async #outcome(session: Session, { order, asset, wire }: Leg, status: unknown): Promise<OrderOutcome> {
    const { clientOrderId } = order;
    const told = check(legStatus, status);
    if (!told.ok) return { kind: 'unknown', clientOrderId, message: told.error.message };
    const one = told.value;
    if (typeof one === 'string') return { kind: 'accepted', clientOrderId, venueOrderId: null };
    if ('filled' in one) {
      const { totalSz, oid } = one.filled;
      session.learn(oid, clientOrderId);
      return {
        kind: 'done',
        state: dec(totalSz).gte(wire.s) ? 'filled' : 'cancelled',
        clientOrderId,
        venueOrderId: oid,
        filledQuantity: asset.listed.units.quantityToOurs(totalSz),
        fills: [],
      };
    }
    if ('resting' in one) {
      const { oid } = one.resting;
      session.learn(oid, clientOrderId);
      return { kind: 'resting', clientOrderId, venueOrderId: oid, filledQuantity: '0', fills: [] };
    }
    if (isDuplicate(one.error)) return this.#firstOutcome(session, order);
    const meaning = meaningOfRefusal(one.error);
    if (meaning.kind === 'rejected' && meaning.reason === 'post_only')
      this.#deps.onPostOnly(wordsOf(one.error));
    if (meaning.kind === 'rejected')
      return { kind: 'rejected', clientOrderId, reason: meaning.reason, message: wordsOf(one.error) };
    // Nothing inside the limit: the venue names no order.
    return {
      kind: 'done',
      state: 'cancelled',
      clientOrderId,
      venueOrderId: '',
      filledQuantity: '0',
      fills: [],
    };
  }

  #firstOutcome(session: Session, order: PlaceOrder): Promise<OrderOutcome> {
    return firstOutcome(order, async (ref) => (await this.lookUp(session, [ref]))[0]);
  }

  /** One answer per order, with its fills as far as the venue's history has them, for any status. */
  async lookUp(session: Session, refs: readonly OrderRef[]): Promise<readonly OrderLookup[]> {
    session.expect(refs.map(({ clientOrderId }) => clientOrderId));
    const { listing } = this.#deps;
    const found = await Promise.all(refs.map(({ clientOrderId }) => this.#find(session, clientOrderId)));
    const isFound = (one: OrderWithStatus | OrderLookup): one is OrderWithStatus => 'order' in one;
    const sentAt = found.flatMap((one, index) => (isFound(one) ? [refs[index]?.sent?.sentAt ?? 0] : []));
    const fills = sentAt.length === 0 ? [] : await this.#fillsSince(session, Math.min(...sentAt));
    return found.map((one, index) => {
      if (!isFound(one)) return one;
      const clientOrderId = refs[index]?.clientOrderId ?? '';
      const own = fills
        .filter(({ oid }) => oid === one.order.oid)
        .flatMap((fill) => fillOf(listing(), session, fill, clientOrderId) ?? []);
      return provenOutcome(listing(), one, clientOrderId, own);
    });
  }

  async #find(session: Session, clientOrderId: string): Promise<OrderWithStatus | OrderLookup> {
    // The venue cannot read other ids, so it has no order of them.
    if (!CLIENT_ID.test(clientOrderId)) return { kind: 'not_found', clientOrderId };
    const question = { type: 'orderStatus', user: session.user, oid: clientOrderId };
    const told = await this.#deps.client.info('lookup', question, orderStatus);
    if (!told.ok) return { kind: 'unknown', clientOrderId, message: told.error.message };
    if (told.value.status === 'unknownOid') return { kind: 'not_found', clientOrderId };
    session.learn(told.value.order.order.oid, clientOrderId);
    return told.value.order;
  }

  /** @param sentAt epoch ms of this machine. Empty if the venue does not answer: the stream brings the fills. */
  async #fillsSince(session: Session, sentAt: number): Promise<readonly WireFill[]> {
    return (await session.fillsSince(this.#deps.venueClock.toVenue(sentAt) - SKEW_MS)) ?? [];
  }

  async cancel(session: Session, ref: OrderRef): Promise<Result<void, VenueError>> {
    const coin = ref.sent === null ? await this.#coinOf(session, ref) : ok(ref.sent.symbol);
    if (!coin.ok) return coin;
    const asset = this.#deps.listing().bySymbol(coin.value);
    if (asset === undefined) return NO_SUCH_ORDER;
    const cancels = [{ asset: asset.index, cloid: ref.clientOrderId }];
    return this.set(session, { type: 'cancelByCloid', cancels }, 'close');
  }

  async #coinOf(session: Session, { clientOrderId }: OrderRef): Promise<Result<string, VenueError>> {
    if (!CLIENT_ID.test(clientOrderId)) return NO_SUCH_ORDER;
    const question = { type: 'orderStatus', user: session.user, oid: clientOrderId };
    const told = await this.#deps.client.info('close', question, orderStatus);
    if (!told.ok) return told;
    const coin = told.value.status === 'order' ? told.value.order.order.coin : '';
    const asset = this.#deps.listing().byCoin(coin);
    return asset === undefined ? NO_SUCH_ORDER : ok(asset.instrument.id);
  }

  /**
   * Posts an action that is done or refused as a whole. A delayed one expires, or it would undo later settings; a
   * cancel does not, because it has to work with a wrong clock too.
   */
  async set(session: Session, action: Action, lane: Lane = 'open'): Promise<Result<void, VenueError>> {
    const { clock, venueClock } = this.#deps;
    const until = clock.now() + ACTION_PATIENCE_MS;
    const expiresAfter = lane === 'close' ? null : venueClock.toVenue(until);
    const answer = await this.#act(session, { lane, legs: 1, action, expiresAfter, until });
    if (answer.kind === 'not_sent')
      return fail({ kind: 'throttled', message: answer.message, retryAt: answer.retryAt });
    if (answer.kind === 'unknown') return fail({ kind: 'unknown', message: answer.message });
    const told = read(exchangeAnswer, answer.body);
    if (!told.ok) return fail({ kind: 'unknown', message: told.error.message });
    if (told.value.status === 'err') {
      const message = wordsOf(told.value.response);
      const meaning = meaningOfRequestError(message);
      if (meaning === 'expired') {
        await venueClock.refresh();
        return fail({ kind: 'throttled', message, retryAt: clock.now() });
      }
      if (meaning === 'limited' || meaning === 'nonce') {
        const retryAt = clock.now() + (meaning === 'limited' ? LIMITED_MS : nonceWaitMs(session));
        return fail({ kind: 'throttled', message, retryAt });
      }
      if (meaning !== 'auth') return fail({ kind: 'rejected', message });
      this.#deps.onAuth(session, message);
      return fail({ kind: 'auth', message });
    }
    session.refusal = null;
    for (const status of told.value.response.data?.statuses ?? []) {
      const one = check(legStatus, status);
      if (one.ok && typeof one.value === 'object' && 'error' in one.value)
        return fail({ kind: 'rejected', message: wordsOf(one.value.error) });
      if (status !== 'success')
        return fail({ kind: 'unknown', message: `the venue says ${wordsOf(JSON.stringify(status))}` });
    }
    return ok(undefined);
  }

  #act(
    session: Session,
    asked: {
      readonly lane: Lane;
      readonly legs: number;
      readonly action: Action;
      readonly expiresAfter: number | null;
      readonly until: number;
    },
  ): Promise<ActionAnswer> {
    const { client, network } = this.#deps;
    const { action, expiresAfter } = asked;
    const size = { legs: asked.legs, user: session.user };
    return client.exchange(asked.lane, size, asked.until, async () => {
      const nonce = await session.nonces.next();
      if (nonce === null) return null;
      const l1 = { action, nonce, vaultAddress: session.vaultAddress, expiresAfter };
      const signature = signL1Action({ ...l1, privateKey: session.keys.privateKey, network });
      return JSON.stringify(exchangeBody(l1, signature));
    });
  }
}

/** The venue may refuse all orders of a request with one error. */
function ofEachLeg(statuses: readonly unknown[], legs: number): readonly unknown[] {
  const [only] = statuses;
  const told = check(legStatus, only);
  const isRefusal = told.ok && typeof told.value === 'object' && 'error' in told.value;
  return statuses.length === 1 && isRefusal ? Array.from({ length: legs }, () => only) : statuses;
}
