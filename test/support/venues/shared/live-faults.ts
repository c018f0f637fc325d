/** Tests of a live account at an emulated venue that goes wrong, which are the same for each venue. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../../json.ts';
import { forAllAsync, propertyRuns } from '../../property-runs.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import type { LiveAccountBase, LiveLeg, LiveUser } from './live-account.ts';

export const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '200'],
  ['ETH', 'SELL', '200'],
];
export const LONG: readonly LiveLeg[] = [['BTC', 'BUY', '200']];

/** Commands that the scripts of all emulators have. */
interface Script {
  clearFaults(): void;
  cutStreams(code?: number): void;
  setBook(symbol: string, bids: readonly [string, string][], asks: readonly [string, string][]): void;
  setClockOffset(offsetMs: number): void;
  setFundingRate(symbol: string, rate: string): void;
  setMark(symbol: string, price: string): void;
  settleFunding(): void;
  streamFaults(faults: { readonly twice?: boolean; readonly silent?: readonly string[] }): void;
}

interface Account extends LiveAccountBase {
  readonly script: Script;
  held(): Record<string, string>;
  orderIds(): readonly unknown[];
}

interface Gateway<A extends Account> extends LiveUser {
  readonly emulator: { readonly script: A['script'] };
  account(): Promise<A>;
  close(): Promise<void>;
}

interface FaultSuite {
  readonly live: LiveUser;
  /** An account of the test's own. */
  readonly bot: Account;
}

export function expectSentOnce(bot: Account): void {
  const ids = bot.orderIds();
  expect(new Set(ids).size).to.equal(ids.length);
}
export const expectExplained = async (bot: Account) => expect(await bot.unexplained()).to.deep.equal([]);

/** Call it in `describe`: a gateway for a few tests, since a venue follows only ten accounts for one address. */
export function faultSuite<A extends Account>(
  start: (dataDir: string) => Promise<Gateway<A>>,
  /** Undoes what only this venue's tests change. */
  reset: (script: A['script']) => void,
): { readonly live: LiveUser; readonly bot: A } {
  let live: Gateway<A>;
  let bot: A;

  before(async () => {
    live = await start(await temporaryFolder());
  });
  beforeEach(async () => {
    bot = await live.account();
  });
  afterEach(() => {
    const { script } = live.emulator;
    script.clearFaults();
    reset(script);
    script.setClockOffset(0);
    script.setMark('BTC', '100000');
    script.setMark('ETH', '4000');
  });
  after(() => live.close());
  return {
    get live() {
      return live;
    },
    get bot() {
      return bot;
    },
  };
}

export function itLosesTheAnswer(suite: FaultSuite, lose: () => void): void {
  it('the answer is lost: the stream or a lookup tells the end, and nothing is sent twice', async () => {
    const { bot } = suite;
    lose();
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED', errorCode: null });
    expect(bot.held()).to.deep.equal({ BTC: '0.002', ETH: '-0.05' });
    expectSentOnce(bot);
    expect(bot.orderIds()).to.have.length(2);
    await expectExplained(bot);
  });
}

/** @param disturb the answer comes late; `repeat`: the last two fills come again as if they were new */
export function itBooksFillsOnce(
  suite: FaultSuite,
  { disturb, repeat }: { disturb(): void; repeat(): void },
): void {
  it('fills that are heard before the answer, twice, and again after a reconnect are booked once, to their orders', async () => {
    const { live, bot } = suite;
    bot.script.streamFaults({ twice: true });
    disturb();
    const execution = await bot.open(PAIR);
    expect(execution).to.include({ status: 'COMPLETED' });
    repeat();
    bot.script.cutStreams();
    await live.untilStatus('DOWN');
    await live.untilStatus('UP');
    await expectExplained(bot);
    const fills = await bot.fills();
    expect(fills).to.have.length(2);
    const booked = fills.map(({ orderId, positionId }) => [orderId, positionId]);
    expect(booked).to.have.deep.members(execution.orders.map(({ id }: Json) => [id, execution.positionId]));
  });
}

/** @param liquidate a quarter of the position, while the streams are silent */
export function itSlept(suite: FaultSuite, silent: readonly string[], liquidate: () => void): void {
  it('the machine slept: what happened meanwhile is booked before anything opens', async () => {
    const { live, bot } = suite;
    const { positionId } = await bot.open(LONG);
    bot.script.streamFaults({ silent });
    liquidate();
    bot.script.streamFaults({});
    live.gateway.gateway.woke();
    const early = await bot.tryOpen(LONG);
    if (early.status === 202) {
      const { errorCode } = await bot.ended(early.json.execution.id);
      expect(errorCode).to.be.oneOf(['PRICE_STALE', 'CLOSE_ONLY']);
    } else expect(early.status, early.text).to.equal(409);
    await live.untilStatus('UP');
    await live.until(
      'it is booked',
      async () => (await bot.position(positionId)).legs[0].quantity === '0.0015',
    );
    await expectExplained(bot);
    expect(await bot.open([['SOL', 'BUY', '100']])).to.include({ status: 'COMPLETED' });
  });
}

/** @param begin orders execute and are answered with a page of a proxy */
export function itIsMaintained(suite: FaultSuite, begin: () => void): void {
  it('maintenance in the middle: orders are looked for afterwards, and holdings are right @long', async function () {
    this.timeout(90_000);
    const { live, bot } = suite;
    begin();
    const id = await bot.beginOpen(PAIR);
    await live.until('they are asked for or known', () => bot.orderIds().length === 2);
    bot.script.cutStreams(1012);
    expect(await bot.ended(id)).to.include({ status: 'COMPLETED' });
    await live.untilStatus('UP');
    expectSentOnce(bot);
    await expectExplained(bot);
  });
}

export function itFillsAPart(suite: FaultSuite): void {
  it('an IOC that finds a part is cancelled with what filled, and that is what the basket holds', async () => {
    const { bot } = suite;
    bot.script.setBook('BTC', [['99990', '1']], [['100010', '0.0008']]);
    const execution = await bot.open(LONG);
    expect(execution.orders[0]).to.include({
      status: 'CANCELLED',
      filledQuantity: '0.0008',
      errorCode: 'SLIPPAGE_EXCEEDED',
    });
    expect((await bot.position(execution.positionId)).legs[0]).to.include({ quantity: '0.0008' });
    await expectExplained(bot);
  });
}

export function itIsForced(suite: FaultSuite, force: { liquidate(): void; deleverage(): void }): void {
  it('a liquidation and a deleveraging reduce the basket, name their cause, and are told', async () => {
    const { live, bot } = suite;
    const { positionId } = await bot.open(PAIR);
    force.liquidate();
    await live.until('the liquidation is recorded', async () => (await bot.fills()).length === 3);
    // Fills of one millisecond are one event.
    await live.gateway.clock.advance(1);
    force.deleverage();
    await live.until('both are recorded', async () => (await bot.fills()).length === 4);
    const forced = (await bot.fills()).filter(({ executionId }) => executionId === null);
    expect(
      forced.map(({ symbol, cause, isLiquidation }) => [symbol, cause, isLiquidation]),
    ).to.have.deep.members([
      ['BTC-PERP', 'TRADE', true],
      ['ETH-PERP', 'ADL', false],
    ]);
    const { legs } = await bot.position(positionId);
    expect(legs.map(({ symbol, quantity }: Json) => [symbol, quantity])).to.deep.equal([
      ['BTC-PERP', '0'],
      ['ETH-PERP', '0.03'],
    ]);
    expect(await bot.categories()).to.include.members(['POSITION_LIQUIDATED', 'EXTERNAL_CLOSE']);
    await expectExplained(bot);
  });
}

export function itBooksFundingOnce(suite: FaultSuite): void {
  it('funding that stream and history both tell is booked once', async () => {
    const { live, bot } = suite;
    const { positionId } = await bot.open(LONG);
    bot.script.setFundingRate('BTC', '0.0001');
    bot.script.streamFaults({ twice: true });
    bot.script.settleFunding();
    await live.until('it is booked', async () => Number((await bot.position(positionId)).fundingPaid) !== 0);
    await bot.sync();
    await bot.sync();
    expect((await bot.position(positionId)).fundingPaid).to.equal('0.02');
  });
}

export function itHasAWrongClock(suite: FaultSuite): void {
  it('a clock that is far off: what opens is refused with the reason, what closes goes', async () => {
    const { live, bot } = suite;
    const { positionId } = await bot.open(LONG);
    bot.script.setClockOffset(45_000);
    // The time is asked for anew with the next connection.
    bot.script.cutStreams();
    await live.untilStatus('DEGRADED');
    const refused = await bot.tryOpen(LONG);
    expect(refused.status, refused.text).to.equal(409);
    expect(refused.text)
      .to.match(/only closing orders/)
      .and.match(/clock is 45 s off/);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
    bot.script.setClockOffset(0);
    bot.script.cutStreams();
    await live.untilStatus('UP');
    expect(await bot.open(LONG)).to.include({ status: 'COMPLETED' });
  });
}

const WORDS = [
  'melted',
  'internalCancel',
  'rejected',
  'outcomeSettledCanceled',
  'canceled-because',
  'tooManyOpenOrdersRejected',
  '',
];
const ENDED_WITHIN_MS = 30_000;

/** Words of orders, known and not, that are all that a venue says of them: streams and answers are silent. */
export function itHearsWords(
  suite: FaultSuite,
  {
    lose,
    say,
    resting,
  }: {
    /** The order executes, and neither its answer nor a stream tells of it. */
    readonly lose: () => void;
    /** From now on lookups say this of all orders. */
    readonly say: (status: string) => void;
    /** Words of orders that go on. */
    readonly resting: readonly string[];
  },
): void {
  const endedInTime = async (id: string) => {
    await suite.live.gateway.clock.advance(ENDED_WITHIN_MS);
    const execution = await suite.bot.execution(id);
    expect(execution.status).to.not.equal('ACTIVE');
    return execution;
  };

  it('no word keeps a basket locked, and what filled is booked @long', async function () {
    this.timeout(120_000);
    const { bot } = suite;
    const word = fc.oneof(fc.constantFrom(...WORDS, ...resting), fc.string({ maxLength: 12 }));
    await forAllAsync(
      [word, fc.boolean()],
      {
        ...propertyRuns(60, 4),
        examples: [...WORDS, ...resting].map((status) => [status, false] as [string, boolean]),
      },
      async (status, fills) => {
        // Sixty runs take longer than an access token lives.
        await suite.live.signIn();
        bot.script.setMark('BTC', '100000');
        const { positionId } = await bot.open(LONG);
        const before = bot.held()['BTC'];
        if (!fills) bot.script.setBook('BTC', [['50000', '9']], [['150000', '9']]);
        lose();
        say(status);
        await endedInTime(await bot.beginClose(positionId));
        expect(bot.held()['BTC']).to.equal(fills ? undefined : before);
        bot.script.clearFaults();
        bot.script.setMark('BTC', '100000');
        await expectExplained(bot);
        if (!fills) expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
        expect(bot.held()).to.deep.equal({});
      },
    );
  });

  it('an order that nothing tells the end of is told to a person, and the basket closes again', async () => {
    const { bot } = suite;
    const { positionId } = await bot.open(LONG);
    bot.script.setBook('BTC', [['50000', '9']], [['150000', '9']]);
    lose();
    say(resting[0] ?? 'open');
    const execution = await endedInTime(await bot.beginClose(positionId));
    expect(execution.orders[0]).to.include({ errorCode: 'NEEDS_REVIEW', filledQuantity: '0' });
    expect(await bot.categories()).to.include('ORDER_NEEDS_REVIEW');
    bot.script.clearFaults();
    bot.script.setMark('BTC', '100000');
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
  });
}

type DeniedCase = 'in the history' | 'nowhere' | 'in the position only';

interface Denial<A extends Account> {
  /** Streams and lookups no longer tell of orders. */
  readonly silence: (script: A['script']) => void;
  readonly lose: (name: DeniedCase, account: A) => void;
}

/** Each takes until long after the order's expiry, so that they run side by side. */
export function deniedLookups<A extends Account>(
  title: string,
  start: (dataDir: string) => Promise<Gateway<A>>,
  { silence, lose }: Denial<A>,
): void {
  describe(title, () => {
    const accounts = new Map<DeniedCase, A>();
    const ids = new Map<DeniedCase, string>();
    let live: Gateway<A>;
    const of = (name: DeniedCase) => {
      const [bot, id] = [accounts.get(name), ids.get(name)];
      if (bot === undefined || id === undefined) throw new Error(`no case ${name}`);
      return { bot, id };
    };

    before(async function () {
      this.timeout(90_000);
      live = await start(await temporaryFolder());
      for (const name of ['in the history', 'nowhere', 'in the position only'] as const)
        accounts.set(name, await live.account());
      silence(live.emulator.script);
      for (const [name, account] of accounts) {
        lose(name, account);
        ids.set(name, await account.beginOpen(LONG));
      }
    });
    after(() => live.close());
    beforeEach(function () {
      this.timeout(90_000);
    });

    it('its fill in the history ends an order that streams and lookups keep silent about @long', async () => {
      const { bot, id } = of('in the history');
      const execution = await bot.ended(id);
      expect(execution.orders[0]).to.include({ status: 'FILLED', filledQuantity: '0.002' });
      expect((await bot.position(execution.positionId)).legs[0]).to.include({ quantity: '0.002' });
      expectSentOnce(bot);
      await expectExplained(bot);
    });

    it('one that is neither in the history nor in the position never arrived, and is not sent again', async () => {
      const { bot, id } = of('nowhere');
      expect(await bot.ended(id)).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
      expect([bot.held(), bot.orderIds()]).to.deep.equal([{}, []]);
      await expectExplained(bot);
    });

    it('one that only the position tells of is kept open for a person, who is told, until the venue is right again @long', async () => {
      const { bot, id } = of('in the position only');
      await live.until('it needs review', async () => {
        const { orders } = await bot.execution(id);
        return orders[0].errorCode === 'NEEDS_REVIEW';
      });
      expect(await bot.execution(id)).to.include({ status: 'ACTIVE' });
      expect(await bot.categories()).to.include('ORDER_NEEDS_REVIEW');
      expectSentOnce(bot);
      live.emulator.script.clearFaults();
      const execution = await bot.ended(id);
      expect(execution.orders[0]).to.include({ status: 'FILLED', filledQuantity: '0.002' });
      expect(bot.held()).to.deep.equal({ BTC: '0.002' });
      await expectExplained(bot);
    });
  });
}
