/**
 * A venue that does to each order what the test says, behind the `Venue` port: it executes, answers, stays silent, lags.
 * It keeps the truth (what arrived, what filled, what the account holds), so that a test can compare the gateway with it.
 */
import { type Decimal, dec, floorTo, text, ZERO } from '../../gateway/domain/decimal.ts';
import type { FeedReading } from '../../gateway/domain/feed.ts';
import type { Instrument, Quote } from '../../gateway/domain/model.ts';
import { fail, ok, type Result } from '../../gateway/domain/result.ts';
import type { MarketData, MarketTick } from '../../gateway/engine/ports/market.ts';
import type { Clock } from '../../gateway/engine/ports/system.ts';
import type {
  AccountEvent,
  ConnectorInfo,
  OrderLookup,
  OrderOutcome,
  PlaceOrder,
  RejectionReason,
  Venue,
  VenueError,
  VenueFill,
  VenueFunding,
  VenuePosition,
} from '../../gateway/engine/ports/venue.ts';
import { type EarlyLookup, earlyAnswer } from './early-lookup.ts';
import { perp, quoteAt } from './market-venue.ts';
import { ScriptedHistory } from './scripted-history.ts';

/** Fate of one order. The default: it fills at the mark, is answered at once and told over the stream. */
export interface Behaviour {
  /** Share of the quantity that executes. Default '1'. */
  readonly fraction?: string;
  /** Number of fills that it is cut into. Default 1. */
  readonly parts?: number;
  readonly rejects?: { readonly reason: RejectionReason; readonly message: string };
  /** The request never arrives. */
  readonly lost?: boolean;
  /** The answer to sending. Default `told`. `without_fills`: the total is told, the details are not yet. */
  /** `accepted`: the request is taken in, and nothing more is said. `not_sent`: nothing executes, and it may be sent again. */
  readonly answer?: 'told' | 'silent' | 'resting' | 'without_fills' | 'accepted' | 'not_sent';
  /** With `not_sent`: how long the venue takes no requests, ms. Default 0. */
  readonly againInMs?: number;
  /** Answers of the first lookups, in order; then the truth. */
  readonly lookups?: readonly EarlyLookup[];
  /** Number of times that the stream tells each fill. Default 1. */
  readonly streamed?: 0 | 1 | 2;
  /** The stream tells the order's end this long after its arrival, ms, behind its fills. Default: never. */
  readonly endToldAfterMs?: number;
  /** The order executes only this long after its arrival, ms, although the answer is silence. Default 0. */
  readonly executesAfterMs?: number;
}

interface Known {
  readonly order: PlaceOrder;
  readonly venueOrderId: string;
  readonly filled: Decimal;
  readonly fills: readonly VenueFill[];
  readonly rejected: Behaviour['rejects'];
}

export interface ScriptedVenue extends Venue {
  readonly market: MarketData;
  /**
   * From now on it keeps a venue's rules: a reduce-only order never enlarges what is held nor turns it over, any other is at
   * least the minimum notional. Without, it executes whatever it is sent.
   */
  keepRules(): void;
  /** From now on the venue is one whose `not_found` proves nothing by itself. */
  deniesFalsely(): void;
  /** From now on it states a position that is off by this many base units, signed. */
  shiftPosition(symbol: string, quantity: string): void;
  /** From now on it keeps this leverage for what it holds. Default 5. */
  keepLeverage(leverage: number): void;
  /** Decides for each order that is sent; the last one set holds. */
  behave(decide: (order: PlaceOrder) => Behaviour): void;
  /** Everything that was ever sent, batch by batch. */
  readonly batches: readonly (readonly PlaceOrder[])[];
  readonly sent: readonly PlaceOrder[];
  /** Number of requests for orders, each for any number of them. */
  readonly questions: number;
  /** Number of requests for the open orders. */
  readonly bookReadings: number;
  /** Delays the answer with the open orders, ms. */
  slowBooks(ms: number): void;
  /** Every order that it was asked for, with the time. */
  readonly asked: readonly { readonly clientOrderId: string; readonly at: number }[];
  readonly fills: readonly VenueFill[];
  readonly funding: readonly VenueFunding[];
  /** Signed base units. */
  held(symbol: string): string;
  setMark(symbol: string, mark: string): void;
  /** Several in one update. */
  setMarks(marks: Readonly<Record<string, string>>): void;
  /** Tells a figure beside the instruments. */
  setFeed(reading: Omit<FeedReading, 'updatedAt'>): void;
  /** From now on it has neither dominance nor prediction markets. */
  dropFeeds(): void;
  /** Sets if the prices of an instrument, or the readings of a feed, count as too old. */
  setStale(symbol: string, isStale: boolean): void;
  /** From now on the instrument is not listed, has no price and takes no orders. */
  delist(symbol: string): void;
  /** Bid and ask of an instrument whose mark stays. */
  setSpread(symbol: string, bid: string, ask: string): void;
  /** A funding boundary on what the account holds now, paid to the sixth decimal. */
  settleFunding(symbol: string, rate: string, told?: 'streamed' | 'history'): VenueFunding;
  /** A fill that no order of ours caused. */
  trade(fill: {
    readonly symbol: string;
    readonly side: 'BUY' | 'SELL';
    readonly quantity: string;
    readonly venueOrderId?: string;
    readonly fee?: string;
    readonly isLiquidation?: boolean;
    readonly forced?: 'ADL' | 'SETTLEMENT' | 'DELISTING';
    readonly told?: 'streamed' | 'history';
  }): VenueFill;
  tell(event: AccountEvent): void;
  /** From now on it gives no answer to a question for its history, or gives one again. */
  answerHistory(answers: boolean): void;
  readonly past: ScriptedHistory;
  /** It has lost its history and numbers trades and orders from the first one on again. */
  countAnew(): void;
  /** Every cancel that arrived, by client order id. */
  readonly cancels: readonly string[];
  /** Sets the error of the next cancels; null: they cancel again. */
  refuseCancels(error: VenueError | null): void;
  /** Holds every lookup back until the returned function is called; the answers are those of the time of asking. */
  holdLookups(): () => void;
  /** Called with each batch as it arrives, before it executes; what it returns is waited for. */
  onArrival(run: (orders: readonly PlaceOrder[]) => Promise<void> | void): void;
}

export const SCRIPTED_SETTLE_MS = 500;
const TAKER_RATE = '0.0005';

export function createScriptedVenue(clock: Clock, connector = 'scripted'): ScriptedVenue {
  let instruments: readonly Instrument[] = ['AAA', 'BBB', 'CCC', 'DDD'].map((symbol) =>
    perp(connector, symbol),
  );
  const quotes = new Map<string, Quote>(
    instruments.map((instrument) => [instrument.id, quoteAt(instrument, '100', clock.now())]),
  );
  const stale = new Set<string>();
  const known = new Map<string, Known>();
  const early = new Map<string, EarlyLookup[]>();
  const batches: PlaceOrder[][] = [];
  const asked: { clientOrderId: string; at: number }[] = [];
  const cancels: string[] = [];
  let cancelRefusal: VenueError | null = null;
  const past = new ScriptedHistory();
  const history = past.items;
  let answersHistory = true;
  const listeners = new Set<(event: AccountEvent) => void>();
  const feeds = new Map<string, FeedReading>();
  const tickListeners = new Set<(tick: MarketTick) => void>();
  let decide: (order: PlaceOrder) => Behaviour = () => ({});
  let arrival: (orders: readonly PlaceOrder[]) => Promise<void> | void = () => undefined;
  let lookupGate: Promise<void> = Promise.resolve();
  const shifts = new Map<string, string>();
  let ids = 0;
  let questions = 0;
  let bookReadings = 0;
  let booksTakeMs = 0;
  let rules = false;
  let keptLeverage = 5;
  let notFound: ConnectorInfo['notFound'] = 'final';

  const fills = () => history.flatMap((item) => ('fill' in item ? [item.fill] : []));
  const tell = (event: AccountEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const quote = (symbol: string): Quote => {
    const found = quotes.get(symbol);
    if (found === undefined) throw new Error(`no instrument ${symbol}`);
    return found;
  };

  function held(symbol: string): Decimal {
    return fills()
      .filter((fill) => fill.symbol === symbol)
      .reduce(
        (net, fill) => (fill.side === 'BUY' ? net.plus(fill.quantity) : net.minus(fill.quantity)),
        ZERO,
      );
  }

  function makeFill(
    of: Pick<VenueFill, 'symbol' | 'side' | 'quantity'> &
      Partial<Pick<VenueFill, 'clientOrderId' | 'venueOrderId' | 'isLiquidation' | 'forced' | 'fee'>>,
  ): VenueFill {
    ids += 1;
    const price = quote(of.symbol).mark;
    const fill: VenueFill = {
      tradeId: `trade-${ids}`,
      clientOrderId: null,
      venueOrderId: null,
      price,
      fee: text(dec(of.quantity).mul(price).mul(TAKER_RATE)),
      feeAsset: 'USDC',
      liquidity: 'TAKER',
      isLiquidation: false,
      timestamp: clock.now(),
      ...of,
    };
    history.push({ fill });
    return fill;
  }

  /** The order's fills, in `parts` pieces of whole steps. */
  function cut(quantity: Decimal, parts: number, step: Decimal): Decimal[] {
    const piece = floorTo(quantity.div(parts), step);
    const pieces = Array.from({ length: parts }, (_, index) =>
      index < parts - 1 ? piece : quantity.minus(piece.mul(parts - 1)),
    );
    return pieces.filter((one) => one.gt(0));
  }

  function refusal(order: PlaceOrder): Behaviour['rejects'] {
    if (!rules) return undefined;
    const net = held(order.symbol);
    const opposes = !net.isZero() && net.isPositive() === (order.side === 'SELL');
    if (order.reduceOnly && !opposes)
      return { reason: 'reduce_only', message: 'It would increase the position' };
    const least = instruments.find(({ id }) => id === order.symbol)?.minNotional ?? '0';
    if (!order.reduceOnly && dec(order.quantity).mul(quote(order.symbol).mark).lt(least))
      return { reason: 'minimum', message: `It must be worth at least ${least}` };
    return undefined;
  }

  function execute(order: PlaceOrder, behaviour: Behaviour & { readonly isLate?: boolean }): Known {
    ids += 1;
    const venueOrderId = `order-${ids}`;
    const step = dec(instruments.find(({ id }) => id === order.symbol)?.stepSize ?? '1');
    // A venue that executes after the expiry breaks its word; some have.
    const late = clock.now() > order.expiresAt && behaviour.isLate !== true;
    const rejects = late
      ? ({ reason: 'expired', message: 'too late' } as const)
      : (behaviour.rejects ?? refusal(order));
    const room = rules && order.reduceOnly ? held(order.symbol).abs() : dec(order.quantity);
    const wanted = room.lt(order.quantity) ? room : dec(order.quantity);
    const filled = rejects === undefined ? floorTo(wanted.mul(behaviour.fraction ?? '1'), step) : ZERO;
    const pieces = cut(filled, behaviour.parts ?? 1, step);
    const made: Known = {
      order,
      venueOrderId,
      filled,
      rejected: rejects,
      fills: pieces.map((piece) =>
        makeFill({
          symbol: order.symbol,
          side: order.side,
          quantity: text(piece),
          clientOrderId: order.clientOrderId,
          venueOrderId,
        }),
      ),
    };
    known.set(order.clientOrderId, made);
    early.set(order.clientOrderId, [...(behaviour.lookups ?? [])]);
    for (let times = 0; times < (behaviour.streamed ?? 1); times += 1) {
      for (const fill of made.fills) tell({ kind: 'fill', fill });
    }
    return made;
  }

  function outcomeOf(one: Known, withFills = true): OrderOutcome {
    const { clientOrderId } = one.order;
    if (one.rejected !== undefined) return { kind: 'rejected', clientOrderId, ...one.rejected };
    return {
      kind: 'done',
      state: one.filled.eq(one.order.quantity) ? 'filled' : 'cancelled',
      clientOrderId,
      venueOrderId: one.venueOrderId,
      filledQuantity: text(one.filled),
      fills: withFills ? one.fills : [],
    };
  }

  function place(order: PlaceOrder): OrderOutcome {
    const { clientOrderId } = order;
    const before = known.get(clientOrderId);
    if (before !== undefined) return outcomeOf(before);
    const behaviour = decide(order);
    const silent: OrderOutcome = { kind: 'unknown', clientOrderId, message: 'no answer' };
    if (behaviour.lost === true) {
      early.set(clientOrderId, [...(behaviour.lookups ?? [])]);
      return silent;
    }
    if (behaviour.answer === 'not_sent') {
      const retryAt = clock.now() + (behaviour.againInMs ?? 0);
      return { kind: 'not_sent', clientOrderId, retryAt, message: 'too many requests' };
    }
    if (behaviour.executesAfterMs !== undefined) {
      early.set(clientOrderId, [...(behaviour.lookups ?? [])]);
      clock.after(behaviour.executesAfterMs, () => execute(order, { ...behaviour, isLate: true }));
      return silent;
    }
    const made = execute(order, behaviour);
    if (behaviour.endToldAfterMs !== undefined)
      clock.after(behaviour.endToldAfterMs, () => tell({ kind: 'order', outcome: outcomeOf(made, false) }));
    switch (behaviour.answer ?? 'told') {
      case 'accepted':
        return { kind: 'accepted', clientOrderId, venueOrderId: made.venueOrderId };
      case 'told':
        return outcomeOf(made);
      case 'without_fills':
        return outcomeOf(made, false);
      case 'resting':
        return earlyAnswer('resting', made) ?? silent;
      case 'silent':
        return silent;
    }
  }

  function lookup(clientOrderId: string): Result<OrderLookup, VenueError> {
    const next = early.get(clientOrderId)?.shift();
    const one = known.get(clientOrderId);
    if (next === 'no_answer') return fail({ kind: 'unknown', message: 'no answer' });
    // A venue whose denials are final does not deny an order that it has executed once they count as that.
    const isFinal = notFound === 'final' && clock.now() >= (one?.order.expiresAt ?? 0) + SCRIPTED_SETTLE_MS;
    if (one === undefined || (next === 'not_found' && !isFinal))
      return ok({ kind: 'not_found', clientOrderId });
    const instead = next === undefined ? null : earlyAnswer(next, one);
    if (instead !== null) return ok(instead);
    return ok(outcomeOf(one, next !== 'done_without_fills'));
  }

  function position(symbol: string): VenuePosition[] {
    const quantity = held(symbol).plus(shifts.get(symbol) ?? 0);
    if (quantity.isZero()) return [];
    return [
      {
        symbol,
        quantity: text(quantity),
        entryPrice: '100',
        leverage: keptLeverage,
        marginMode: 'cross',
        marginUsed: '0',
        unrealizedPnl: '0',
        liquidationPrice: null,
      },
    ];
  }

  function tick(...next: readonly Quote[]): void {
    for (const one of next) quotes.set(one.id, one);
    const update = { connector, at: clock.now(), quotes: next, funding: [], stats: [], feeds: [] };
    for (const listener of tickListeners) listener(update);
  }

  function marked(symbol: string, mark: string): Quote {
    return { ...quote(symbol), mark, index: mark, mid: mark, bid: mark, ask: mark, last: mark };
  }

  let capabilities: ConnectorInfo['capabilities'] = [
    'market_orders',
    'fills_history',
    'order_lookup',
    'account_stream',
    'btc_dominance',
    'prediction_markets',
  ];

  return {
    info: {
      id: connector,
      displayName: 'Scripted',
      mode: 'PAPER',
      marginMode: 'required',
      fundingIntervalHours: 1,
      get capabilities() {
        return capabilities;
      },
      takerRate: TAKER_RATE,
      makerRate: '0.0002',
      minimumWaiver: 'reduce_only',
      settleMs: SCRIPTED_SETTLE_MS,
      get notFound() {
        return notFound;
      },
    },
    market: {
      instrument: (_, id) => instruments.find((instrument) => instrument.id === id),
      instruments: () => instruments,
      quote: (_, id) => quotes.get(id),
      funding: () => undefined,
      isStale: (_, id) => stale.has(id) || !quotes.has(id),
      feed: (_, name) => feeds.get(name),
      feeds: () => [...feeds.values()],
      isFeedStale: (_, name) => stale.has(name) || !feeds.has(name),
      onInstruments: () => () => {},
      onTick(listener) {
        tickListeners.add(listener);
        return () => tickListeners.delete(listener);
      },
    },
    keepRules() {
      rules = true;
    },
    shiftPosition(symbol, quantity) {
      shifts.set(symbol, quantity);
    },
    keepLeverage(leverage) {
      keptLeverage = leverage;
    },
    deniesFalsely() {
      notFound = 'needs_evidence';
    },
    answerHistory(answers) {
      answersHistory = answers;
    },
    past,
    behave(next) {
      decide = next;
    },
    countAnew() {
      ids = 0;
    },
    batches,
    get sent() {
      return batches.flat();
    },
    asked,
    get questions() {
      return questions;
    },
    slowBooks(ms) {
      booksTakeMs = ms;
    },
    get bookReadings() {
      return bookReadings;
    },
    cancels,
    refuseCancels(error) {
      cancelRefusal = error;
    },
    get fills() {
      return fills();
    },
    get funding() {
      return history.flatMap((item) => ('funding' in item ? [item.funding] : []));
    },
    held: (symbol) => text(held(symbol)),
    setMark(symbol, mark) {
      tick(marked(symbol, mark));
    },
    setMarks(marks) {
      tick(...Object.entries(marks).map(([symbol, mark]) => marked(symbol, mark)));
    },
    dropFeeds() {
      capabilities = capabilities.filter((one) => one !== 'btc_dominance' && one !== 'prediction_markets');
    },
    setFeed(told) {
      const reading = { ...told, updatedAt: clock.now() };
      feeds.set(reading.name, reading);
      const update = {
        connector,
        at: clock.now(),
        quotes: [],
        funding: [],
        stats: [],
        feeds: [reading],
      };
      for (const listener of tickListeners) listener(update);
    },
    setStale(symbol, isStale) {
      if (isStale) stale.add(symbol);
      else stale.delete(symbol);
    },
    delist(symbol) {
      instruments = instruments.filter(({ id }) => id !== symbol);
      quotes.delete(symbol);
    },
    setSpread(symbol, bid, ask) {
      tick({ ...quote(symbol), bid, ask });
    },
    settleFunding(symbol, rate, told = 'streamed') {
      ids += 1;
      const { mark } = quote(symbol);
      const quantity = held(symbol);
      const payment: VenueFunding = {
        venueId: `funding-${ids}`,
        symbol,
        rate,
        markPrice: mark,
        quantity: text(quantity),
        amount: text(quantity.neg().mul(mark).mul(rate).toDecimalPlaces(6)),
        timestamp: clock.now(),
      };
      history.push({ funding: payment });
      if (told === 'streamed') tell({ kind: 'funding', funding: payment });
      return payment;
    },
    trade({ told = 'streamed', ...of }) {
      const fill = makeFill(of);
      if (told === 'streamed') tell({ kind: 'fill', fill });
      return fill;
    },
    tell,
    holdLookups() {
      let release = () => {};
      lookupGate = new Promise((resolve) => {
        release = () => resolve();
      });
      return release;
    },
    onArrival(run) {
      arrival = run;
    },

    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    status: () => ({ status: 'UP', since: clock.now(), reason: null }),
    onStatus: () => () => {},
    instruments: () => instruments,
    marketStream: () => () => {},
    accountStream(_account, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    openAccount: async () => ok(undefined),
    setLeverage: async () => ok(undefined),
    async placeBatch(_account, orders) {
      batches.push([...orders]);
      await arrival(orders);
      return orders.map(place);
    },
    async cancel(_account, { clientOrderId }) {
      cancels.push(clientOrderId);
      if (cancelRefusal !== null) return fail(cancelRefusal);
      const waiting = early.get(clientOrderId) ?? [];
      if (!known.has(clientOrderId) || waiting.length === 0)
        return fail({ kind: 'rejected', message: 'there is no such order' });
      // From here on every lookup tells the truth: what filled before stays, the rest is over.
      early.set(clientOrderId, []);
      return ok(undefined);
    },
    async ordersByClientIds(_account, orders) {
      questions += 1;
      const answers = orders.map(({ clientOrderId }): OrderLookup => {
        asked.push({ clientOrderId, at: clock.now() });
        const answer = lookup(clientOrderId);
        return answer.ok ? answer.value : { kind: 'unknown', clientOrderId, message: answer.error.message };
      });
      await lookupGate;
      return ok(answers);
    },
    async openOrders() {
      bookReadings += 1;
      if (booksTakeMs > 0) await clock.sleep(booksTakeMs);
      return ok([]);
    },
    positions: async () => ok(instruments.flatMap(({ id }) => position(id))),
    async history(_account, cursor) {
      if (!answersHistory) return fail({ kind: 'unknown', message: 'the history did not come' });
      return ok(past.after(cursor, clock.now()));
    },
    balances: async () =>
      ok({
        asset: 'USDC',
        balance: '1000000',
        equity: '1000000',
        marginUsed: '0',
        freeMargin: '1000000',
      }),
  };
}
