/** A venue that lost its history gives trades the ids of earlier ones: nothing hangs, nothing is lost, somebody is told. */

import { expect } from 'chai';
import { engineDeskForEachTest, reasonsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

const FIRST = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
const SECOND = [leg('AAA', 'BUY', '500'), leg('CCC', 'SELL', '500')];

describe('a trade with the id of another one', () => {
  const desk = engineDeskForEachTest();

  const told = () => reasonsOf(desk, 'VENUE_HISTORY_LOST');
  /** Σ baskets of an instrument, signed. */
  const held = (symbol: string) =>
    desk.state.positions
      .of(desk.account.id)
      .flatMap(({ legs }) => legs)
      .filter((one) => one.symbol === symbol)
      .reduce((sum, one) => sum + Number(one.quantity) * (one.side === 'BUY' ? 1 : -1), 0);
  const expectAgreement = () => {
    for (const symbol of ['AAA-PERP', 'BBB-PERP', 'CCC-PERP'])
      expect(held(symbol), symbol).to.equal(Number(desk.venue.held(symbol)));
  };
  const problem = () => desk.reviews.problemOf(desk.account.id);

  it('ends the execution, fills the position and leaves the basket free, under review until resolved', async () => {
    await desk.opened(FIRST);
    desk.venue.countAnew();
    const second = await desk.opened(SECOND);
    expect(second.status).to.equal('COMPLETED');
    expect(desk.state.claims.isRunning(desk.account.id)).to.equal(false);
    expectAgreement();
    const all = await desk.fills();
    expect(all).to.have.length(4);
    expect(new Set(all.map(({ tradeId }) => tradeId)).size).to.equal(4);
    const own = all.filter(({ executionId }) => executionId === second.id);
    expect(own.map(({ positionId }) => positionId)).to.deep.equal([second.positionId, second.positionId]);
    const reviews = desk.reviews.of(desk.account.id);
    expect(reviews.map(({ recordedAs }) => recordedAs).sort()).to.deep.equal(
      own.map(({ tradeId }) => tradeId).sort(),
    );
    expect(reviews[0]).to.include({ executionId: second.id, resolvedAt: null });
    expect(problem()).to.contain('VENUE_HISTORY_LOST').and.to.contain('2 fills');
    expect(await told()).to.have.length(1);

    // The next one too, without another word of it.
    desk.venue.countAnew();
    expect((await desk.opened(FIRST)).status).to.equal('COMPLETED');
    expectAgreement();
    expect(await told()).to.have.length(1);
    expect(desk.reviews.of(desk.account.id)).to.have.length(4);

    // It stays across a restart.
    await desk.start();
    expect(desk.reviews.of(desk.account.id)).to.have.length(4);
    const [one] = desk.reviews.of(desk.account.id);
    const resolved = await desk.reviews.resolve(desk.account, [one?.id ?? '']);
    expect(resolved.ok && resolved.value.length).to.equal(1);
    expect((await desk.reviews.resolve(desk.account, null)).ok).to.equal(true);
    expect(problem()).to.equal(null);
    expect(await desk.reviews.resolve(desk.account, null)).to.deep.equal({ ok: true, value: [] });
    await desk.start();
    expect(desk.reviews.all).to.deep.equal([]);
  });

  it('the venue’s history, read again and again, brings nothing new of it', async () => {
    await desk.opened(FIRST);
    desk.venue.countAnew();
    await desk.opened(SECOND);
    const before = await desk.fills();
    for (let minutes = 0; minutes < 3; minutes += 1) await desk.pass(61_000);
    await desk.start();
    await desk.pass(61_000);
    expect(await desk.fills()).to.deep.equal(before);
    expect(desk.reviews.all).to.have.length(2);
    expectAgreement();
  });

  it('one of outside the gateway is recorded too, and not dropped as one that is known', async () => {
    await desk.opened(FIRST);
    desk.venue.countAnew();
    for (const quantity of ['1', '2'])
      desk.venue.trade({ symbol: 'CCC-PERP', side: 'BUY', quantity, venueOrderId: `theirs-${quantity}` });
    expect(desk.venue.fills.at(-1)?.tradeId).to.equal(desk.venue.fills[0]?.tradeId);
    await desk.pass(100);
    const waiting = await desk.store.provisionalFills(desk.account.id);
    expect(waiting.map(({ symbol, quantity }) => [symbol, quantity])).to.deep.equal([
      ['CCC-PERP', '1'],
      ['CCC-PERP', '2'],
    ]);
    expect(problem()).to.contain('a fill');
    await desk.pass(122_000);
    expect(await desk.store.provisionalFills(desk.account.id)).to.deep.equal(waiting);
  });

  it('one that was told without its order at first is the order’s in the end, and lies in no basket no more', async () => {
    desk.venue.behave(() => ({ answer: 'silent', streamed: 0, lookups: ['no_answer', 'no_answer'] }));
    const id = await desk.open(FIRST);
    await desk.advanceTo(() => desk.venue.fills.length === 2);
    for (const fill of desk.venue.fills)
      desk.venue.tell({ kind: 'fill', fill: { ...fill, clientOrderId: null } });
    await desk.advanceTo(() => desk.state.unassigned.everyLot(desk.account.id).length === 2);
    await desk.ended(id);
    expect((await desk.execution(id)).status).to.equal('COMPLETED');
    expectAgreement();
    expect(desk.state.unassigned.everyLot(desk.account.id)).to.deep.equal([]);
    expect(await desk.fills()).to.have.length(2);
    await desk.start();
    expect(desk.state.unassigned.everyLot(desk.account.id)).to.deep.equal([]);
  });

  it('the same trade told twice is one trade, and nothing to review', async () => {
    desk.venue.behave(() => ({ streamed: 2 }));
    await desk.opened(FIRST);
    for (const fill of desk.venue.fills)
      desk.venue.tell({ kind: 'fill', fill: { ...fill, price: '100.000' } });
    await desk.pass(61_000);
    expect(await desk.fills()).to.have.length(2);
    expect(desk.reviews.all).to.deep.equal([]);
    expectAgreement();
  });

  it('a process that dies between the commit and the end of the execution finds it again', async () => {
    await desk.opened(FIRST);
    desk.venue.countAnew();
    desk.dieAfterCommit = (unit) => (unit.fillReviews?.length ?? 0) > 0;
    const id = await desk.open(SECOND);
    await desk.advanceTo(() => !desk.isAlive);
    await desk.start();
    await desk.ended(id);
    expect((await desk.execution(id)).status).to.equal('COMPLETED');
    expectAgreement();
    expect(await desk.fills()).to.have.length(4);
    expect(desk.reviews.all).to.have.length(2);
  });

  it('so does one that dies before it, and one whose first attempt filled in part', async () => {
    await desk.opened(FIRST);
    desk.venue.countAnew();
    let sent = 0;
    desk.venue.behave(() => {
      sent += 1;
      return sent <= 2 ? { fraction: '0.5' } : {};
    });
    const id = await desk.open(SECOND, { onLegFailure: 'RETRY' });
    desk.dieAfterCommit = (unit) => (unit.fills?.length ?? 0) > 0;
    await desk.advanceTo(() => !desk.isAlive);
    await desk.start();
    await desk.ended(id);
    expectAgreement();
    expect(desk.reviews.all.length).to.be.greaterThan(1);
  });
});
