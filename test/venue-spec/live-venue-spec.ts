/**
 * Reports of the adapter of every live venue on orders, streams and accounts when things go wrong between it and
 * an emulated venue. What only one venue does is in `test/unit/venues/live/<venue>/`.
 */
import { expect } from 'chai';
import type { PlaceOrder } from '../../gateway/engine/ports/venue.ts';
import { until } from '../support/until.ts';
import type { CommonAct } from '../support/venues/shared/faults.ts';
import type { SharedStreamFaults } from '../support/venues/shared/stream-hub.ts';
import type { TestAccount, VenueDeskBase } from '../support/venues/shared/venue-desk.ts';

interface Script {
  clearFaults(): void;
  clearTraffic(): void;
  cutStreams(code?: number): void;
  fault(fault: CommonAct & { readonly on: string; readonly times?: number | null }): void;
  setBook(name: string, bids: readonly [string, string][], asks: readonly [string, string][]): void;
  setClockOffset(offsetMs: number): void;
  setMark(name: string, price: string): void;
  streamFaults(faults: SharedStreamFaults): void;
  traffic(): { readonly counts: Record<string, number> };
}

interface Emulator {
  readonly script: Script;
  close(): Promise<void>;
}

type Desk = VenueDeskBase<Emulator, TestAccount>;

/** Words and ways of one venue. */
export interface LiveVenue<D extends Desk> {
  readonly start: (options?: {
    readonly prepare?: (emulator: { readonly script: Pick<Script, 'setClockOffset'> }) => void;
  }) => Promise<D>;
  /** Request that carries an order. */
  readonly orderRequest: string;
  /** Answers to an order that executed, which do not say so. */
  readonly unreadable: readonly CommonAct[];
  /** The order's end is its answer, not only told by the stream. */
  readonly answersEnds: boolean;
  /** The same order is sent once more when it is placed again, and refused as known. */
  readonly sendsAgain: boolean;
  /** Refuses an order for its nonce, as often as the adapter tries it in two calls. */
  readonly refusedNonces: CommonAct & { readonly times: number };
  /** Streams that tell of orders and fills. */
  readonly orderStreams: readonly string[];
  readonly wrongSnapshots: readonly SharedStreamFaults[];
  /** Request for the account's state, and answers that are none. */
  readonly stateRequest: string;
  readonly malformedStates: readonly unknown[];
  /** Lookups find no order from now on. */
  readonly forgetOrders: (desk: D, times: number) => void;
  /** The venue refuses the next leverage with this message. */
  readonly refuseLeverage: (desk: D, message: string) => void;
  readonly leverageRefusal: string;
  /** The owner buys with another program. */
  readonly buyElsewhere: (desk: D, name: string, quantity: string, price: string) => void;
  /** The last fills come again as if they were new. */
  readonly repeatFills: (desk: D, count: number) => void;
  /** The adapter tells a fill once, however often the venue does. */
  readonly tellsFillsOnce: boolean;
  /** Requests that measured the venue's time. */
  readonly timeRequests: (desk: D) => number;
  /** Expiry of the first order that was sent, in the venue's time. */
  readonly sentExpiry: (desk: D) => number;
}

const FILLED = { kind: 'done', state: 'filled', filledQuantity: '0.001' };

export function liveVenueSpec<D extends Desk>(name: string, venue: LiveVenue<D>): void {
  describe(`${name}, when things go wrong`, () => {
    let desk: D;
    const begin = async (options?: Parameters<LiveVenue<D>['start']>[0]) => {
      desk = await venue.start(options);
    };
    afterEach(() => desk.close());

    describe('orders', () => ordersSpec(venue, begin, () => desk));
    describe('streams', () => streamsSpec(venue, begin, () => desk));
    describe('a clock', () => clockSpec(venue, begin, () => desk));
  });
}

type Begin<D extends Desk> = (options?: Parameters<LiveVenue<D>['start']>[0]) => Promise<void>;

function ordersSpec<D extends Desk>(venue: LiveVenue<D>, begin: Begin<D>, current: () => D): void {
  let desk: D;
  const { orderRequest: on } = venue;
  beforeEach(async () => {
    await begin();
    desk = current();
  });
  const expectFound = async (order: PlaceOrder, wanted: object) => {
    const [found] = await desk.lookUp(order);
    expect(found).to.include(wanted);
    return found?.kind === 'done' ? found.fills : [];
  };

  for (const fault of venue.unreadable) {
    it(`an answer is lost or unreadable after the order executed (${JSON.stringify(fault)}): unknown, found by its id, sent once`, async () => {
      desk.script.fault({ on, ...fault });
      const order = desk.order();
      expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
      expect(await desk.ended(order)).to.include({ kind: 'done', state: 'filled' });
      expect(await expectFound(order, FILLED)).to.have.length(1);
      expect([desk.sentTimes(order), desk.held()]).to.deep.equal([1, '0.001']);
    });
  }

  it('an answer does not come in time: unknown, and found', async () => {
    desk.script.fault({ on, do: 'hang', execute: true });
    const order = desk.order({ expiresAt: desk.clock.now() + 2_200 });
    expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
    await expectFound(order, { kind: 'done', state: 'filled' });
    expect(desk.sentTimes(order)).to.equal(1);
  });

  it('an answer is a maintenance page before anything executed: unknown, never not sent, and later not found', async () => {
    desk.script.fault({ on, do: 'status', code: 503 });
    const order = desk.order();
    expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
    await expectFound(order, { kind: 'not_found' });
    expect([desk.sentTimes(order), desk.held()]).to.deep.equal([1, '0']);
  });

  it('an id that was sent already, sent again, has its first outcome and executes nothing', async () => {
    const order = desk.order();
    desk.script.fault({ on, do: 'lose_answer' });
    await desk.trade(order);
    expect(await desk.placeOne(order)).to.include({ kind: 'done', state: 'filled' });
    expect([desk.sentTimes(order), desk.held()]).to.deep.equal([venue.sendsAgain ? 2 : 1, '0.001']);
  });

  it('lookups deny an order that exists: not found, while the history and the position tell of it', async () => {
    const cursor = await desk.cursor();
    venue.forgetOrders(desk, 2);
    desk.script.fault({ on, do: 'lose_answer' });
    desk.script.streamFaults({ silent: venue.orderStreams });
    const order = desk.order();
    expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
    await until(desk.clock, 'it executed', () => desk.held() === '0.001');
    await expectFound(order, { kind: 'not_found' });
    const { fills } = await desk.history(cursor);
    expect(fills.map(({ clientOrderId }) => clientOrderId)).to.deep.equal([order.clientOrderId]);
    const positions = await desk.venue.positions(desk.test.account);
    expect(positions.ok ? positions.value[0] : null).to.include({ symbol: 'BTC-PERP', quantity: '0.001' });
    await expectFound(order, { kind: 'not_found' });
    await expectFound(order, { kind: 'done', state: 'filled' });
  });

  it('a fill that is heard before the order’s answer is that order’s', async () => {
    desk.script.fault({ on, do: 'delay', afterMs: 300 });
    const order = desk.order();
    let isAnswered = false;
    const answered = desk.placeOne(order).finally(() => {
      isAnswered = true;
    });
    await until(desk.clock, 'the stream told the fill', () => desk.fills.length > 0);
    expect([isAnswered, desk.fills[0]?.clientOrderId]).to.deep.equal([false, order.clientOrderId]);
    expect(await answered).to.include({ kind: 'done', state: 'filled', filledQuantity: '0.001' });
  });

  it('a fill of another program belongs to none of our orders', async () => {
    venue.buyElsewhere(desk, 'SOL', '1', '200');
    const fill = await until(desk.clock, 'the stream told it', () => desk.fills.at(0));
    expect(fill).to.include({ clientOrderId: null, symbol: 'SOL-PERP', isLiquidation: false });
  });

  it('an IOC that finds a part of its quantity is done and cancelled, with what it filled', async () => {
    desk.script.setBook('BTC', [['99990', '1']], [['100010', '0.0004']]);
    const order = desk.order();
    const wanted = { kind: 'done', state: 'cancelled', filledQuantity: '0.0004' };
    const answer = await desk.placeOne(order);
    if (venue.answersEnds) expect(answer).to.include(wanted);
    expect(await desk.ended(order)).to.include(wanted);
    const fills = await expectFound(order, wanted);
    expect(fills.map(({ quantity }) => quantity)).to.deep.equal(['0.0004']);
  });

  it('the cancel of an order that has filled is refused, and the lookup says that it filled', async () => {
    const order = await desk.rest();
    desk.script.setMark('BTC', '98000');
    await desk.ended(order);
    const { clientOrderId, symbol, side, quantity, expiresAt } = order;
    const sent = { symbol, side, quantity, expiresAt, sentAt: expiresAt - 5_000 };
    const cancelled = await desk.venue.cancel(desk.test.account, { clientOrderId, venueOrderId: null, sent });
    expect(cancelled.ok ? null : cancelled.error.kind).to.equal('rejected');
    await expectFound(order, FILLED);
  });

  it('nonces that are refused again and again are not tried at full speed', async () => {
    desk.script.fault({ on, ...venue.refusedNonces });
    const waits = [];
    for (let sent = 0; sent < 2; sent += 1) {
      const outcome = await desk.placeOne();
      waits.push(outcome.kind === 'not_sent' ? outcome.retryAt - desk.clock.now() : 0);
    }
    expect(waits[1])
      .to.be.greaterThan(1_000)
      .and.greaterThan(waits[0] ?? 0);
  });

  it('a refused leverage fails that call only: the next orders go', async () => {
    const message = venue.leverageRefusal;
    venue.refuseLeverage(desk, message);
    const set = (symbol: string) =>
      desk.venue.setLeverage(desk.test.account, { symbol, leverage: 3, marginMode: 'cross' });
    const refused = await set('BTC-PERP');
    expect(refused.ok ? null : refused.error).to.deep.include({ kind: 'rejected', message });
    expect(await set('ETH-PERP')).to.deep.include({ ok: true });
    expect(await desk.trade()).to.include({ kind: 'done' });
    expect(desk.venue.status()).to.include({ status: 'UP' });
  });
}

function streamsSpec<D extends Desk>(venue: LiveVenue<D>, begin: Begin<D>, current: () => D): void {
  let desk: D;
  beforeEach(async () => {
    await begin();
    desk = current();
  });
  const quantity = async () => {
    const told = await desk.venue.positions(desk.test.account);
    return told.ok ? told.value[0]?.quantity : null;
  };
  const untilFills = (count: number) =>
    until(desk.clock, `${count} fills were told`, () => desk.fills.length === count);

  it('a stream that is silent but open is given up: prices are not trusted, and the history has what was missed', async () => {
    const cursor = await desk.cursor();
    desk.script.streamFaults({ silent: ['*'] });
    const order = desk.order();
    await desk.placeOne(order);
    await until(desk.clock, 'the silence is noticed', () => desk.venue.status().status === 'DOWN', 120_000);
    expect(desk.venue.accountState?.(desk.test.account)).to.equal(null);
    desk.script.streamFaults({});
    await desk.untilReconnected();
    const { fills } = await desk.history(cursor);
    expect(fills.map(({ clientOrderId }) => clientOrderId)).to.deep.equal([order.clientOrderId]);
  });

  for (const code of [1012, undefined]) {
    it(`maintenance ends the streams (${code ?? 'broken'}) and refuses new ones for a while: down, then told as reconnected, and the history has all of it once`, async () => {
      const cursor = await desk.cursor();
      await desk.placeOne();
      await untilFills(1);
      desk.script.streamFaults({ refused: true });
      desk.script.cutStreams(code);
      await until(desk.clock, 'the connector is down', () => desk.venue.status().status === 'DOWN');
      expect(desk.venue.accountState?.(desk.test.account)).to.equal(null);
      venue.buyElsewhere(desk, 'SOL', '2', '200');
      desk.script.streamFaults({});
      await desk.untilReconnected();
      const { fills } = await desk.history(cursor);
      expect(fills.map(({ symbol }) => symbol)).to.deep.equal(['BTC-PERP', 'SOL-PERP']);
    });
  }

  it('fills that come twice, again or in another order keep their ids, which the history has too', async () => {
    const cursor = await desk.cursor();
    const ids = () => [...new Set(desk.fills.map(({ tradeId }) => tradeId))].sort();
    desk.script.streamFaults({ twice: true });
    await desk.trade();
    await desk.trade(desk.closing());
    await until(desk.clock, 'both fills were told', () => ids().length === 2);
    venue.repeatFills(desk, 2);
    desk.script.streamFaults({ swapped: true });
    await desk.trade();
    await desk.trade(desk.closing());
    await until(desk.clock, 'all fills were told', () => ids().length === 4);
    if (venue.tellsFillsOnce) expect(desk.fills).to.have.length(4);
    else expect(desk.fills.length).to.be.at.least(8);
    const { fills } = await desk.history(cursor);
    expect(fills.map(({ tradeId }) => tradeId).sort()).to.deep.equal(ids());
    expect(ids()).to.not.include('');
  });

  for (const faults of venue.wrongSnapshots) {
    it(`first messages that are wrong (${Object.keys(faults)[0]}) take nothing away, and what follows is heard`, async () => {
      await desk.placeOne();
      await untilFills(1);
      desk.script.streamFaults(faults);
      desk.script.cutStreams();
      await desk.untilReconnected();
      await desk.untilSubscribed(2);
      expect(await quantity()).to.equal('0.001');
      const state = desk.venue.accountState?.(desk.test.account);
      if (state != null) expect(state.positions.map((one) => one.quantity)).to.deep.equal(['0.001']);
      await desk.placeOne(desk.closing());
      await untilFills(2);
    });
  }

  for (const json of venue.malformedStates) {
    it(`a malformed state of the account (${JSON.stringify(json)}) is no answer, never "holds nothing"`, async () => {
      await desk.placeOne();
      await untilFills(1);
      desk.script.fault({ on: venue.stateRequest, do: 'answer', json, times: null });
      for (const asked of [desk.venue.positions(desk.test.account), desk.venue.balances(desk.test.account)]) {
        const told = await asked;
        expect(told.ok ? told.value : told.error.kind).to.equal('unknown');
      }
      expect(desk.venue.accountState?.(desk.test.account)?.positions.length ?? null).to.not.equal(0);
      desk.script.clearFaults();
      expect(await quantity()).to.equal('0.001');
    });
  }
}

function clockSpec<D extends Desk>(venue: LiveVenue<D>, begin: Begin<D>, current: () => D): void {
  it('that is wrong by seconds is a warning: orders go on, their expiry in the venue’s time', async () => {
    await begin({ prepare: ({ script }) => script.setClockOffset(-3_000) });
    const desk = current();
    await until(desk.clock, 'it was measured', () => desk.warnings(/clock differs/).length === 1);
    expect(desk.venue.status()).to.include({ status: 'UP' });
    const expiresAt = desk.clock.now() + 5_000;
    expect(await desk.trade(desk.order({ expiresAt }))).to.include({ kind: 'done', state: 'filled' });
    expect(venue.sentExpiry(desk) - expiresAt).to.be.within(-3_500, -2_500);
  });

  it('makes an expiry pass too early: the time is asked once more, and the same order then goes through', async () => {
    await begin();
    const desk = current();
    await until(desk.clock, 'the time was measured', () => venue.timeRequests(desk) >= 5);
    desk.script.setClockOffset(8_000);
    desk.script.clearTraffic();
    const order = desk.order({ expiresAt: desk.clock.now() + 5_000 });
    expect(await desk.placeOne(order)).to.include({ kind: 'not_sent' });
    expect(venue.timeRequests(desk)).to.equal(5);
    expect(await desk.trade(order)).to.include({ kind: 'done', state: 'filled' });
    expect(desk.held()).to.equal('0.001');
    expect(desk.warnings(/clock differs/)).to.have.length(1);
  });

  it('is not blamed for an order that is too late by any clock', async () => {
    await begin();
    const desk = current();
    const order = desk.order({ expiresAt: desk.clock.now() - 1_000 });
    expect(await desk.placeOne(order)).to.include({ kind: 'rejected', reason: 'expired' });
    expect([desk.sentTimes(order), desk.held()]).to.deep.equal([1, '0']);
  });

  for (const offsetMs of [40_000, -40_000]) {
    it(`that is wrong by more than 30 s (${offsetMs} ms) takes only what closes, and says so`, async () => {
      await begin({ prepare: ({ script }) => script.setClockOffset(offsetMs) });
      const desk = current();
      await until(desk.clock, 'it was measured', () => desk.venue.status().status === 'DEGRADED');
      expect(desk.venue.status()).to.include({ trading: 'CLOSE_ONLY' });
      expect(desk.venue.status().reason).to.match(/40 s off/);
      venue.buyElsewhere(desk, 'BTC', '0.001', '100000');
      expect(await desk.trade(desk.closing())).to.include({ kind: 'done', state: 'filled' });
      expect(desk.held()).to.equal('0');
    });
  }
}
