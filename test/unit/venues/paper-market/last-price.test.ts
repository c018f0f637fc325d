import { expect } from 'chai';
import { dec } from '../../../../gateway/domain/decimal.ts';
import { createPaperMarket } from '../../../../gateway/venues/paper/market/market.ts';
import type { PaperMarket } from '../../../../gateway/venues/paper/market/market-types.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { priceFault } from './price-rules.ts';

const START = Date.UTC(2025, 6, 26, 10, 30);

function market(connector: 'paper' | 'paper-cross' = 'paper'): PaperMarket {
  return createPaperMarket({ connector, seed: 7, startAt: START, profile: PAPER_PROFILES.realistic });
}
function quoteOf(paper: PaperMarket, id: string) {
  const quote = paper.quote(id);
  if (quote === undefined) throw new Error(`no quote of ${id}`);
  return quote;
}

describe('paper market: last price', () => {
  for (const connector of ['paper', 'paper-cross'] as const) {
    it(`is a price of ${connector}'s grid, at which somebody bought or sold`, () => {
      const paper = market(connector);
      let [atBid, atAsk] = [0, 0];
      for (let step = 1; step <= 100; step += 1) {
        const renewed = new Set(paper.advanceTo(START + step * paper.stepMs));
        for (const instrument of paper.instruments) {
          const { id, last, bid, ask, mid } = quoteOf(paper, instrument.id);
          expect(priceFault(instrument, last), id).to.equal(null);
          expect(dec(last).div(mid).minus(1).abs().lt('0.02'), `${id} ${last} ${mid}`).to.equal(true);
          if (!renewed.has(id)) continue;
          if (last === bid) atBid += 1;
          if (last === ask) atAsk += 1;
        }
      }
      expect(atBid).to.be.greaterThan(100);
      expect(atAsk / atBid).to.be.closeTo(1, 0.2);
    });
  }

  it('stays while nobody trades, whatever the quote does', () => {
    const paper = market();
    let kept = 0;
    for (let step = 1; step <= 300; step += 1) {
      const before = quoteOf(paper, 'FRIEND-PERP');
      paper.advanceTo(START + step * paper.stepMs);
      const after = quoteOf(paper, 'FRIEND-PERP');
      if (after.updatedAt === before.updatedAt) expect(after.last).to.equal(before.last);
      else if (after.last === before.last && after.mid !== before.mid) kept += 1;
    }
    expect(kept).to.be.greaterThan(0);
  });

  it('is the worst price of an order that the book has just filled', () => {
    const paper = market();
    const asks = paper.levels('NEAR-PERP', 'SELL', 3);
    const [first, second] = asks;
    if (first === undefined || second === undefined) throw new Error('the book is empty');
    const quantity = dec(first.quantity).plus(second.quantity).toFixed();
    paper.take('NEAR-PERP', 'BUY', quantity, '1000');
    expect(quoteOf(paper, 'NEAR-PERP').last).to.equal(second.price);
    const [bid] = paper.levels('NEAR-PERP', 'BUY', 1);
    paper.take('NEAR-PERP', 'SELL', '1', '0');
    expect(quoteOf(paper, 'NEAR-PERP').last).to.equal(bid?.price);
    // Nothing at this price: no trade.
    paper.take('NEAR-PERP', 'BUY', '1', '0.0001');
    expect(quoteOf(paper, 'NEAR-PERP').last).to.equal(bid?.price);
  });

  it('jumps with the market, over a gap and in a crash', () => {
    const paper = market();
    paper.shock('ETH-PERP', 0.5);
    const crashed = quoteOf(paper, 'ETH-PERP');
    expect(crashed.last).to.equal(crashed.ask);
    paper.advanceTo(START + 30 * 86_400_000);
    for (const { id } of paper.instruments) {
      const { last, mid } = quoteOf(paper, id);
      expect(dec(last).div(mid).minus(1).abs().lt('0.02'), id).to.equal(true);
    }
  });
});
