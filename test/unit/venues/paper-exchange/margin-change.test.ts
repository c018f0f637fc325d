/** Moving margin of isolated positions, figures by hand. See exchange-figures.test.ts for the flat market's book. */
import { expect } from 'chai';
import { createExchangeDesk } from '../../../support/exchange-desk.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { ACCOUNT, flatOrder, flatPaperVenues } from '../../../support/flat-paper-venue.ts';

const COVER = 'What remains would not cover the initial margin of the position';
const FREE = 'Free margin does not cover the amount';

/** 10 units bought at 100.1 with 10× isolated: 100.1 USD of margin, mark 100. */
function isolatedDesk() {
  const desk = createExchangeDesk();
  desk.setLeverage('AAA-PERP', 10, 'isolated');
  desk.place('BUY', '10', 'AAA-PERP', '101');
  return desk;
}

describe('paper exchange, isolated margin', () => {
  it('takes from free margin what it adds, and moves the liquidation price away', () => {
    const desk = isolatedDesk();
    // 100.1 − 1 of unrealised loss; fee 0.45045
    expect(desk.position('AAA-PERP')?.marginUsed).to.equal('99.1');
    expect(desk.balances()).to.deep.include({ equity: '99998.54955', freeMargin: '99899.44955' });
    const before = Number(desk.position('AAA-PERP')?.liquidationPrice);

    expect(desk.changeMargin('AAA-PERP', '200.5')).to.equal(null);
    expect(desk.position('AAA-PERP')?.marginUsed).to.equal('299.6');
    expect(desk.balances()).to.deep.include({ equity: '99998.54955', freeMargin: '99698.94955' });
    // 200.5 ÷ (10 × (1 − 0.025)) lower
    const after = Number(desk.position('AAA-PERP')?.liquidationPrice);
    expect(before - after).to.be.closeTo(200.5 / 9.75, 1e-9);
  });

  it('keeps a position alive that would have been liquidated', () => {
    for (const [added, held] of [
      [null, '0'],
      ['150', '10'],
    ] as const) {
      const desk = isolatedDesk();
      if (added !== null) expect(desk.changeMargin('AAA-PERP', added)).to.equal(null);
      desk.market.set('AAA-PERP', '85');
      desk.step();
      expect(desk.held('AAA-PERP').toFixed(), `${added}`).to.equal(held);
    }
  });

  it('gives back what is not needed, to the last unit and no further', () => {
    const desk = isolatedDesk();
    // Needed: 10 × 100 ÷ 10 = 100; there: 100.1 − 1.
    expect(desk.changeMargin('AAA-PERP', '-0.000001')).to.equal(COVER);
    desk.changeMargin('AAA-PERP', '50');
    expect(desk.changeMargin('AAA-PERP', '-49.100001')).to.equal(COVER);
    expect(desk.changeMargin('AAA-PERP', '-49.1')).to.equal(null);
    expect(desk.position('AAA-PERP')?.marginUsed).to.equal('100');
    expect(desk.changeMargin('AAA-PERP', '-0.000001')).to.equal(COVER);
  });

  it('does not pay out profit of an open position', () => {
    const desk = isolatedDesk();
    desk.market.set('AAA-PERP', '200');
    desk.step();
    // There: 100.1 + 999; needed: 200. Only what was put in can be taken.
    expect(desk.changeMargin('AAA-PERP', '-100.2')).to.equal(COVER);
    expect(desk.changeMargin('AAA-PERP', '-100.1')).to.equal(null);
    expect(desk.position('AAA-PERP')?.marginUsed).to.equal('999');
  });

  it('adds no more than is free', () => {
    const desk = isolatedDesk();
    const { freeMargin } = desk.balances();
    expect(desk.changeMargin('AAA-PERP', '99899.449551')).to.equal(FREE);
    expect(freeMargin).to.equal('99899.44955');
    expect(desk.changeMargin('AAA-PERP', freeMargin)).to.equal(null);
    expect(desk.balances().freeMargin).to.equal('0');
    expect(desk.changeMargin('AAA-PERP', '0.000001')).to.equal(FREE);
  });

  it('returns the added margin with the position, in shares', () => {
    const desk = isolatedDesk();
    desk.changeMargin('AAA-PERP', '100');
    desk.place('SELL', '4', 'AAA-PERP', '99');
    // 200.1 × 6 ÷ 10
    expect(desk.account().positions.get('AAA-PERP')?.isolatedMargin?.toFixed()).to.equal('120.06');
    desk.place('SELL', '6', 'AAA-PERP', '99');
    expect(desk.balances().marginUsed).to.equal('0');
  });

  it('refuses what it cannot do, and says why', () => {
    const desk = isolatedDesk();
    desk.place('BUY', '1', 'BBB-PERP', '101');
    const entries = desk.entries.length;
    expect(desk.changeMargin('NOPE-PERP', '1')).to.equal('There is no instrument NOPE-PERP');
    expect(desk.changeMargin('CCC-PERP', '1')).to.equal('There is no position in CCC-PERP');
    expect(desk.changeMargin('BBB-PERP', '1')).to.equal('The position in BBB-PERP has cross margin');
    for (const amount of ['0', '-0', '0.0000001', '1e3', 'x', '', '1.', '+1', ' 1']) {
      expect(desk.changeMargin('AAA-PERP', amount), amount).to.match(/^The amount must be a number of USDC/);
    }
    expect(desk.entries).to.have.length(entries);
  });
});

describe('paper venue, isolated margin', () => {
  const venues = flatPaperVenues();
  const clock = createFakeClock();

  it('is on disk before it is answered: a kill does not undo it', async () => {
    const venue = await venues.start(clock);
    expect(venue.info.capabilities).to.include('margin_change');
    const setting = { symbol: 'AAA-PERP', leverage: 10, marginMode: 'isolated' } as const;
    await venue.setLeverage(ACCOUNT, setting);
    await venue.placeBatch(ACCOUNT, [flatOrder(clock, 'one', { quantity: '10' })]);
    expect(await venue.changeMargin(ACCOUNT, { symbol: 'AAA-PERP', amount: '25' })).to.deep.include({
      ok: true,
    });
    expect(await venue.changeMargin(ACCOUNT, { symbol: 'AAA-PERP', amount: '-26' })).to.deep.equal({
      ok: false,
      error: { kind: 'rejected', message: COVER },
    });
    // Not stopped: a second one on the same files is what a restart after a kill looks like.
    const again = await venues.start(clock);
    const positions = await again.positions(ACCOUNT);
    expect(positions.ok && positions.value[0]?.marginUsed).to.equal('124.1');
  });
});
