/** An account at Hyperliquid whose mode changes while it is open: its figures never show money that did not move. */
import { expect } from 'chai';
import fc from 'fast-check';
import { forAllAsync, propertyRuns } from '../../../../support/property-runs.ts';
import { until } from '../../../../support/until.ts';
import { VenueDesk } from '../../../../support/venues/hyperliquid/venue-desk.ts';

type Mode = Parameters<VenueDesk['script']['setAbstraction']>[1];

/** Figures are rounded to six decimals at the venue. */
const CENT = 0.01;
/** Between two looks at the account. */
const LOOK_MS = 700;

describe('the mode of an account at Hyperliquid', () => {
  let desk: VenueDesk;
  let settings: Map<string, string>;
  /** Equities that were told, and how far each is from the nearest true one of the last seconds. */
  let told: { readonly equity: number; readonly off: number }[];
  let truths: { readonly at: number; readonly value: number }[];

  async function begin(): Promise<void> {
    settings = new Map();
    told = [];
    truths = [];
    desk = await VenueDesk.start({ settings });
  }
  beforeEach(begin);
  afterEach(() => desk.close());

  /** A reading may be this old where nothing is known to have happened since. */
  const READING_MS = 6_000;
  function note(equity: string): void {
    const now = desk.clock.uptime();
    truths = truths.filter(({ at }) => now - at <= READING_MS);
    truths.push({ at: now, value: Number(desk.script.state(desk.user).value) });
    told.push({
      equity: Number(equity),
      off: Math.min(...truths.map(({ value }) => Math.abs(value - Number(equity)))),
    });
  }

  /** Looks once at what the adapter says, as a plan does and as whoever samples the equity does. */
  async function look(): Promise<boolean> {
    const kept = desk.venue.accountState?.(desk.test.account);
    if (kept != null) note(kept.balances.equity);
    const asked = await desk.venue.balances(desk.test.account);
    if (asked.ok) note(asked.value.equity);
    return asked.ok;
  }

  async function lookFor(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += LOOK_MS) {
      await look();
      await desk.clock.advance(LOOK_MS);
    }
  }

  function expectTruth(): void {
    expect(told).to.have.length.greaterThan(0);
    expect(told.filter(({ off }) => off > CENT)).to.deep.equal([]);
  }

  const mode = () => desk.venue.accountStatus?.(desk.test.account)?.mode;
  const questions = () => desk.count('userAbstraction');

  for (const says of ['zero', 'positions'] as const) {
    it(`a standard account with a position becomes unified (summary: ${says}): equity and free margin stay`, async () => {
      desk.script.setUnifiedSummary(says);
      await desk.placeOne(desk.order({ quantity: '0.1' }));
      await lookFor(10_000);
      const before = await desk.venue.balances(desk.test.account);
      desk.script.setAbstraction(desk.user, 'unifiedAccount');
      await lookFor(20_000);
      expectTruth();
      const after = await desk.venue.balances(desk.test.account);
      if (!before.ok || !after.ok) throw new Error('no balances');
      for (const field of ['balance', 'equity', 'marginUsed', 'freeMargin'] as const)
        expect(Number(after.value[field]), field).to.be.closeTo(Number(before.value[field]), CENT);
      expect(mode()).to.include({ name: 'unified' });
      expect(mode()?.changedAt).to.be.a('number');
    });
  }

  it('and standard again, with its figures from the perpetuals', async () => {
    await desk.placeOne(desk.order({ quantity: '0.1' }));
    desk.script.setAbstraction(desk.user, 'unifiedAccount');
    await lookFor(10_000);
    expect(mode()).to.include({ name: 'unified' });
    desk.script.setAbstraction(desk.user, 'disabled');
    await lookFor(10_000);
    expect(mode()).to.include({ name: 'standard' });
    expectTruth();
  });

  it('an account without positions that becomes unified is followed at once', async () => {
    await lookFor(5_000);
    desk.script.setAbstraction(desk.user, 'unifiedAccount');
    await lookFor(5_000);
    expect(mode()).to.include({ name: 'unified' });
    expectTruth();
  });

  it('a change that no figure shows is found within four minutes, and costs one question in three @long', async () => {
    await desk.clock.advance(60_000);
    desk.script.clearTraffic();
    await desk.clock.advance(600_000);
    expect(questions()).to.be.within(3, 4);
    desk.script.setAbstraction(desk.user, 'disabled');
    desk.script.setAbstraction(desk.user, 'portfolioMargin');
    desk.script.deposit(desk.user, '-100000');
    await until(desk.clock, 'it is found', () => mode()?.name === 'portfolio margin', 240_000);
  });

  it('while the venue does not say the mode, figures that show a change are not told, and closes go on', async () => {
    const order = desk.order({ quantity: '0.1' });
    await desk.placeOne(order);
    await lookFor(5_000);
    desk.script.fault({ on: 'userAbstraction', do: 'status', code: 502, times: null });
    desk.script.setAbstraction(desk.user, 'unifiedAccount');
    await lookFor(20_000);
    expect(await look()).to.equal(false);
    expect(await desk.placeOne(desk.closing({ quantity: '0.1' }))).to.include({ kind: 'done' });
    desk.script.clearFaults();
    await until(desk.clock, 'it is known again', look);
    await lookFor(5_000);
    expectTruth();
    expect(mode()).to.include({ name: 'unified' });
  });

  for (const on of ['clearinghouseState', 'spotClearinghouseState', 'userAbstraction'])
    for (const when of ['before', 'after'] as const)
      it(`a change just ${when} ${on} is answered, in both directions, moves no money${when === 'after' && on === 'userAbstraction' ? '' : ' @long'}`, async () => {
        await desk.placeOne(desk.order({ quantity: '0.1' }));
        await lookFor(1_000);
        const account = desk.user;
        // The last of both is asked about a mode that is not there any more.
        desk.script.setAbstraction(account, 'unifiedAccount');
        desk.script.fault({ on, do: 'change_mode', account, mode: 'disabled', when });
        await lookFor(6_000);
        desk.script.fault({ on, do: 'change_mode', account, mode: 'unifiedAccount', when });
        await lookFor(6_000);
        desk.script.fault({ on, do: 'change_mode', account, mode: 'default', when });
        await lookFor(6_000);
        expectTruth();
      });

  for (const [next, name] of [
    ['portfolioMargin', 'portfolio margin'],
    ['somethingNew' as Mode, 'somethingNew'],
  ] as const)
    it(`an account that goes to ${next} keeps its figures and closes, and opens nothing @long`, async () => {
      await desk.placeOne(desk.order({ quantity: '0.1' }));
      await lookFor(5_000);
      desk.script.setAbstraction(desk.user, next);
      // Known by its periodic question where no figure has changed.
      await until(desk.clock, 'it is followed', () => mode()?.name === name, 240_000);
      await lookFor(5_000);
      expectTruth();
      const status = desk.venue.accountStatus?.(desk.test.account);
      expect(status).to.include({ status: 'DEGRADED', trading: 'CLOSE_ONLY' });
      expect(status?.reason).to.match(new RegExp(name));
      expect(await desk.placeOne(desk.closing({ quantity: '0.1' }))).to.include({ kind: 'done' });
    });

  it('an account in portfolio margin since it was opened keeps its credentials when they are checked again @long', async () => {
    desk.script.setAbstraction(desk.user, 'portfolioMargin');
    await until(desk.clock, 'it is followed', () => mode()?.name === 'portfolio margin');
    const checked = await desk.venue.checkCredentials?.(desk.test.access);
    expect(checked?.ok).to.equal(true);
  });

  it('USDC of the spot wallet counts from the change on, as it is margin then', async () => {
    desk.script.setSpot(desk.user, 'USDC', '500');
    await lookFor(5_000);
    desk.script.setAbstraction(desk.user, 'unifiedAccount');
    await lookFor(5_000);
    expectTruth();
    expect(told.at(-1)?.equity).to.be.closeTo(100_500, CENT);
  });

  it('a mode that changed while the gateway was off is known before its first figures are told', async () => {
    await desk.placeOne(desk.order({ quantity: '0.1' }));
    await lookFor(5_000);
    await desk.venue.stop();
    desk.script.setUnifiedSummary('positions');
    desk.script.setAbstraction(desk.user, 'unifiedAccount');
    desk = await VenueDesk.again(desk, settings);
    await lookFor(5_000);
    expectTruth();
    const changedAt = mode()?.changedAt;
    expect(changedAt).to.be.a('number');
    await desk.venue.stop();
    await desk.clock.advance(600_000);
    desk = await VenueDesk.again(desk, settings);
    await lookFor(5_000);
    // The time of the change outlives the process: whoever was told is not told again.
    expect(mode()).to.include({ name: 'unified', changedAt });
  });

  type Question = 'clearinghouseState' | 'spotClearinghouseState' | 'userAbstraction';
  type Step =
    | { readonly do: 'mode'; readonly mode: Mode }
    | {
        readonly do: 'within';
        readonly mode: Mode;
        readonly on: Question;
        readonly when: 'before' | 'after';
      }
    | { readonly do: 'silence'; readonly on: Question }
    | { readonly do: 'trade'; readonly isBuy: boolean }
    | { readonly do: 'pass'; readonly ms: number }
    | { readonly do: 'kill'; readonly downMs: number };

  async function take(one: Step): Promise<void> {
    const account = desk.user;
    if (one.do === 'mode') desk.script.setAbstraction(account, one.mode);
    else if (one.do === 'within')
      desk.script.fault({ do: 'change_mode', account, on: one.on, mode: one.mode, when: one.when });
    else if (one.do === 'silence') desk.script.fault({ on: one.on, do: 'status', code: 502, times: 2 });
    else if (one.do === 'trade')
      desk.script.tradeElsewhere(account, 'BTC', one.isBuy ? 'buy' : 'sell', '0.01', '100000');
    else if (one.do === 'pass') await lookFor(one.ms);
    else {
      await desk.venue.stop();
      await desk.clock.advance(one.downMs);
      desk = await VenueDesk.again(desk, settings);
    }
  }

  /** Takes the steps with a position, and looks at what is told meanwhile and in the end. */
  async function follow(says: 'zero' | 'positions', steps: readonly Step[]): Promise<void> {
    desk.script.setUnifiedSummary(says);
    await desk.placeOne(desk.order({ quantity: '0.1' }));
    for (const one of steps) {
      await take(one);
      await look();
    }
    desk.script.clearFaults();
    await until(desk.clock, 'it is known in the end', look);
    await lookFor(12_000);
    expectTruth();
  }

  it('a change and back while it is read tells no loss', async () => {
    await follow('zero', [
      { do: 'within', mode: 'default', on: 'userAbstraction', when: 'before' },
      { do: 'within', mode: 'unifiedAccount', on: 'clearinghouseState', when: 'before' },
      { do: 'trade', isBuy: false },
      { do: 'trade', isBuy: false },
      { do: 'kill', downMs: 0 },
      { do: 'pass', ms: 100 },
    ]);
    await desk.close();
    await begin();
    await follow('zero', [
      { do: 'within', mode: 'portfolioMargin', on: 'spotClearinghouseState', when: 'after' },
      { do: 'within', mode: 'default', on: 'spotClearinghouseState', when: 'before' },
      { do: 'mode', mode: 'portfolioMargin' },
      { do: 'mode', mode: 'default' },
      { do: 'silence', on: 'clearinghouseState' },
    ]);
  });

  it('any order of changes, trades, kills and silences tells the true equity or none @long', async function () {
    this.timeout(120_000);
    const modes: readonly Mode[] = ['default', 'disabled', 'unifiedAccount', 'portfolioMargin'];
    const questions: readonly Question[] = [
      'clearinghouseState',
      'spotClearinghouseState',
      'userAbstraction',
    ];
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom(...modes) }),
      fc.record({
        do: fc.constant('within' as const),
        mode: fc.constantFrom(...modes),
        on: fc.constantFrom(...questions),
        when: fc.constantFrom('before' as const, 'after' as const),
      }),
      fc.record({ do: fc.constant('silence' as const), on: fc.constantFrom(...questions) }),
      fc.record({ do: fc.constant('trade' as const), isBuy: fc.boolean() }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 100, max: 6_000 }) }),
      fc.record({ do: fc.constant('kill' as const), downMs: fc.integer({ min: 0, max: 60_000 }) }),
    );
    await forAllAsync(
      [
        fc.constantFrom('zero' as const, 'positions' as const),
        fc.array(step, { minLength: 4, maxLength: 12 }),
      ],
      propertyRuns(100, 6),
      async (says, steps) => {
        await desk.close();
        await begin();
        await follow(says, steps);
      },
    );
  });
});
