/** Sizes and prices that a venue takes: what opens outside of them is refused with its reason, what closes is fitted in. */
import { expect } from 'chai';
import type { Instrument, Quote } from '../../../gateway/domain/model.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

const TEN = [leg('AAA', 'BUY', '10', 'BASE')];

describe('rules of an instrument', () => {
  let rules: Partial<Instrument>;
  let prices: Partial<Quote>;

  const desk = engineDeskForEachTest(({ venue: { market } }) => {
    rules = {};
    prices = {};
    const known = { instrument: market.instrument, quote: market.quote };
    Object.assign(market, {
      instrument(connector: string, id: string) {
        const one = known.instrument(connector, id);
        return one === undefined ? one : { ...one, ...rules };
      },
      quote(connector: string, id: string) {
        const one = known.quote(connector, id);
        return one === undefined ? one : { ...one, ...prices };
      },
    });
  });

  const refusals: readonly [string, Partial<Instrument>, Partial<Quote>, string, RegExp][] = [
    [
      'too little',
      { minQuantity: '11' },
      {},
      'MIN_QUANTITY',
      /10 is below the venue's smallest quantity of 11/,
    ],
    ['too much', { maxQuantity: '9.999' }, {}, 'MAX_QUANTITY', /10 is above .* largest .* 9\.999/],
    [
      'a band that ends below the market',
      { priceBand: '0.1' },
      { index: '90' },
      'PRICE_BAND',
      /more than 0\.1 times one of them away/,
    ],
  ];
  for (const [what, given, quoted, code, message] of refusals) {
    it(`${what} is not opened: ${code}, and nothing is sent`, async () => {
      rules = given;
      prices = quoted;
      const { status, errorCode, orders, error } = await desk.opened(TEN);
      expect({ status, errorCode }).to.deep.equal({ status: 'FAILED', errorCode: code });
      expect(orders[0]).to.include({ status: 'REJECTED', errorCode: code });
      expect(error)
        .to.match(message)
        .and.match(/No orders were placed/);
      expect(desk.venue.sent).to.deep.equal([]);
    });
  }

  it('exactly the smallest and exactly the largest are opened', async () => {
    rules = { minQuantity: '10', maxQuantity: '10', priceBand: '0.1' };
    expect(await desk.opened(TEN)).to.include({ status: 'COMPLETED' });
  });

  it('what is larger than one order may be is closed in several, to the last bit', async () => {
    const { positionId } = await desk.opened(TEN);
    rules = { maxQuantity: '1.5' };
    const { status, orders } = await desk.ended(await desk.close(positionId ?? ''));
    expect(status).to.equal('COMPLETED');
    expect(orders[0]).to.include({ status: 'FILLED', quantity: '10', filledQuantity: '10', error: null });
    const sent = desk.venue.sent.slice(1).map(({ quantity }) => quantity);
    expect(sent).to.deep.equal(['1.5', '1.5', '1.5', '1.5', '1.5', '1.5', '1']);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
    expect(desk.state.positions.of(desk.account.id)).to.deep.equal([]);
  });

  it('a part of it that finds no liquidity counts as a try, as any other order does', async () => {
    const { positionId } = await desk.opened(TEN);
    rules = { maxQuantity: '4' };
    desk.venue.behave(() => ({ fraction: '0.5' }));
    const { status, orders } = await desk.ended(await desk.close(positionId ?? ''));
    expect(status).to.equal('FAILED');
    expect(orders[0]).to.include({ status: 'CANCELLED', filledQuantity: '8' });
    expect(desk.venue.sent.slice(1).map(({ quantity }) => quantity)).to.deep.equal(['4', '4', '4', '4']);
    expect(desk.venue.held('AAA-PERP')).to.equal('2');
  });

  it('what closes keeps its limit inside the band, and never beyond its slippage', async () => {
    const { positionId } = await desk.opened(TEN);
    rules = { priceBand: '0.01' };
    prices = { index: '100.5' };
    await desk.ended(await desk.close(positionId ?? ''));
    // 0.99 × 100.5, up to the tick; 1 % of slippage alone would have said 99.
    expect(desk.venue.sent[1]).to.include({ side: 'SELL', limitPrice: '99.5' });
  });
});
