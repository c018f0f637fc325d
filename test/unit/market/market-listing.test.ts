import { expect } from 'chai';
import { pageOfMarkets, rankMarkets } from '../../../gateway/market/market-listing.ts';
import { type MarketRow, priceChange24h } from '../../../gateway/market/market-rows.ts';
import { perp, quoteAt } from '../../support/market-venue.ts';

function row(symbol: string, volume24h: string | null, over: Partial<MarketRow> = {}): MarketRow {
  return {
    id: `${symbol}-PERP`,
    symbol,
    price: '1',
    priceChange24h: '0',
    funding: null,
    volume24h,
    openInterest: '0.1',
    tradeability: { status: 'tradable', reason: null },
    updatedAt: '2026-01-31T12:00:00.000Z',
    ...over,
  };
}

const all = { scope: 'all', limit: 100, offset: 0 } as const;
const ids = (rows: readonly MarketRow[]) => rows.map(({ symbol }) => symbol);

describe('market listing', () => {
  const ranking = rankMarkets([
    row('DOGE', null, { openInterest: null }),
    row('ETH', '900', { tradeability: { status: 'reduce_only', reason: 'Delisting' } }),
    row('SOL', '1000.5'),
    row('BTC', '1000.5'),
    row('OLD', '9', { tradeability: { status: 'not_tradable', reason: 'Delisted' } }),
  ]);

  it('ranks by volume, then id; a row without statistics comes last', () => {
    expect(ids(pageOfMarkets(ranking, all).markets)).to.deep.equal(['BTC', 'SOL', 'ETH', 'OLD', 'DOGE']);
  });

  it('totals the whole connector exactly, whatever is selected', () => {
    const page = pageOfMarkets(ranking, { scope: 'reduce_only', search: 'x', limit: 1, offset: 7 });
    expect(page).to.deep.equal({
      markets: [],
      totals: { markets: 5, volume24h: '2910', openInterest: '0.4' },
    });
  });

  it('selects by tradeability', () => {
    const of = (scope: 'tradable' | 'reduce_only' | 'not_tradable') =>
      ids(pageOfMarkets(ranking, { ...all, scope }).markets);
    expect(of('tradable')).to.deep.equal(['BTC', 'SOL', 'DOGE']);
    expect(of('reduce_only')).to.deep.equal(['ETH']);
    expect(of('not_tradable')).to.deep.equal(['OLD']);
  });

  it('searches ticker and id in any case', () => {
    const search = (text: string) => ids(pageOfMarkets(ranking, { ...all, search: text }).markets);
    expect(search('eTh')).to.deep.equal(['ETH']);
    expect(search('-perp')).to.have.length(5);
    expect(search(' btc ')).to.deep.equal(['BTC']);
    expect(search('')).to.have.length(5);
    expect(search('.*')).to.deep.equal([]);
  });

  it('pages by offset and limit', () => {
    expect(ids(pageOfMarkets(ranking, { ...all, limit: 2, offset: 1 }).markets)).to.deep.equal([
      'SOL',
      'ETH',
    ]);
    expect(pageOfMarkets(ranking, { ...all, offset: 5 }).markets).to.deep.equal([]);
  });
});

describe('24 h price change', () => {
  const change = (mark: string, price24hAgo: string) =>
    priceChange24h({ ...quoteAt(perp('paper', 'BTC'), mark, 0), price24hAgo });

  it('is mark ÷ price of 24 h ago − 1, rounded half-even to 8 decimals', () => {
    expect(change('110', '100')).to.equal('0.1');
    expect(change('95', '100')).to.equal('-0.05');
    expect(change('100', '100')).to.equal('0');
    expect(change('1', '3')).to.equal('-0.66666667');
    expect(change('100.0000005', '100')).to.equal('0');
    expect(change('100.0000015', '100')).to.equal('0.00000002');
  });

  it('is 0 where the price of 24 h ago is not known', () => {
    expect(change('110', '0')).to.equal('0');
  });
});
