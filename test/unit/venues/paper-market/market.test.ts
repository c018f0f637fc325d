import { expect } from 'chai';
import { dec } from '../../../../gateway/domain/decimal.ts';
import { createPaperMarket } from '../../../../gateway/venues/paper/market/market.ts';
import type { PaperMarket, PaperProfileName } from '../../../../gateway/venues/paper/market/market-types.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import { createReplaySource } from '../../../../gateway/venues/paper/market/replay.ts';
import { priceFault, quantityFault, usd } from './price-rules.ts';

const START = Date.UTC(2025, 6, 26, 10, 30);
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function market(
  connector: 'paper' | 'paper-cross' = 'paper',
  profile: PaperProfileName = 'realistic',
  seed = 7,
): PaperMarket {
  return createPaperMarket({ connector, seed, startAt: START, profile: PAPER_PROFILES[profile] });
}

function quoteOf(paper: PaperMarket, id: string) {
  const quote = paper.quote(id);
  if (quote === undefined) throw new Error(`no quote of ${id}`);
  return quote;
}
const mid = (paper: PaperMarket, id: string) => Number(quoteOf(paper, id).mid);
const within = (paper: PaperMarket, id: string, side: 'BUY' | 'SELL', fraction: number) => {
  const centre = mid(paper, id);
  return usd(
    paper.levels(id, side, 100_000).filter(({ price }) => Math.abs(Number(price) / centre - 1) <= fraction),
  );
};

describe('paper market: quotes', () => {
  for (const connector of ['paper', 'paper-cross'] as const) {
    for (const profile of ['realistic', 'frictionless', 'thin', 'brutal'] as const) {
      it(`obey the rules of ${connector} on a ${profile} day, and agree with the book`, () => {
        const paper = market(connector, profile);
        for (let round = 0; round < 4; round += 1) {
          paper.advanceTo(paper.at + 5 * SECOND);
          for (const instrument of paper.instruments) {
            const quote = quoteOf(paper, instrument.id);
            for (const price of [
              quote.mark,
              quote.index,
              quote.mid,
              quote.bid,
              quote.ask,
              quote.last,
              quote.price24hAgo,
            ]) {
              expect(priceFault(instrument, price), instrument.id).to.equal(null);
            }
            expect(dec(quote.bid).lte(quote.mid) && dec(quote.mid).lte(quote.ask), instrument.id).to.equal(
              true,
            );
            expect(dec(quote.bid).lt(quote.ask), instrument.id).to.equal(true);
            const [bid, ask] = [
              paper.levels(instrument.id, 'BUY', 3),
              paper.levels(instrument.id, 'SELL', 3),
            ];
            expect(bid[0]?.price).to.equal(quote.bid);
            expect(ask[0]?.price).to.equal(quote.ask);
            for (const level of [...bid, ...ask]) {
              expect(priceFault(instrument, level.price), instrument.id).to.equal(null);
              expect(quantityFault(instrument, level.quantity), instrument.id).to.equal(null);
            }
          }
        }
      });
    }
  }

  it('stay near their index, the mark closer to it than half a percent', () => {
    const paper = market();
    for (let n = 0; n < 30; n += 1) {
      paper.advanceTo(paper.at + 10 * SECOND);
      for (const { id } of paper.instruments) {
        const quote = quoteOf(paper, id);
        expect(Number(quote.mark) / Number(quote.index), id).to.be.closeTo(1, 0.005);
        expect(Number(quote.mid) / Number(quote.mark), id).to.be.closeTo(1, 0.002);
      }
    }
  });

  it('are never older than a second, and busy markets move more often', () => {
    const paper = market();
    expect(paper.advanceTo(START)).to.deep.equal([]);
    const renewals = new Map<string, number>();
    for (let step = 0; step < 300; step += 1) {
      for (const id of paper.advanceTo(paper.at + paper.stepMs)) {
        renewals.set(id, (renewals.get(id) ?? 0) + 1);
        expect(quoteOf(paper, id).updatedAt, id).to.equal(paper.at);
      }
      for (const { id } of paper.instruments) {
        expect(paper.at - quoteOf(paper, id).updatedAt).to.be.at.most(SECOND);
      }
    }
    expect(renewals.get('BTC-PERP')).to.be.at.least(295);
    expect(renewals.get('NEAR-PERP')).to.be.within(40, 200);
  });

  it('tell a yesterday from the first moment, and today tomorrow', () => {
    const paper = market();
    const changes = paper.instruments.map(({ id }) =>
      Math.abs(Number(quoteOf(paper, id).price24hAgo) / mid(paper, id) - 1),
    );
    expect(Math.max(...changes)).to.be.within(0.01, 0.6);
    expect(changes.filter((change) => change > 0.001).length).to.be.greaterThan(50);
    paper.advanceTo(Date.UTC(2025, 6, 26, 12));
    const noon = Number(quoteOf(paper, 'ETH-PERP').mark);
    paper.advanceTo(Date.UTC(2025, 6, 27, 12));
    expect(Number(quoteOf(paper, 'ETH-PERP').price24hAgo)).to.equal(noon);
  });

  it('are those of one index on both venues of a seed', () => {
    const [a, b] = [market('paper'), market('paper-cross')];
    a.advanceTo(START + 3 * MINUTE);
    b.advanceTo(START + 3 * MINUTE);
    for (const { id } of a.instruments) expect(mid(a, id) / mid(b, id), id).to.be.closeTo(1, 0.004);
    const other = market('paper', 'realistic', 8);
    other.advanceTo(START + 3 * MINUTE);
    expect(mid(other, 'ETH-PERP')).to.not.equal(mid(a, 'ETH-PERP'));
  });

  it('do not exist for what is not listed', () => {
    const paper = market();
    expect(paper.quote('NOPE-PERP')).to.equal(undefined);
    expect(paper.funding('NOPE-PERP')).to.equal(undefined);
    expect(paper.stats('NOPE-PERP')).to.equal(undefined);
    expect(paper.levels('NOPE-PERP', 'BUY', 5)).to.deep.equal([]);
    expect(paper.take('NOPE-PERP', 'BUY', '1', '1')).to.deep.equal([]);
    expect(() => paper.shock('NOPE-PERP', 0.5)).to.throw(RangeError);
    expect(() => paper.shock('BTC-PERP', 0)).to.throw(RangeError);
  });
});

describe('paper market: liquidity', () => {
  it('is millions in BTC, tens of thousands in small caps, less by profile', () => {
    const depth = (profile: PaperProfileName, id: string) =>
      within(market('paper', profile), id, 'SELL', 0.01);
    expect(depth('realistic', 'BTC-PERP')).to.be.within(3e6, 2e7);
    expect(depth('realistic', 'NEAR-PERP')).to.be.within(2e4, 1.5e5);
    for (const id of ['BTC-PERP', 'NEAR-PERP']) {
      const ordinary = depth('realistic', id);
      expect(depth('thin', id) / ordinary).to.be.within(0.06, 0.15);
      expect(depth('brutal', id) / ordinary).to.be.within(0.01, 0.04);
      expect(depth('frictionless', id) / ordinary).to.be.within(700, 1400);
    }
  });

  it('has a spread of one tick in BTC and of some basis points in small caps', () => {
    const spread = (profile: PaperProfileName, id: string) => {
      const { bid, ask } = quoteOf(market('paper', profile), id);
      return (Number(ask) / Number(bid) - 1) * 1e4;
    };
    expect(spread('realistic', 'BTC-PERP')).to.be.within(0.08, 0.18);
    expect(spread('realistic', 'NEAR-PERP')).to.be.within(1.5, 15);
    expect(spread('brutal', 'NEAR-PERP')).to.be.greaterThan(8);
    expect(spread('frictionless', 'NEAR-PERP')).to.be.within(0.3, 0.4);
  });

  it('is consumed by a taker, shows in the quote at once and comes back', () => {
    const paper = market();
    paper.advanceTo(START + SECOND);
    const before = quoteOf(paper, 'NEAR-PERP');
    const limit = '2.95';
    const trades = paper.take('NEAR-PERP', 'BUY', '5000', limit);
    expect(dec(trades[0]?.price ?? '0').eq(before.ask)).to.equal(true);
    for (const { price } of trades) expect(dec(price).lte(limit)).to.equal(true);
    const total = trades.reduce((sum, { quantity }) => sum.plus(quantity), dec(0));
    expect(total.toFixed()).to.equal('5000');
    const after = quoteOf(paper, 'NEAR-PERP');
    expect(dec(after.ask).gt(before.ask)).to.equal(true);
    expect(after.bid).to.equal(before.bid);
    expect(dec(after.mid).gt(before.mid)).to.equal(true);
    expect(paper.advanceTo(paper.at)).to.include('NEAR-PERP');
    paper.advanceTo(paper.at + MINUTE);
    const { bid, ask } = quoteOf(paper, 'NEAR-PERP');
    expect(Number(ask) / Number(bid) - 1).to.be.lessThan(0.0015);
  });

  it('has nothing for a limit that does not reach the book, and never more than it holds', () => {
    const paper = market('paper', 'brutal');
    const { bid, ask } = quoteOf(paper, 'NEAR-PERP');
    expect(paper.take('NEAR-PERP', 'BUY', '100', bid)).to.deep.equal([]);
    expect(paper.take('NEAR-PERP', 'SELL', '100', ask)).to.deep.equal([]);
    expect(paper.take('NEAR-PERP', 'BUY', '0', '999')).to.deep.equal([]);
    const there = paper.levels('NEAR-PERP', 'SELL', 100_000);
    const trades = paper.take('NEAR-PERP', 'BUY', '100000000', '999');
    expect(trades).to.deep.equal(there);
    expect(paper.levels('NEAR-PERP', 'SELL', 10)).to.deep.equal([]);
    const instrument = paper.instruments.find(({ id }) => id === 'NEAR-PERP') ?? expect.fail();
    expect(priceFault(instrument, quoteOf(paper, 'NEAR-PERP').ask)).to.equal(null);
  });
});

describe('paper market: funding and statistics', () => {
  it('settles the announced rate at the mark of each boundary, hourly or every eight hours', () => {
    for (const [connector, hours] of [
      ['paper', 1],
      ['paper-cross', 8],
    ] as const) {
      const paper = market(connector);
      const announced = paper.funding('SOL-PERP');
      const boundary = Math.ceil(START / (hours * HOUR)) * hours * HOUR;
      expect(announced).to.include({ symbol: 'SOL', intervalHours: hours, nextFundingTime: boundary });
      paper.advanceTo(boundary - 10 * SECOND);
      expect(paper.settlements(0, paper.at)).to.deep.equal([]);
      paper.advanceTo(boundary);
      const settled = paper.settlements(START, boundary);
      expect(settled).to.have.length(paper.instruments.length);
      for (const { id, markPrice, at } of settled) {
        expect(at).to.equal(boundary);
        expect(markPrice, id).to.equal(quoteOf(paper, id).mark);
      }
      expect(settled.find(({ id }) => id === 'SOL-PERP')?.rate).to.equal(announced?.rate);
      expect(paper.funding('SOL-PERP')?.nextFundingTime).to.equal(boundary + hours * HOUR);
      expect(paper.settlements(boundary, boundary + HOUR)).to.deep.equal([]);
    }
  });

  it('settles every boundary of a long gap, oldest first, at the price of its hour', () => {
    const paper = market();
    paper.advanceTo(START + 50 * HOUR);
    const settled = paper.settlements(START, paper.at).filter(({ id }) => id === 'BTC-PERP');
    expect(settled.map(({ at }) => at)).to.deep.equal(
      Array.from({ length: 50 }, (_, n) => START + HOUR / 2 + n * HOUR),
    );
    expect(new Set(settled.map(({ markPrice }) => markPrice)).size).to.be.greaterThan(45);
    expect(new Set(settled.map(({ rate }) => rate)).size).to.be.greaterThan(3);
  });

  it('reports volume and open interest in whole dollars, moving slowly', () => {
    const paper = market();
    const before = paper.instruments.map(({ id }) => paper.stats(id));
    expect(Number(paper.stats('BTC-PERP')?.volume24h)).to.be.within(1e9, 1.5e10);
    expect(Number(paper.stats('NEAR-PERP')?.volume24h)).to.be.within(1e6, 2e7);
    paper.advanceTo(START + 10 * MINUTE);
    let moved = 0;
    for (const stats of before) {
      const now = paper.stats(stats?.id ?? '');
      expect(now?.volume24h).to.match(/^[1-9]\d+$/);
      expect(now?.openInterest).to.match(/^[1-9]\d+$/);
      expect(Number(now?.volume24h) / Number(stats?.volume24h)).to.be.closeTo(1, 0.15);
      expect(Number(now?.openInterest) / Number(stats?.openInterest)).to.be.closeTo(1, 0.05);
      if (now?.volume24h !== stats?.volume24h) moved += 1;
    }
    expect(moved).to.be.greaterThan(50);
  });
});

describe('paper market: shocks, gaps and replay', () => {
  it('multiplies one price for good', () => {
    const paper = market();
    const calm = market();
    const before = mid(paper, 'ETH-PERP');
    paper.shock('ETH-PERP', 0.5);
    expect(mid(paper, 'ETH-PERP') / before).to.be.closeTo(0.5, 0.001);
    expect(paper.advanceTo(paper.at)).to.include('ETH-PERP');
    paper.advanceTo(START + MINUTE);
    calm.advanceTo(START + MINUTE);
    expect(mid(paper, 'ETH-PERP') / mid(calm, 'ETH-PERP')).to.be.closeTo(0.5, 0.001);
    expect(quoteOf(paper, 'SOL-PERP')).to.deep.equal(quoteOf(calm, 'SOL-PERP'));
  });

  it('survives shocks to nothing and to the sky', () => {
    const paper = market();
    for (const factor of [1e-30, 1e60]) {
      paper.shock('kPEPE-PERP', factor);
      paper.advanceTo(paper.at + MINUTE);
      const instrument = paper.instruments.find(({ id }) => id === 'kPEPE-PERP') ?? expect.fail();
      const { bid, ask, mark } = quoteOf(paper, 'kPEPE-PERP');
      for (const price of [bid, ask, mark]) expect(priceFault(instrument, price)).to.equal(null);
      expect(dec(bid).lt(ask)).to.equal(true);
    }
  });

  it('crosses a month in one call', () => {
    const paper = market();
    const before = new Map(paper.instruments.map(({ id }) => [id, mid(paper, id)]));
    paper.advanceTo(START + 30 * 24 * HOUR);
    expect(paper.at).to.equal(START + 30 * 24 * HOUR);
    for (const { id, symbol } of paper.instruments) {
      const quote = quoteOf(paper, id);
      expect(quote.updatedAt).to.equal(paper.at);
      expect(mid(paper, id) / (before.get(id) ?? 0), symbol).to.be.within(0.25, 4);
    }
  });

  it('ignores time that has not come', () => {
    const paper = market();
    paper.advanceTo(START + SECOND);
    expect(paper.advanceTo(START)).to.deep.equal([]);
    expect(paper.advanceTo(START + SECOND + 99)).to.deep.equal([]);
    expect(paper.at).to.equal(START + SECOND);
  });

  it('follows recorded candles, then goes on from their last close', () => {
    const bar = (symbol: string, t: number, open: number, high: number, low: number, close: number) => ({
      symbol,
      t,
      open,
      high,
      low,
      close,
      volume: 1,
    });
    const replay = createReplaySource([
      bar('SOL', 0, 200, 210, 200, 208),
      bar('SOL', MINUTE, 208, 208, 190, 192),
      bar('UNLISTED', 0, 1, 1, 1, 1),
    ]);
    const options = {
      connector: 'paper',
      seed: 7,
      startAt: START,
      profile: PAPER_PROFILES.realistic,
    } as const;
    const paper = createPaperMarket({ ...options, replay });
    expect(mid(paper, 'SOL-PERP')).to.be.closeTo(200, 0.03);
    paper.advanceTo(START + 40 * SECOND);
    expect(mid(paper, 'SOL-PERP')).to.be.closeTo(210, 0.2);
    paper.advanceTo(START + 60 * SECOND);
    expect(mid(paper, 'SOL-PERP')).to.be.closeTo(208, 0.2);
    const calm = market();
    calm.advanceTo(START + 60 * SECOND);
    expect(quoteOf(paper, 'ETH-PERP')).to.deep.equal(quoteOf(calm, 'ETH-PERP'));

    // A restart in the middle continues the recording where it was.
    const resumed = createPaperMarket({ ...options, startAt: START + 5 * HOUR, replay });
    resumed.restore(paper.snapshot());
    for (const running of [paper, resumed]) {
      running.advanceTo(START + 120 * SECOND);
      expect(mid(running, 'SOL-PERP')).to.be.closeTo(192, 0.2);
      running.advanceTo(START + 180 * SECOND);
      expect(mid(running, 'SOL-PERP')).to.be.closeTo(192, 3);
      expect(mid(running, 'SOL-PERP')).to.not.equal(192);
    }
    expect(quoteOf(resumed, 'SOL-PERP')).to.deep.equal(quoteOf(paper, 'SOL-PERP'));

    const late = createPaperMarket({ ...options, replay });
    late.advanceTo(START + 20 * MINUTE);
    expect(mid(late, 'SOL-PERP')).to.be.within(175, 210);
  });
});
