/**
 * Duties of every venue adapter, numbered. A new adapter passes by running this suite against its venue's test network
 * or its simulation. Nothing here knows how a venue works inside.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type Decimal, dec, sum, text, ZERO } from '../../gateway/domain/decimal.ts';
import { BTC_DOMINANCE, type FeedReading, predictionFeed } from '../../gateway/domain/feed.ts';
import type { Instrument, MarginMode, Quote, Side } from '../../gateway/domain/model.ts';
import { isValidPrice, limitPrice } from '../../gateway/domain/price-rules.ts';
import type { Result } from '../../gateway/domain/result.ts';
import type {
  AccountEvent,
  MarketUpdate,
  OrderOutcome,
  PlaceOrder,
  Venue,
  VenueAccess,
  VenueAccount,
  VenueError,
  VenueFill,
  VenueHistory,
} from '../../gateway/engine/ports/venue.ts';
import type { ConnectorStatus } from '../../gateway/engine/ports/venue-status.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { lookUp, refOf } from '../support/order-lookup.ts';
import { until } from '../support/until.ts';

/** Expectations about the accounts and instruments of one venue. */
export interface VenueTerms {
  /** Balance of a fresh account, in the venue's collateral. */
  readonly startingBalance: string;
  /** Decimal fractions of notional. */
  readonly feeRates: { readonly taker: string; readonly maker: string };
  /** Margin modes that the venue offers on at least one instrument. */
  readonly marginModes: readonly MarginMode[];
  readonly fundingIntervalHours: (symbol: string) => number;
  /** The fills of an order are told with its outcome, or a moment later; its `filledQuantity` is right in both cases. */
  readonly fillsAreTold: 'at once' | 'later';
  /** The end of an order is its answer, or comes a moment after the venue has taken it in. */
  readonly endsAreTold: 'at once' | 'later';
  /** Deposits named in the balances; null: the venue does not report them. */
  readonly deposits: string | null;
  /**
   * An order that was refused is found, and told on the stream. False: some refusals leave no trace at the venue, and ends
   * of all orders are told.
   */
  readonly remembersRefusals: boolean;
  /** A later page of the history may hold fills of an earlier one again. */
  readonly historyRepeats: boolean;
  readonly firstLeverage: (instrument: Instrument) => number;
  /** A history without a cursor: all there ever was, or nothing yet, because the account may be older than its connection. */
  readonly historyBegins: 'ever' | 'now';
}

/** The terms as the connector states them: right for venues whose terms are the same for all accounts and instruments. */
export function statedTerms({ info }: Pick<Venue, 'info'>, startingBalance: string): VenueTerms {
  return {
    startingBalance,
    feeRates: { taker: info.takerRate, maker: info.makerRate },
    marginModes: info.capabilities.includes('isolated_margin') ? ['cross', 'isolated'] : ['cross'],
    fundingIntervalHours: () => info.fundingIntervalHours,
    historyBegins: 'ever',
    fillsAreTold: 'at once',
    endsAreTold: 'at once',
    remembersRefusals: true,
    historyRepeats: false,
    firstLeverage: ({ maxLeverage }) => Math.min(5, maxLeverage),
    deposits: startingBalance,
  };
}

export interface VenueUnderTest {
  readonly venue: Venue;
  readonly terms: VenueTerms;
  /** A funded account that nothing else uses. */
  account(): VenueAccount;
  /** Access for opening the account; missing: a paper account, which needs nothing. */
  access?(account: VenueAccount): VenueAccess;
  /** Epoch ms, the venue's idea of it; `advance` lets so many milliseconds pass. */
  readonly clock: Pick<FakeClock, 'now' | 'advance'>;
  /** Multiplies the price level of an instrument, where the venue's market can be moved; null elsewhere. */
  readonly move: ((symbol: string, factor: number) => Promise<void>) | null;
  /** Stops the venue and gives the same one again, started. */
  restart(): Promise<Venue>;
  /** Stops whatever runs and removes its files. */
  end(): Promise<void>;
}

const PATIENCE_MS = 3_000;

export function venueSpec(name: string, makeVenue: () => Promise<VenueUnderTest>): void {
  describe(`venue spec: ${name}`, () => {
    let test: VenueUnderTest;
    let venue: Venue;
    let account: VenueAccount;

    before(async () => {
      test = await makeVenue();
      venue = test.venue;
    });
    after(() => test.end());
    beforeEach(async () => {
      account = test.account();
      value(await openIt(account));
    });
    const soon = (condition: () => boolean) =>
      until(test.clock, 'it is told in time', condition, PATIENCE_MS);

    /** Cursors from which each account's history is everything that the suite did on it. */
    const beginnings = new Map<string, string>();
    const opened: VenueAccount[] = [];
    const openIt = async (who: VenueAccount) => {
      const answer = await venue.openAccount(who, test.access?.(who));
      if (answer.ok) opened.push(who);
      if (answer.ok && test.terms.historyBegins === 'now' && !beginnings.has(who.tradeAccountId))
        beginnings.set(who.tradeAccountId, value(await venue.history(who, null)).nextCursor);
      return answer;
    };
    // A venue may follow few accounts at a time.
    afterEach(() => {
      for (const one of opened.splice(0)) venue.closeAccount?.(one);
    });
    const quotes = (): ReadonlyMap<string, Quote> => {
      const known = new Map<string, Quote>();
      venue.marketStream((update) => {
        for (const quote of update.quotes) known.set(quote.id, quote);
      })();
      return known;
    };
    /** Tradable instruments with their quotes, the most valuable first: quantities stay comfortable. */
    const listed = (): readonly { readonly instrument: Instrument; readonly quote: Quote }[] => {
      const known = quotes();
      return venue
        .instruments()
        .filter(({ tradeability }) => tradeability.status === 'tradable')
        .flatMap((instrument) => {
          const quote = known.get(instrument.id);
          return quote === undefined ? [] : [{ instrument, quote }];
        });
    };
    const pick = (index: number) => {
      const found = listed()[index];
      if (found === undefined) throw new Error('the venue lists too few instruments');
      return found;
    };
    const quantityFor = (index: number, usd: number): string => {
      const { instrument, quote } = pick(index);
      const step = dec(instrument.stepSize);
      return text(dec(usd).div(quote.mark).div(step).ceil().mul(step));
    };
    /** As the gateway makes them: 128 bits, which every venue takes in some form. */
    const freshId = () => `0x${randomBytes(16).toString('hex')}`;
    const order = (index: number, side: Side, usd: number, change: Partial<PlaceOrder> = {}): PlaceOrder => {
      const { instrument, quote } = pick(index);
      return {
        clientOrderId: freshId(),
        symbol: instrument.id,
        side,
        quantity: quantityFor(index, usd),
        limitPrice: text(limitPrice(dec(quote.mark), side, dec('0.02'), instrument)),
        timeInForce: 'IOC',
        reduceOnly: false,
        expiresAt: test.clock.now() + 30_000,
        ...change,
      };
    };
    /** A buy far below the market: rests. */
    const restingOrder = (index: number, change: Partial<PlaceOrder> = {}): PlaceOrder => {
      const { instrument, quote } = pick(index);
      const limit = limitPrice(dec(quote.mark).mul('0.7'), 'BUY', ZERO, instrument);
      return order(index, 'BUY', 500, { limitPrice: text(limit), timeInForce: 'GTC', ...change });
    };
    /** Outcomes that say what became of the orders, also where the venue has only taken them in. */
    const place = async (
      batch: readonly PlaceOrder[],
      who: VenueAccount = account,
    ): Promise<readonly OrderOutcome[]> =>
      Promise.all((await venue.placeBatch(who, batch)).map((outcome) => ended(outcome, who)));
    const ended = async (outcome: OrderOutcome, who: VenueAccount): Promise<OrderOutcome> => {
      if (outcome.kind === 'accepted') expect(test.terms.endsAreTold).to.equal('later');
      let known = outcome;
      for (let looks = 0; looks < 100 && known.kind === 'accepted'; looks += 1) {
        const found = value(await lookUp(venue, who, outcome.clientOrderId));
        if (found.kind !== 'not_found') known = found;
      }
      return known;
    };
    const placeOne = async (one: PlaceOrder): Promise<OrderOutcome> => {
      const [outcome] = await place([one]);
      if (outcome === undefined) throw new Error('the venue gave no outcome');
      return whole(outcome);
    };
    /** The outcome with all its fills, which some venues tell a moment after it. */
    const whole = async (outcome: OrderOutcome): Promise<OrderOutcome> => {
      if (test.terms.fillsAreTold === 'at once' || outcome.kind !== 'done') return outcome;
      const isWhole = ({ fills, filledQuantity }: typeof outcome) =>
        sum(fills.map(({ quantity }) => dec(quantity))).eq(filledQuantity);
      let known = outcome;
      for (let looks = 0; looks < 100 && !isWhole(known); looks += 1) {
        const found = value(await lookUp(venue, account, outcome.clientOrderId));
        if (found.kind === 'done') known = found;
      }
      expect(isWhole(known), 'all fills are known in time').to.equal(true);
      return known;
    };
    const fillsOf = async (who: VenueAccount = account): Promise<readonly VenueFill[]> =>
      value(await venue.history(who, beginnings.get(who.tradeAccountId) ?? null)).fills;
    const positionOf = async (symbol: string) =>
      value(await venue.positions(account)).find((position) => position.symbol === symbol);

    it('01 lists valid instruments', () => {
      const instruments = venue.instruments();
      expect(instruments).not.to.have.length(0);
      expect(new Set(instruments.map(({ id }) => id)).size).to.equal(instruments.length);
      for (const instrument of instruments) {
        expect(instrument.connector).to.equal(venue.info.id);
        for (const size of [instrument.tickSize, instrument.stepSize, instrument.minNotional]) {
          expect(size).to.match(/^\d+(\.\d+)?$/);
          expect(dec(size).gt(0), `${instrument.id} ${size}`).to.equal(true);
        }
        expect(instrument.maxLeverage).to.be.at.least(1);
        expect(instrument.marginModes).to.include('cross');
        expect(instrument.fundingIntervalHours).to.equal(test.terms.fundingIntervalHours(instrument.id));
        const bounds = instrument.leverageTiers.map(({ maxNotional }) => dec(maxNotional ?? '1e30'));
        expect(bounds).to.deep.equal([...bounds].sort((a, b) => a.comparedTo(b)));
      }
    });

    it('02 delivers the full market at once to a new listener', () => {
      const updates: MarketUpdate[] = [];
      venue.marketStream((update) => updates.push(update))();
      const [first] = updates;
      const ids = venue.instruments().map(({ id }) => id);
      expect(first?.connector).to.equal(venue.info.id);
      expect(first?.quotes.map(({ id }) => id)).to.have.members(ids);
      expect(first?.funding?.map(({ id }) => id)).to.have.members(ids);
      expect(first?.stats?.map(({ id }) => id)).to.have.members(ids);
      for (const quote of first?.quotes ?? []) {
        const { bid, ask, mid } = quote;
        expect(dec(bid).lt(ask), `${quote.id} ${bid} < ${ask}`).to.equal(true);
        expect(dec(bid).lte(mid) && dec(mid).lte(ask), `${quote.id} ${mid}`).to.equal(true);
        const instrument = venue.instruments().find(({ id }) => id === quote.id);
        for (const price of [bid, ask]) {
          expect(
            instrument !== undefined && isValidPrice(dec(price), instrument),
            `${quote.id} ${price}`,
          ).to.equal(true);
        }
      }
      for (const rate of first?.funding ?? []) expect(rate.nextFundingTime).to.be.above(test.clock.now());
    });

    it('03 goes on telling what changes, and no more after the listener has left', async () => {
      const updates: MarketUpdate[] = [];
      const leave = venue.marketStream((update) => updates.push(update));
      await soon(() => updates.length >= 3);
      leave();
      const ids = new Set(venue.instruments().map(({ id }) => id));
      for (const { quotes: told } of updates) for (const { id } of told) expect(ids.has(id)).to.equal(true);
      const times = updates.map(({ at }) => at);
      expect(times).to.deep.equal([...times].sort((a, b) => a - b));
      const seen = updates.length;
      let later = 0;
      const leaveToo = venue.marketStream(() => {
        later += 1;
      });
      await soon(() => later >= 3);
      leaveToo();
      expect(updates).to.have.length(seen);
    });

    it('04 fills an IOC inside its limit, with the taker fee', async () => {
      const one = order(0, 'BUY', 1_000);
      const outcome = await placeOne(one);
      expect(outcome).to.deep.include({ kind: 'done', state: 'filled', filledQuantity: one.quantity });
      const fills = outcome.kind === 'done' ? outcome.fills : [];
      expect(text(sum(fills.map(({ quantity }) => dec(quantity))))).to.equal(one.quantity);
      for (const fill of fills) {
        expect(fill).to.include({
          clientOrderId: one.clientOrderId,
          symbol: one.symbol,
          side: 'BUY',
          liquidity: 'TAKER',
          isLiquidation: false,
        });
        expect(dec(fill.price).lte(one.limitPrice)).to.equal(true);
        expect(isValidPrice(dec(fill.price), pick(0).instrument)).to.equal(true);
        const owed = dec(fill.price).mul(fill.quantity).mul(test.terms.feeRates.taker);
        expect(dec(fill.fee).minus(owed).abs().lte('0.000001'), `${fill.fee} for ${owed.toFixed()}`).to.equal(
          true,
        );
      }
      expect((await positionOf(one.symbol))?.quantity).to.equal(one.quantity);
    });

    it('05 gives one outcome per order, in order, and one refusal does not touch the others', async () => {
      const batch = [
        order(0, 'BUY', 400),
        order(1, 'SELL', 400),
        order(2, 'BUY', 400, { quantity: '0' }),
        order(3, 'SELL', 400),
      ];
      const outcomes = await place(batch);
      expect(outcomes.map(({ clientOrderId }) => clientOrderId)).to.deep.equal(
        batch.map(({ clientOrderId }) => clientOrderId),
      );
      expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['done', 'done', 'rejected', 'done']);
      expect(dec((await positionOf(pick(1).instrument.id))?.quantity ?? '0').isNegative()).to.equal(true);
    });

    it('06 executes a client order id once, whatever comes with it later', async () => {
      const one = order(0, 'BUY', 500);
      const outcomes = await place([one, one]);
      expect(outcomes[1]).to.deep.equal(outcomes[0]);
      expect(await placeOne({ ...one, side: 'SELL', quantity: quantityFor(0, 2_000) })).to.deep.equal(
        outcomes[0],
      );
      expect((await positionOf(one.symbol))?.quantity).to.equal(one.quantity);
      if (!test.terms.remembersRefusals) return;
      const refused = order(0, 'BUY', 500, { quantity: '0' });
      const first = await placeOne(refused);
      expect(await placeOne({ ...refused, quantity: one.quantity })).to.deep.equal(first);
    });

    it('07 lets reduce-only orders only reduce', async () => {
      const symbol = pick(0).instrument.id;
      expect(await placeOne(order(0, 'SELL', 500, { reduceOnly: true }))).to.deep.include({
        kind: 'rejected',
        reason: 'reduce_only',
      });
      const opened = order(0, 'BUY', 1_000);
      await placeOne(opened);
      expect(await placeOne(order(0, 'BUY', 500, { reduceOnly: true }))).to.deep.include({
        kind: 'rejected',
        reason: 'reduce_only',
      });
      const closing = await placeOne(order(0, 'SELL', 3_000, { reduceOnly: true }));
      expect(closing).to.deep.include({ kind: 'done', filledQuantity: opened.quantity });
      expect(await positionOf(symbol)).to.equal(undefined);
    });

    describe('08 says why it refuses', () => {
      const cases: readonly [string, () => PlaceOrder | null][] = [
        ['expired', () => order(0, 'BUY', 500, { expiresAt: test.clock.now() - 1_000 })],
        ['not_tradable', () => order(0, 'BUY', 500, { symbol: 'NO-SUCH-PERP' })],
        ['minimum', () => tooSmall()],
        ['tick', () => order(0, 'BUY', 500, { quantity: text(dec(pick(0).instrument.stepSize).div(2)) })],
        [
          'tick',
          () => order(0, 'BUY', 500, { limitPrice: text(dec(pick(0).quote.ask).plus('0.0000000001')) }),
        ],
        ['price', () => order(0, 'SELL', 500, { limitPrice: highLimit() })],
        ['margin', () => order(0, 'BUY', 4_000_000)],
      ];
      const highLimit = () =>
        text(limitPrice(dec(pick(0).quote.mark).mul(3), 'SELL', ZERO, pick(0).instrument));
      /** One step of an instrument whose step is worth less than its minimum; null where there is none. */
      const tooSmall = () => {
        const index = listed().findIndex(({ instrument, quote }) =>
          dec(instrument.stepSize).mul(quote.mark).mul('1.1').lt(instrument.minNotional),
        );
        return index < 0 ? null : order(index, 'BUY', 1, { quantity: pick(index).instrument.stepSize });
      };
      for (const [reason, make] of cases) {
        it(reason, async function () {
          const one = make();
          if (one === null) return this.skip();
          const outcome = await placeOne(one);
          expect(outcome).to.deep.include({ kind: 'rejected', reason });
          expect(outcome.kind === 'rejected' ? outcome.message : '').not.to.equal('');
          expect(await fillsOf()).to.deep.equal([]);
        });
      }
    });

    it('09 rests a GTC and cancels it', async () => {
      const one = restingOrder(0);
      expect(await placeOne(one)).to.deep.include({ kind: 'resting', filledQuantity: '0' });
      expect(value(await venue.openOrders(account)).map(({ clientOrderId }) => clientOrderId)).to.deep.equal([
        one.clientOrderId,
      ]);
      value(await venue.cancel(account, refOf(one.clientOrderId)));
      expect(value(await venue.openOrders(account))).to.deep.equal([]);
      expect(value(await lookUp(venue, account, one.clientOrderId))).to.deep.include({
        kind: 'done',
        state: 'cancelled',
        filledQuantity: '0',
      });
      expect(error(await venue.cancel(account, refOf(one.clientOrderId))).kind).to.equal('rejected');
      expect(error(await venue.cancel(account, refOf('never-sent'))).kind).to.equal('rejected');
    });

    it('10 finds orders by client order id, and says when it has never seen one', async () => {
      for (const one of [order(0, 'BUY', 500), restingOrder(1), order(0, 'BUY', 500, { quantity: '0' })]) {
        const outcome = await placeOne(one);
        const found = value(await lookUp(venue, account, one.clientOrderId));
        const isForgotten = outcome.kind === 'rejected' && !test.terms.remembersRefusals;
        if (isForgotten) expect(found.kind).to.be.oneOf(['rejected', 'not_found']);
        else expect(found).to.deep.equal(outcome);
      }
      expect(value(await lookUp(venue, account, 'never-sent'))).to.deep.equal({
        kind: 'not_found',
        clientOrderId: 'never-sent',
      });
    });

    it('11 has a complete history that can be resumed', async () => {
      const empty = value(await venue.history(account, beginnings.get(account.tradeAccountId) ?? null));
      expect(empty).to.deep.include({ fills: [], funding: [], more: false });
      await place([order(0, 'BUY', 500), order(1, 'SELL', 500)]);
      const first = value(await venue.history(account, empty.nextCursor));
      const later = await placeOne(order(2, 'BUY', 500));
      const second = newIn(value(await venue.history(account, first.nextCursor)), first.fills);
      expect(second.fills).to.deep.equal(later.kind === 'done' ? later.fills : []);
      const all = await fillsOf();
      expect(all).to.deep.equal([...first.fills, ...second.fills]);
      expect(new Set(all.map(({ tradeId }) => tradeId)).size).to.equal(all.length);
      expect(newIn(value(await venue.history(account, second.nextCursor)), all).fills).to.deep.equal([]);
      expect(error(await venue.history(account, 'no such cursor')).kind).to.equal('rejected');
    });

    /** Without what earlier pages held, where the venue repeats it. */
    const newIn = (page: VenueHistory, earlier: readonly VenueFill[]): VenueHistory => {
      const known = new Set(test.terms.historyRepeats ? earlier.map(({ tradeId }) => tradeId) : []);
      return { ...page, fills: page.fills.filter(({ tradeId }) => !known.has(tradeId)) };
    };

    it('12 tells on the stream what the history holds, and what happens to orders otherwise', async () => {
      const events: AccountEvent[] = [];
      const leave = venue.accountStream(account, (event) => events.push(event));
      const resting = restingOrder(2);
      await place([
        order(0, 'BUY', 500),
        order(1, 'SELL', 500),
        resting,
        order(0, 'BUY', 500, { quantity: '0' }),
      ]);
      value(await venue.cancel(account, refOf(resting.clientOrderId)));
      const ofInterest = ({ clientOrderId }: OrderOutcome) =>
        test.terms.remembersRefusals || clientOrderId === resting.clientOrderId;
      const told = () =>
        events
          .flatMap((event) => (event.kind === 'order' ? [event.outcome] : []))
          .filter((outcome) => ofInterest(outcome));
      const expected = test.terms.remembersRefusals
        ? ['resting', 'rejected', 'cancelled']
        : ['resting', 'cancelled'];
      await soon(() => told().length >= expected.length);
      leave();
      expect(events.flatMap((event) => (event.kind === 'fill' ? [event.fill] : []))).to.deep.equal(
        await fillsOf(),
      );
      expect(told().map((outcome) => (outcome.kind === 'done' ? outcome.state : outcome.kind))).to.deep.equal(
        expected,
      );
      const seen = events.length;
      await placeOne(order(0, 'BUY', 500));
      expect(events).to.have.length(seen);
    });

    it('13 takes whole leverages up to the maximum', async () => {
      const { instrument } = pick(0);
      const symbol = instrument.id;
      for (const leverage of [0, -1, 1.5, instrument.maxLeverage + 1]) {
        expect(
          error(await venue.setLeverage(account, { symbol, leverage, marginMode: 'cross' })).kind,
          String(leverage),
        ).to.equal('rejected');
      }
      const one = order(0, 'BUY', 500);
      await placeOne(one);
      expect(await positionOf(symbol)).to.include({
        leverage: test.terms.firstLeverage(instrument),
        marginMode: 'cross',
      });
      value(await venue.setLeverage(account, { symbol, leverage: 2, marginMode: 'cross' }));
      expect((await positionOf(symbol))?.leverage).to.equal(2);
      expect(
        error(await venue.setLeverage(account, { symbol: 'NO-SUCH-PERP', leverage: 2, marginMode: 'cross' }))
          .kind,
      ).to.equal('rejected');
    });

    it('14 takes isolated margin only where it offers it, and not on top of an open position', async () => {
      const { instrument } = pick(0);
      const symbol = instrument.id;
      const isolated = await venue.setLeverage(account, { symbol, leverage: 2, marginMode: 'isolated' });
      expect(isolated.ok).to.equal(instrument.marginModes.includes('isolated'));
      expect(instrument.marginModes.includes('isolated')).to.equal(
        venue.info.capabilities.includes('isolated_margin'),
      );
      if (venue.info.marginMode === 'rejected') expect(error(isolated).kind).to.equal('rejected');
      if (!isolated.ok) return;
      await placeOne(order(0, 'BUY', 500));
      expect(await positionOf(symbol)).to.include({ marginMode: 'isolated', leverage: 2 });
      expect(
        error(await venue.setLeverage(account, { symbol, leverage: 2, marginMode: 'cross' })).kind,
      ).to.equal('rejected');
    });

    it('15 keeps its books: balance from the fills, equity from balance and positions', async () => {
      expect(value(await venue.balances(account))).to.deep.equal({
        asset: 'USDC',
        balance: test.terms.startingBalance,
        equity: test.terms.startingBalance,
        marginUsed: '0',
        freeMargin: test.terms.startingBalance,
        ...(test.terms.deposits === null ? {} : { deposits: test.terms.deposits }),
      });
      await place([order(0, 'BUY', 2_000), order(1, 'SELL', 1_000), order(0, 'SELL', 500)]);
      const open = value(await venue.balances(account));
      expect(text(dec(open.marginUsed).plus(open.freeMargin))).to.equal(open.equity);
      expect(dec(open.marginUsed).gt(0)).to.equal(true);
      for (const position of value(await venue.positions(account))) {
        await placeOne({
          ...order(
            position.symbol === pick(0).instrument.id ? 0 : 1,
            position.quantity.startsWith('-') ? 'BUY' : 'SELL',
            1,
          ),
          quantity: position.quantity.replace('-', ''),
          reduceOnly: true,
        });
      }
      expect(value(await venue.positions(account))).to.deep.equal([]);
      const cash = (fill: VenueFill): Decimal => {
        const notional = dec(fill.price).mul(fill.quantity);
        return (fill.side === 'SELL' ? notional : notional.neg()).minus(fill.fee);
      };
      const history = value(await venue.history(account, beginnings.get(account.tradeAccountId) ?? null));
      const expected = dec(test.terms.startingBalance)
        .plus(sum(history.fills.map(cash)))
        .plus(sum(history.funding.map(({ amount }) => dec(amount))));
      const closed = value(await venue.balances(account));
      expect(closed).to.deep.equal({
        asset: 'USDC',
        balance: text(expected),
        equity: text(expected),
        marginUsed: '0',
        freeMargin: text(expected),
        ...(test.terms.deposits === null ? {} : { deposits: test.terms.deposits }),
      });
    });

    it('16 does not know accounts that were never opened, and opens one only once', async () => {
      const stranger = { tradeAccountId: 'stranger', exchangeIdentifier: `stranger-${test.clock.now()}` };
      const [outcome] = await venue.placeBatch(stranger, [order(0, 'BUY', 500)]);
      // In both cases nothing was executed.
      expect(outcome?.kind).to.be.oneOf(['rejected', 'not_sent']);
      expect(error(await venue.balances(stranger)).kind).to.be.oneOf(['rejected', 'not_ready', 'unknown']);
      await placeOne(order(0, 'BUY', 500));
      const before = await fillsOf();
      value(await openIt(account));
      expect(await fillsOf()).to.deep.equal(before);
    });

    it('17 keeps accounts apart', async () => {
      const other = test.account();
      value(await openIt(other));
      const events: AccountEvent[] = [];
      const leave = venue.accountStream(other, (event) => events.push(event));
      const one = order(0, 'BUY', 500);
      await placeOne(one);
      expect(value(await venue.positions(other))).to.deep.equal([]);
      expect(await fillsOf(other)).to.deep.equal([]);
      const [same] = await place([{ ...one, side: 'SELL', limitPrice: sellLimit() }], other);
      expect(same).to.deep.include({ kind: 'done', state: 'filled' });
      const fills = () => events.flatMap((event) => (event.kind === 'fill' ? [event.fill] : []));
      await soon(() => fills().length > 0);
      leave();
      expect(fills().every(({ side }) => side === 'SELL')).to.equal(true);
    });
    const sellLimit = () =>
      text(limitPrice(dec(pick(0).quote.mark), 'SELL', dec('0.02'), pick(0).instrument));

    it('18 resets an account where it can', async function () {
      if (venue.resetAccount === undefined) return this.skip();
      await place([order(0, 'BUY', 500), restingOrder(1)]);
      const before = await fillsOf();
      value(await venue.resetAccount(account));
      expect(value(await venue.positions(account))).to.deep.equal([]);
      expect(value(await venue.openOrders(account))).to.deep.equal([]);
      expect(value(await venue.balances(account)).equity).to.equal(test.terms.startingBalance);
      expect(await fillsOf()).to.deep.equal(before);
    });

    it('19 fills a resting order as a maker when the market comes to it, and lists it no more', async function () {
      if (test.move === null) return this.skip();
      const events: AccountEvent[] = [];
      const leave = venue.accountStream(account, (event) => events.push(event));
      const [low, far] = [restingOrder(3), restingOrder(4)];
      await place([low, far]);
      await test.move(low.symbol, 0.65);
      await soon(() => events.some(({ kind }) => kind === 'fill'));
      await test.move(low.symbol, 1 / 0.65);
      leave();
      const outcome = value(await lookUp(venue, account, low.clientOrderId));
      expect(outcome).to.deep.include({ kind: 'done', state: 'filled', filledQuantity: low.quantity });
      for (const fill of outcome.kind === 'done' ? outcome.fills : []) {
        expect(fill).to.include({
          liquidity: 'MAKER',
          price: low.limitPrice,
          side: 'BUY',
          symbol: low.symbol,
        });
        const owed = dec(fill.price).mul(fill.quantity).mul(test.terms.feeRates.maker);
        expect(dec(fill.fee).minus(owed).abs().lte('0.000001'), `${fill.fee} for ${owed.toFixed()}`).to.equal(
          true,
        );
      }
      expect((await positionOf(low.symbol))?.quantity).to.equal(low.quantity);
      expect(value(await venue.openOrders(account)).map(({ clientOrderId }) => clientOrderId)).to.deep.equal([
        far.clientOrderId,
      ]);
      expect(error(await venue.cancel(account, refOf(low.clientOrderId))).kind).to.equal('rejected');
    });

    it('20 prices every instrument of its last trade', () => {
      const known = quotes();
      for (const instrument of venue.instruments()) {
        const last = known.get(instrument.id)?.last ?? '';
        expect(isValidPrice(dec(last), instrument), `${instrument.id} ${last}`).to.equal(true);
      }
    });

    it('21 tells dominance and prediction markets where it says that it has them', async () => {
      const updates: MarketUpdate[] = [];
      const leave = venue.marketStream((update) => updates.push(update));
      const feeds = updates[0]?.feeds ?? [];
      const told = (capability: 'btc_dominance' | 'prediction_markets') =>
        venue.info.capabilities.includes(capability);
      expect(feeds.some(({ name }) => name === BTC_DOMINANCE)).to.equal(told('btc_dominance'));
      expect(feeds.some(({ prediction }) => prediction !== null)).to.equal(told('prediction_markets'));
      expect(new Set(feeds.map(({ name }) => name)).size).to.equal(feeds.length);
      for (const { name, value: percent, updatedAt, prediction } of feeds) {
        expect(percent, name).to.match(/^\d{1,3}(\.\d+)?$/);
        expect(Number(percent), name).to.be.within(0, 100);
        expect(updatedAt).to.be.at.most(test.clock.now() + 1_000);
        if (prediction === null) expect(name).to.equal(BTC_DOMINANCE);
        else expect(name).to.equal(predictionFeed(prediction.source, prediction.marketKey));
      }
      if (feeds.length > 0) {
        // Every one of them again, and soon: what is not repeated counts as stale.
        const again = new Map<string, FeedReading>();
        await soon(() => {
          for (const update of updates.splice(0)) {
            for (const reading of update.feeds ?? []) {
              const first = feeds.find(({ name }) => name === reading.name);
              if (first !== undefined && reading.updatedAt > first.updatedAt)
                again.set(reading.name, reading);
            }
          }
          return again.size === feeds.length;
        });
      }
      leave();
    });

    it('22 moves margin of isolated positions where it says that it can', async () => {
      const { instrument } = pick(0);
      const symbol = instrument.id;
      const change = async (amount: string) => {
        if (venue.changeMargin === undefined) return null;
        return venue.changeMargin(account, { symbol, amount });
      };
      if (!venue.info.capabilities.includes('margin_change')) {
        const answer = await change('10');
        expect(answer === null ? 'unsupported' : error(answer).kind).to.equal('unsupported');
        return;
      }
      const done = async (amount: string) => {
        const answer = await change(amount);
        if (answer === null) throw new Error('the venue says that it can');
        return answer;
      };
      expect(error(await done('10')).kind).to.equal('rejected');
      value(await venue.setLeverage(account, { symbol, leverage: 4, marginMode: 'isolated' }));
      await placeOne(order(0, 'BUY', 1_000));
      const before = value(await venue.balances(account));
      value(await done('120.5'));
      const after = value(await venue.balances(account));
      expect(after.balance).to.equal(before.balance);
      const added = dec(after.marginUsed).minus(before.marginUsed);
      // Marks move between the two looks.
      expect(added.minus('120.5').abs().lt(20), added.toFixed()).to.equal(true);
      value(await done('-60'));
      for (const amount of ['-100000', '1000000', '0'])
        expect(error(await done(amount)).kind).to.equal('rejected');
    });

    it('23 keeps everything over a restart', async () => {
      value(
        await venue.setLeverage(account, { symbol: pick(0).instrument.id, leverage: 3, marginMode: 'cross' }),
      );
      const batch = [order(0, 'BUY', 1_000), restingOrder(1), order(2, 'BUY', 500, { quantity: '0' })];
      const outcomes = await place(batch);
      const read = async () => ({
        history: await fillsOf(),
        open: value(await venue.openOrders(account)),
        balance: value(await venue.balances(account)).balance,
        positions: value(await venue.positions(account)).map(
          ({ symbol, quantity, entryPrice, leverage }) => ({
            symbol,
            quantity,
            entryPrice,
            leverage,
          }),
        ),
      });
      const before = await read();
      const statuses: ConnectorStatus['status'][] = [];
      venue.onStatus(({ status }) => statuses.push(status));
      const old = venue;
      venue = await test.restart();
      if (old !== venue) expect(statuses).to.include('DOWN');
      expect(venue.status().status).to.equal('UP');
      expect(await read()).to.deep.equal(before);
      const again = await place(batch);
      expect(await Promise.all(again.map(whole))).to.deep.equal(await Promise.all(outcomes.map(whole)));
      expect(await read()).to.deep.equal(before);
    });
  });
}

function value<T>(result: Result<T, VenueError>): T {
  if (!result.ok) throw new Error(`the venue answered ${result.error.kind}: ${result.error.message}`);
  return result.value;
}

function error<T>(result: Result<T, VenueError>): VenueError {
  if (result.ok) throw new Error('the venue should have refused');
  return result.error;
}
