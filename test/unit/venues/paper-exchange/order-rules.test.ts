import { expect } from 'chai';
import { createExchangeDesk, DESK_START } from '../../../support/exchange-desk.ts';
import { createFlatMarket, flatInstrument } from '../../../support/flat-market.ts';

const LISTED = [
  flatInstrument('AAA-PERP'),
  flatInstrument('FIG-PERP', { maxSignificantFigures: 5, tickSize: '0.0001' }),
  flatInstrument('OFF-PERP', { tradeability: { status: 'not_tradable', reason: 'delisted' } }),
  flatInstrument('RED-PERP', { tradeability: { status: 'reduce_only', reason: null } }),
];
const deskOf = () =>
  createExchangeDesk(
    createFlatMarket({ startAt: DESK_START, instruments: LISTED, prices: { 'FIG-PERP': '123.4' } }),
  );

describe('paper exchange, what it refuses', () => {
  const refused: readonly [string, Parameters<ReturnType<typeof deskOf>['place']>, string][] = [
    [
      'an order that arrives after it expired',
      ['BUY', '1', 'AAA-PERP', '101', { expiresAt: DESK_START - 1 }],
      'expired',
    ],
    ['an unknown instrument', ['BUY', '1', 'ZZZ-PERP', '101'], 'not_tradable'],
    ['an instrument that is not tradable', ['BUY', '1', 'OFF-PERP', '101'], 'not_tradable'],
    ['opening where only reducing is allowed', ['BUY', '1', 'RED-PERP', '101'], 'reduce_only'],
    ['a quantity off the step', ['BUY', '1.0005', 'AAA-PERP', '101'], 'tick'],
    ['nothing', ['BUY', '0', 'AAA-PERP', '101'], 'tick'],
    ['a price off the tick', ['BUY', '1', 'AAA-PERP', '101.005'], 'tick'],
    ['a sixth significant figure', ['BUY', '1', 'FIG-PERP', '124.005'], 'tick'],
    ['a price far from the mark', ['BUY', '1', 'AAA-PERP', '181'], 'price'],
    ['a value below the minimum', ['BUY', '0.099', 'AAA-PERP', '101'], 'minimum'],
    ['reduce-only without a position', ['BUY', '1', 'AAA-PERP', '101', { reduceOnly: true }], 'reduce_only'],
    ['more than free margin covers', ['BUY', '6000', 'AAA-PERP', '101', { timeInForce: 'GTC' }], 'margin'],
    ['a position above the last tier', ['BUY', '60000', 'AAA-PERP', '101'], 'margin'],
    ['an exponent', ['BUY', '1e1', 'AAA-PERP', '101'], 'other'],
  ];
  for (const [name, order, reason] of refused) {
    it(`${name}: ${reason}`, () => {
      const desk = deskOf();
      const outcome = desk.place(...order);
      expect(outcome).to.deep.include({ kind: 'rejected', reason });
      expect(desk.account().history).to.deep.equal([]);
    });
  }

  it('accepts a fifth significant figure', () => {
    expect(deskOf().place('BUY', '1', 'FIG-PERP', '124.05')).to.deep.include({
      kind: 'done',
      state: 'filled',
    });
  });

  it('clips reduce-only to the position and waives the minimum for it', () => {
    const desk = deskOf();
    desk.place('BUY', '1', 'AAA-PERP', '101');
    desk.place('SELL', '0.95', 'AAA-PERP', '99');
    const outcome = desk.place('SELL', '3', 'AAA-PERP', '99', { reduceOnly: true });
    expect(outcome).to.deep.include({ kind: 'done', state: 'cancelled', filledQuantity: '0.05' });
    expect(desk.held('AAA-PERP').toFixed()).to.equal('0');
  });

  it('rests what a GTC does not find at once, fills the rest as a maker, and keeps fills when it is cancelled', () => {
    const desk = createExchangeDesk();
    // 20 units are offered up to 100.2.
    const outcome = desk.place('BUY', '45', 'AAA-PERP', '100.2', { timeInForce: 'GTC' });
    expect(outcome).to.deep.include({ kind: 'resting', filledQuantity: '20' });
    desk.market.set('AAA-PERP', '100');
    desk.step();
    const record = desk.account().orders.get('order-1');
    expect(record?.filled.toFixed()).to.equal('40');
    expect(record?.fills.map(({ liquidity, price, quantity }) => [liquidity, price, quantity])).to.deep.equal(
      [
        ['TAKER', '100.1', '10'],
        ['TAKER', '100.2', '10'],
        ['MAKER', '100.2', '20'],
      ],
    );
    desk.cancel('order-1');
    expect(desk.account().working.size).to.equal(0);
    expect(record).to.deep.include({ status: 'cancelled' });
    expect(desk.held('AAA-PERP').toFixed()).to.equal('40');
    desk.market.set('AAA-PERP', '90');
    desk.step();
    expect(desk.held('AAA-PERP').toFixed()).to.equal('40');
  });

  it('cancels a resting reduce-only order whose position is gone when it would fill', () => {
    const desk = deskOf();
    desk.place('BUY', '1', 'AAA-PERP', '101');
    desk.place('SELL', '1', 'AAA-PERP', '102', { reduceOnly: true, timeInForce: 'GTC' });
    desk.place('SELL', '1', 'AAA-PERP', '99');
    desk.market.set('AAA-PERP', '103');
    desk.step();
    expect(desk.account().orders.get('order-2')?.status).to.equal('cancelled');
    expect(desk.held('AAA-PERP').toFixed()).to.equal('0');
  });

  it('accepts at the margin what the book fills at better prices than the limit', () => {
    const desk = deskOf();
    desk.setLeverage('AAA-PERP', 1, 'cross');
    expect(desk.place('SELL', '989', 'AAA-PERP', '101', { timeInForce: 'GTC' }).kind).to.equal('resting');
    // 989 × 101 = 99,889 is held, 111 is free. 4 FIG need 98.72 of margin: filled at the limit they would lose 386 against
    // the mark, filled in the book they lose half a dollar.
    expect(desk.place('BUY', '4', 'FIG-PERP', '220')).to.deep.include({ kind: 'done', state: 'filled' });
  });

  it('refuses a leverage that free margin does not cover, and takes it when it does', () => {
    const desk = createExchangeDesk(
      createFlatMarket({ startAt: DESK_START, prices: { 'AAA-PERP': '10000' } }),
    );
    desk.place('BUY', '20', 'AAA-PERP', '10050');
    expect(desk.setLeverage('AAA-PERP', 1, 'cross')).to.match(/does not cover/);
    expect(desk.setLeverage('AAA-PERP', 3, 'cross')).to.equal(null);
    expect(desk.position('AAA-PERP')?.marginUsed).to.equal('66666.666666666667');
  });
});
