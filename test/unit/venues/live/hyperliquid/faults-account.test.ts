/** An emulated Hyperliquid with accounts of other kinds, limits, a wrong clock and instruments that end. */
import { expect } from 'chai';
import type { VenueAccess } from '../../../../../gateway/engine/ports/venue.ts';
import { until } from '../../../../support/until.ts';
import { unwrap } from '../../../../support/unwrap.ts';
import { type DeskOptions, VenueDesk } from '../../../../support/venues/hyperliquid/venue-desk.ts';

const DAY_MS = 86_400_000;

describe('accounts, limits and clocks at Hyperliquid, when things go wrong', () => {
  let desk: VenueDesk;
  const begin = async (options: DeskOptions = {}) => {
    desk = await VenueDesk.start(options);
  };
  afterEach(() => desk.close());
  const check = (change: Partial<VenueAccess['credentials']> = {}) => {
    const credentials = { ...desk.test.access.credentials, ...change } as VenueAccess['credentials'];
    return desk.venue.checkCredentials?.({ network: 'mainnet', credentials });
  };

  it('a unified account, whose perpetuals read 0, has the collateral of its spot balance', async () => {
    await begin({
      account: ({ script }, { account }) =>
        script.setAbstraction(account.exchangeIdentifier, 'unifiedAccount'),
    });
    await desk.placeOne(desk.order({ quantity: '0.1' }));
    const balances = unwrap(await desk.venue.balances(desk.test.account));
    const { value } = desk.script.state(desk.user);
    expect(Number(balances.equity)).to.be.closeTo(Number(value), 0.01).and.greaterThan(99_000);
    expect(Number(balances.freeMargin)).to.be.within(1, Number(balances.equity));
    expect((await desk.positions())[0]?.quantity).to.equal('0.1');
  });

  it('an account in portfolio margin is refused at its connection', async () => {
    await begin();
    desk.script.setAbstraction(desk.user, 'portfolioMargin');
    const told = await check();
    expect(told?.ok === false ? told.error.kind : told).to.equal('refused');
  });

  it('the address of an agent, whose lists are empty, is refused as an account, and nothing else is asked of it', async () => {
    await begin();
    const agent = `0x${'ab'.repeat(20)}`;
    desk.script.addAgent(desk.user, agent, 'another');
    const told = await check({ accountAddress: agent });
    expect(told?.ok === false ? told.error : told).to.include({ kind: 'refused', path: 'accountAddress' });
    await desk.placeOne();
    await desk.cursor();
    const about = desk.script
      .sentContaining(agent)
      .filter((text) => !/"type":"user(Role|Abstraction)"/.test(text));
    expect(about).to.deep.equal([]);
  });

  it('where weight is scarce, an account is read every two seconds, however many plans ask', async () => {
    await begin({ weightPerMinute: 1_200 });
    const cursor = await desk.cursor();
    const histories = Array.from({ length: 60 }, () => desk.venue.history(desk.test.account, cursor));
    const untilScarce = desk.clock.uptime() + 60_000;
    while (desk.clock.uptime() < untilScarce) await desk.venue.positions(desk.test.account);
    desk.script.clearTraffic();
    const ends = desk.clock.uptime() + 30_000;
    while (desk.clock.uptime() < ends) await desk.venue.positions(desk.test.account);
    expect(desk.count('clearinghouseState')).to.be.within(14, 17);
    expect(desk.script.mostInAMinute()).to.be.at.most(1_200);
    await Promise.all(histories);
  });

  describe('requests that the account has left', () => {
    // 1,000 and one for each of the 200 USDC that it has traded.
    const left = (count: number): DeskOptions => ({
      account: ({ script }, { account }) => {
        script.tradeElsewhere(account.exchangeIdentifier, 'SOL', 'buy', '1', '200');
        script.setRequests(account.exchangeIdentifier, 1_200 - count, 1_000);
      },
    });
    const untilHeldBack = () =>
      until(
        desk.clock,
        'openings are held back',
        async () => (await desk.placeOne(desk.order({ quantity: '0.0002' }))).kind === 'not_sent',
      );

    it('are kept for closes and cancels, once they are few', async () => {
      await begin(left(140));
      const resting = desk.order({ timeInForce: 'GTC', limitPrice: '90000' });
      expect(await desk.placeOne(resting)).to.include({ kind: 'resting' });
      await untilHeldBack();
      const used = desk.script.state(desk.user).requestsUsed;
      expect(await desk.placeOne()).to.include({ kind: 'not_sent' });
      expect(desk.script.state(desk.user).requestsUsed).to.equal(used);
      const close = desk.closing({ symbol: 'SOL-PERP', quantity: '1', limitPrice: '198' });
      expect(await desk.placeOne(close)).to.include({ kind: 'done', state: 'filled' });
      expect(await desk.cancel(resting)).to.deep.include({ ok: true });
    });

    it('cost a batch one for each leg', async () => {
      // One batch may leave before what is left is known here: the next one must not, and a single order may.
      await begin(left(107));
      await until(desk.clock, 'what is left was asked for', () => desk.count('userRateLimit'));
      await desk.venue.positions(desk.test.account);
      // Legs of a basket expire at one moment, and are one action therefore.
      const batch = () => {
        const expiresAt = desk.clock.now() + 5_000;
        return desk.place(...Array.from({ length: 4 }, () => desk.order({ quantity: '0.0002', expiresAt })));
      };
      await until(desk.clock, 'the batch is held back', async () =>
        (await batch()).every(({ kind }) => kind === 'not_sent'),
      );
      const { requestsUsed } = desk.script.state(desk.user);
      // The address's limit holds requests back too, for a moment, after all that a start reads.
      await until(
        desk.clock,
        'one order goes',
        async () => (await desk.placeOne(desk.order({ quantity: '0.0002' }))).kind === 'done',
      );
      expect(desk.script.state(desk.user).requestsUsed).to.equal(requestsUsed + 1);
      expect((await batch()).map(({ kind }) => kind)).to.deep.equal(Array(4).fill('not_sent'));
    });

    it('used up, by the venue’s word: not sent, not refused, and again later', async () => {
      await begin();
      desk.script.setRequests(desk.user, 1_000_000);
      // One is let through every ten seconds.
      await desk.placeOne();
      const order = desk.order();
      const outcome = await desk.placeOne(order);
      expect(outcome).to.include({ kind: 'not_sent' });
      expect(outcome.kind === 'not_sent' ? outcome.message : '').to.match(/Too many cumulative requests/);
      expect(outcome.kind === 'not_sent' ? outcome.retryAt : 0).to.be.greaterThan(desk.clock.now());
      const set = await desk.setLeverage();
      expect(set.ok ? null : set.error.kind).to.equal('throttled');
      desk.script.setRequests(desk.user, 0);
      expect(await desk.placeOne(desk.closing())).to.include({ kind: 'done' });
    });
  });

  describe('a clock that is wrong', () => {
    it('makes nonces fall outside the venue’s window: not sent, and good after the time was asked', async () => {
      await begin();
      desk.script.setClockOffset(3 * DAY_MS);
      const order = desk.order();
      expect(await desk.placeOne(order)).to.include({ kind: 'not_sent' });
      expect(await desk.placeOne(order)).to.include({ kind: 'done', state: 'filled' });
    });

    it('is not blamed for an order that is too late by any clock, also where the venue says nothing', async () => {
      await begin();
      desk.script.setLateExpiry('silence');
      const silent = desk.order({ expiresAt: desk.clock.now() - 1_000 });
      expect(await desk.placeOne(silent)).to.include({ kind: 'unknown' });
      expect((await desk.lookUp(silent))[0]).to.include({ kind: 'not_found' });
    });
  });

  it('an instrument that is delisted, or whose state nobody knows, is there but not tradable; closing it is the venue’s to refuse', async () => {
    await begin();
    expect(desk.instrument('MATIC-PERP')?.tradeability).to.deep.equal({
      status: 'not_tradable',
      reason: 'delisted',
    });
    desk.script.tradeElsewhere(desk.user, 'MATIC', 'buy', '100', '0.5');
    expect((await desk.positions())[0]).to.include({ symbol: 'MATIC-PERP', quantity: '100' });
    const close = desk.closing({ symbol: 'MATIC-PERP', quantity: '100', limitPrice: '0.49' });
    expect(await desk.placeOne(close)).to.include({ kind: 'rejected' });
    expect(desk.sentTimes(close)).to.equal(1);
    desk.script.halt('BTC', true);
    expect(await desk.placeOne()).to.include({ kind: 'rejected' });
    desk.script.halt('BTC', false);
    expect(await desk.placeOne()).to.include({ kind: 'done' });
  });
});
