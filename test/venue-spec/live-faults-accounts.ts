/** Keys, subaccounts, instruments and clocks of a live venue that go wrong, and what never leaves for it. */
import { expect } from 'chai';
import { until } from '../support/until.ts';
import type { Begin, Desk, LiveVenue } from './live-venue.ts';

export function accountsSpec<D extends Desk>(venue: LiveVenue<D>, begin: Begin<D>): void {
  for (const [how, endKey] of Object.entries(venue.endKey)) {
    it(`a key that ${how} in the middle of the day is told as such, for orders and settings`, async () => {
      const desk = await begin();
      const told: string[] = [];
      desk.venue.onRefusedKey?.((account, reason) => told.push(`${account.tradeAccountId} ${reason}`));
      endKey(desk);
      const outcome = await desk.placeOne();
      expect(outcome).to.include({ kind: 'rejected', reason: 'other' });
      expect(outcome.kind === 'rejected' ? outcome.message : '').to.match(venue.keyRefusal);
      expect([told.length, desk.warnings(/refuses the key/).length]).to.deep.equal([1, 1]);
      const set = await desk.setLeverage();
      expect(set.ok ? null : set.error.kind).to.equal('auth');
      expect([told.length, desk.warnings(/refuses the key/).length]).to.deep.equal([2, 2]);
      for (const one of told) expect(one).to.include(desk.test.account.tradeAccountId);
      // Requests without a key go on.
      expect(await desk.positions()).to.deep.equal([]);
    });
  }

  it('a key is wiped when its account is closed: nothing is signed any more', async () => {
    const desk = await begin();
    desk.venue.closeAccount?.(desk.test.account);
    desk.script.clearTraffic();
    expect(await desk.placeOne()).to.include({ kind: 'not_sent' });
    const told = await desk.venue.balances(desk.test.account);
    expect(told.ok ? null : told.error.kind).to.equal('not_ready');
    expect(desk.count(venue.orderTraffic)).to.equal(0);
  });

  it('a subaccount is an account like any other, traded on its own', async () => {
    const desk = await begin();
    const { account, access } = venue.subaccount(desk);
    expect(await desk.venue.openAccount(account, access)).to.deep.include({ ok: true });
    await desk.venue.placeBatch(account, [desk.order()]);
    await until(desk.clock, 'it is held there', () => desk.held('BTC', account) === '0.001');
    expect(desk.held()).to.equal('0');
    const balances = await desk.venue.balances(account);
    expect(balances.ok ? Number(balances.value.equity) : 0).to.be.within(4_990, 5_000);
  });

  it('an instrument of thousands counts single coins: prices, quantities, fills and positions', async () => {
    const desk = await begin();
    const wanted = { symbol: 'PEPE', stepSize: '1000', tickSize: '0.000000001' };
    expect(desk.instrument('PEPE-PERP')).to.include(wanted);
    const order = desk.order({ symbol: 'PEPE-PERP', quantity: '2000000', limitPrice: '0.0000127' });
    const filled = { kind: 'done', state: 'filled', filledQuantity: '2000000' };
    expect(await desk.trade(order)).to.include(filled);
    await desk.untilFills(1);
    const [found] = await desk.lookUp(order);
    expect(found).to.include(filled);
    for (const fill of [desk.fills[0], found?.kind === 'done' ? found.fills[0] : undefined]) {
      expect(fill).to.include({ quantity: '2000000' });
      expect(Number(fill?.price)).to.be.within(0.0000124, 0.0000127);
    }
    expect((await desk.positions())[0]).to.include({ symbol: 'PEPE-PERP', quantity: '2000000' });
    expect(desk.held(venue.thousandPepe)).to.equal('2000');
  });

  it('instruments whose list does not come are those of the last run, and prices wait for the venue', async () => {
    const settings = new Map<string, string>();
    const earlier = await begin({ settings });
    const before = earlier.venue.instruments();
    await earlier.close();
    const desk = await begin({
      settings,
      prepare: ({ script }) => script.fault({ on: venue.listRequest, do: 'status', code: 503, times: null }),
    });
    expect(desk.venue.instruments()).to.deep.equal(before);
  });

  it('what leaves holds nobody else’s fee and no key, and goes to the venue alone', async () => {
    const settings = new Map<string, string>();
    const bytes: Buffer[] = [];
    const desk = await begin({ settings, tap: (chunk) => bytes.push(chunk) });
    const { venue: adapter, test } = desk;
    await adapter.checkCredentials?.(test.access);
    const basket = desk.basket();
    await desk.place(...basket);
    for (const order of basket) await desk.ended(order);
    await desk.cancel(await desk.rest({ limitPrice: '90000' }));
    await desk.setLeverage('SOL-PERP');
    await desk.history(await desk.cursor());
    await adapter.openOrders(test.account);
    await desk.lookUp(...basket);
    await adapter.check?.(
      test,
      () => {},
      () => {},
    );
    const sent = decodeURIComponent(Buffer.concat(bytes).toString('latin1'));
    expect(sent).to.include(venue.orderRequest);
    for (const foreign of venue.foreignWords)
      expect(sent.toLowerCase().includes(foreign.toLowerCase()), foreign).to.equal(false);
    const key = venue.privateKey(desk);
    expect(sent.includes(key), 'the private key').to.equal(false);
    expect([...settings.values()].join().includes(key), 'the private key on disk').to.equal(false);
    expect(JSON.stringify(desk.logger.lines).includes(key), 'in the log').to.equal(false);
    const lines = bytes.flatMap((chunk) => chunk.toString('latin1').split('\r\n'));
    const requests = lines.filter((line) => /^(GET|POST) /.test(line));
    expect(requests.length).to.be.greaterThan(10);
    for (const line of requests) expect(line).to.match(venue.requestLine).and.not.match(/auth/i);
    const hosts = new Set(lines.filter((line) => /^host:/i.test(line)).map((line) => line.slice(5).trim()));
    expect([...hosts]).to.deep.equal([new URL(desk.emulator.url).host]);
  });
}

export function clockSpec<D extends Desk>(venue: LiveVenue<D>, begin: Begin<D>): void {
  it('that is wrong by seconds is a warning: orders go on, their expiry in the venue’s time', async () => {
    const desk = await begin({ prepare: ({ script }) => script.setClockOffset(-3_000) });
    await until(desk.clock, 'it was measured', () => desk.warnings(/clock differs/).length === 1);
    expect(desk.venue.status()).to.include({ status: 'UP' });
    const expiresAt = desk.clock.now() + 5_000;
    expect(await desk.trade(desk.order({ expiresAt }))).to.include({ kind: 'done', state: 'filled' });
    expect(venue.sentExpiry(desk) - expiresAt).to.be.within(-3_500, -2_500);
  });

  it('makes an expiry pass too early: the time is asked once more, and the same order then goes through', async () => {
    const desk = await begin();
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
    const desk = await begin();
    const order = desk.order({ expiresAt: desk.clock.now() - 1_000 });
    expect(await desk.placeOne(order)).to.include({ kind: 'rejected', reason: 'expired' });
    expect([desk.sentTimes(order), desk.held()]).to.deep.equal([1, '0']);
  });

  for (const offsetMs of [40_000, -40_000]) {
    it(`that is wrong by more than 30 s (${offsetMs} ms) takes only what closes, and says so`, async () => {
      const desk = await begin({ prepare: ({ script }) => script.setClockOffset(offsetMs) });
      await until(desk.clock, 'it was measured', () => desk.venue.status().status === 'DEGRADED');
      expect(desk.venue.status()).to.include({ trading: 'CLOSE_ONLY' });
      expect(desk.venue.status().reason).to.match(/40 s off/);
      desk.buyElsewhere('BTC', '0.001', '100000');
      expect(await desk.trade(desk.closing())).to.include({ kind: 'done', state: 'filled' });
      expect(desk.held()).to.equal('0');
    });
  }
}
