/**
 * Figures computed by hand. The book of the flat market: level i is (i + 1) × 0.1 % from the mark, 10 units each; taker fee
 * 0.045 %, maker 0.015 %; maintenance 2.5 % up to 50,000 USD and 5 % above; 100,000 USDC to start with.
 */
import { expect } from 'chai';
import { createExchangeDesk, DESK_START } from '../../../support/exchange-desk.ts';
import { createFlatMarket } from '../../../support/flat-market.ts';

describe('paper exchange, figures', () => {
  it('fills through the levels, averages the entry and charges the taker fee', () => {
    const desk = createExchangeDesk();
    const outcome = desk.place('BUY', '15', 'AAA-PERP', '101');
    expect(outcome).to.deep.include({ kind: 'done', state: 'filled', filledQuantity: '15' });
    // 10 × 100.1 + 5 × 100.2 = 1502; / 15
    expect(desk.position('AAA-PERP')).to.deep.include({
      quantity: '15',
      entryPrice: '100.133333333333',
      unrealizedPnl: '-2',
      // 1500 / 5
      marginUsed: '300',
      leverage: 5,
      marginMode: 'cross',
    });
    // Fees 0.45045 + 0.22545, rounded up to the USDC unit each
    expect(desk.balances()).to.deep.equal({
      asset: 'USDC',
      balance: '99999.3241',
      equity: '99997.3241',
      marginUsed: '300',
      freeMargin: '99697.3241',
      deposits: '100000',
    });
  });

  it('realises profit against the average entry, exact however a position is cut', () => {
    const desk = createExchangeDesk();
    desk.place('BUY', '15', 'AAA-PERP', '101');
    desk.place('SELL', '5', 'AAA-PERP', '99');
    // 5 × 99.9 − 1502 / 3
    expect(desk.account().realized.toFixed()).to.equal('-1.166666666666666667');
    expect(desk.position('AAA-PERP')?.entryPrice).to.equal('100.133333333333');
    desk.step();
    desk.place('SELL', '10', 'AAA-PERP', '99');
    // 499.5 + 999 − 1502
    expect(desk.account().realized.toFixed()).to.equal('-3.5');
    expect(desk.position('AAA-PERP')).to.equal(undefined);
  });

  it('reverses through zero: the old side is realised, the rest starts at its own price', () => {
    const desk = createExchangeDesk();
    desk.place('SELL', '4', 'AAA-PERP', '99');
    desk.place('BUY', '10', 'AAA-PERP', '101');
    // −4 × (100.1 − 99.9)
    expect(desk.account().realized.toFixed()).to.equal('-0.8');
    expect(desk.position('AAA-PERP')).to.deep.include({ quantity: '6', entryPrice: '100.1' });
  });

  it('cancels what an IOC does not find inside its limit', () => {
    const desk = createExchangeDesk();
    const outcome = desk.place('BUY', '30', 'AAA-PERP', '100.2');
    expect(outcome).to.deep.include({ kind: 'done', state: 'cancelled', filledQuantity: '20' });
  });

  it('rests a GTC, holds margin for it and fills it as a maker at its own limit', () => {
    const desk = createExchangeDesk();
    const outcome = desk.place('BUY', '5', 'AAA-PERP', '99', { timeInForce: 'GTC' });
    expect(outcome.kind).to.equal('resting');
    // 5 × 99 / 5
    expect(desk.balances()).to.deep.include({ marginUsed: '99', freeMargin: '99901' });
    desk.market.set('AAA-PERP', '98.5');
    desk.step();
    const [fill] = desk.account().orders.get('order-1')?.fills ?? [];
    // 495 × 0.00015
    expect(fill).to.deep.include({ price: '99', quantity: '5', liquidity: 'MAKER', fee: '0.07425' });
    expect(desk.account().working.size).to.equal(0);
    expect(desk.position('AAA-PERP')?.quantity).to.equal('5');
  });

  it('pays funding on the mark: longs pay a positive rate, shorts receive it', () => {
    const desk = createExchangeDesk();
    desk.place('BUY', '10', 'AAA-PERP', '101');
    desk.place('SELL', '4', 'BBB-PERP', '99');
    desk.market.settle('AAA-PERP', '0.0001');
    desk.market.settle('BBB-PERP', '0.0001');
    desk.step();
    desk.step();
    const paid = desk.account().history.flatMap((item) => (item.kind === 'funding' ? [item.funding] : []));
    expect(
      paid.map(({ symbol, quantity, amount, rate, timestamp }) => [
        symbol,
        quantity,
        amount,
        rate,
        timestamp,
      ]),
    ).to.deep.equal([
      ['AAA-PERP', '10', '-0.1', '0.0001', DESK_START + 100],
      ['BBB-PERP', '-4', '0.04', '0.0001', DESK_START + 100],
    ]);
    expect(desk.account().funding.toFixed()).to.equal('-0.06');
  });

  describe('cross liquidation', () => {
    const large = () => {
      const desk = createExchangeDesk(
        createFlatMarket({ startAt: DESK_START, prices: { 'AAA-PERP': '10000' } }),
      );
      // 10 × (10010 + 10020 + 10030 + 10040) = 401,000; fee 180.45
      desk.place('BUY', '40', 'AAA-PERP', '10050');
      return desk;
    };

    it('states the price at which value equals maintenance', () => {
      // (400,000 − (99,819.55 − 1,000)) / (40 × 0.95)
      expect(large().position('AAA-PERP')?.liquidationPrice).to.equal('7925.801315789474');
    });

    it('leaves the account alone above that price and closes at mark below it, with a fee', () => {
      const desk = large();
      desk.market.set('AAA-PERP', '7926');
      desk.step();
      expect(desk.held('AAA-PERP').toFixed()).to.equal('40');
      desk.market.set('AAA-PERP', '7925');
      desk.step();
      expect(desk.held('AAA-PERP').toFixed()).to.equal('0');
      const last = desk.account().history.at(-1);
      // 317,000 × 0.005
      expect(last?.kind === 'fill' ? last.fill : null).to.deep.include({
        price: '7925',
        quantity: '40',
        side: 'SELL',
        fee: '1585',
        isLiquidation: true,
        clientOrderId: null,
      });
      // 99,819.55 + 317,000 − 401,000 − 1,585
      expect(desk.balances()).to.deep.include({
        balance: '14234.55',
        equity: '14234.55',
        freeMargin: '14234.55',
      });
    });

    it('cancels working orders first', () => {
      const desk = large();
      desk.place('BUY', '5', 'BBB-PERP', '99', { timeInForce: 'GTC' });
      desk.market.set('AAA-PERP', '7925');
      desk.step();
      expect(desk.account().orders.get('order-2')?.status).to.equal('cancelled');
    });

    it('never leaves a debt: the insurance pays what a gap took too much', () => {
      const desk = large();
      desk.market.set('AAA-PERP', '7000');
      desk.step();
      // 99,819.55 + 280,000 − 401,000
      expect(desk.account().insured.toFixed()).to.equal('21180.45');
      expect(desk.balances().equity).to.equal('0');
    });
  });

  describe('isolated margin', () => {
    const isolated = () => {
      const desk = createExchangeDesk();
      expect(desk.setLeverage('AAA-PERP', 10, 'isolated')).to.equal(null);
      desk.place('BUY', '10', 'AAA-PERP', '100.1');
      return desk;
    };

    it('sets margin aside at the fill price and is liquidated on that alone', () => {
      const desk = isolated();
      // (1000 − (100.1 − 1)) / (10 × 0.975)
      expect(desk.position('AAA-PERP')).to.deep.include({ marginUsed: '99.1', liquidationPrice: '92.4' });
      desk.market.set('AAA-PERP', '92.4');
      desk.step();
      expect(desk.held('AAA-PERP').toFixed()).to.equal('10');
      desk.market.set('AAA-PERP', '92.39');
      desk.step();
      expect(desk.held('AAA-PERP').toFixed()).to.equal('0');
      // 100,000 − 0.45045 − 77.1 − 4.6195
      expect(desk.balances().balance).to.equal('99917.83005');
    });

    it('loses no more than its margin in a gap', () => {
      const desk = isolated();
      desk.market.set('AAA-PERP', '50');
      desk.step();
      // 100,000 − 0.45045 − 100.1
      expect(desk.balances().equity).to.equal('99899.44955');
    });

    it('releases margin in proportion, and gives room when the leverage is raised', () => {
      const desk = isolated();
      desk.place('SELL', '5', 'AAA-PERP', '99');
      expect(desk.account().positions.get('AAA-PERP')?.isolatedMargin?.toFixed()).to.equal('50.05');
      expect(desk.setLeverage('AAA-PERP', 20, 'isolated')).to.equal(null);
      expect(desk.account().positions.get('AAA-PERP')?.isolatedMargin?.toFixed()).to.equal('25.025');
    });
  });
});
