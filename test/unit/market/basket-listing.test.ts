import { expect } from 'chai';
import { deriveBasketKey } from '../../../gateway/contract/basket-key.ts';
import { listMarketBaskets } from '../../../gateway/contract/baskets.ts';
import { canonicalLegs, type MaterializedBasket } from '../../../gateway/domain/basket.ts';
import type { Instrument } from '../../../gateway/domain/model.ts';
import {
  type BasketFilter,
  type BasketListing,
  createBasketListing,
} from '../../../gateway/market/basket-listing.ts';
import { createMarket, type Market } from '../../../gateway/market/market.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  createMarketVenue,
  type MarketVenue,
  perp,
  silentLogger,
  venuesOf,
} from '../../support/market-venue.ts';

type Row = ReturnType<(typeof listMarketBaskets.success)[200]['parse']>['markets'][number];

const key = ({ legs }: Pick<MaterializedBasket, 'legs'>) =>
  deriveBasketKey(
    legs.filter(({ side }) => side === 'BUY').map(({ symbol }) => symbol),
    legs.filter(({ side }) => side === 'SELL').map(({ symbol }) => symbol),
  );

/** `BTC SOL / ETH`. */
function basket(text: string): MaterializedBasket {
  const [longs = '', shorts = ''] = text.split('/');
  const legs = canonicalLegs([
    ...ids(longs).map((symbol) => ({ symbol, side: 'BUY' as const })),
    ...ids(shorts).map((symbol) => ({ symbol, side: 'SELL' as const })),
  ]);
  return { connector: 'paper', basketKey: key({ legs }), legs, createdAt: 0 };
}

const ids = (text: string) =>
  text
    .split(' ')
    .filter((ticker) => ticker !== '')
    .map((ticker) => `${ticker}-PERP`);

/** Every pair of the four instruments, by descending volume. */
const GENERATED = [
  'SOL/ETH',
  'ETH/SOL',
  'SOL/BTC',
  'BTC/SOL',
  'ETH/BTC',
  'BTC/ETH',
  'SOL/AVAX',
  'AVAX/SOL',
  'ETH/AVAX',
  'AVAX/ETH',
  'BTC/AVAX',
  'AVAX/BTC',
];

describe('basket listing', () => {
  const clock = createFakeClock();
  let venue: MarketVenue;
  let market: Market;
  let listing: BasketListing;
  let materialized: readonly MaterializedBasket[];
  let keysMade: number;

  function start(instruments: readonly Instrument[]): void {
    venue = createMarketVenue({ id: 'paper', clock, instruments });
    market = createMarket({ venues: venuesOf(venue), clock, logger: silentLogger });
    market.start();
    materialized = [];
    keysMade = 0;
    listing = createBasketListing({
      market,
      materialized: () => materialized,
      basketKey: (longs, shorts) => {
        keysMade += 1;
        return deriveBasketKey(longs, shorts);
      },
    });
  }

  // The stand-in venue gives the nth instrument a volume of n × 1,000: SOL trades most.
  beforeEach(() => start(['AVAX', 'BTC', 'ETH', 'SOL'].map((ticker) => perp('paper', ticker))));
  afterEach(() => {
    listing.close();
    market.close();
  });

  /** As on the wire, with the contract's schema. */
  function page(filter: Partial<BasketFilter> = {}) {
    const found = listing.page('paper', { scope: 'tradable', limit: 100, offset: 0, ...filter });
    return listMarketBaskets.success[200].parse(JSON.parse(JSON.stringify(found)));
  }
  const names = (filter: Partial<BasketFilter> = {}) =>
    page(filter).markets.map((row: Row) => row.displaySymbol);

  it('generates every ordered pair by descending volume, once', () => {
    const { count, markets } = page();
    expect(count).to.equal(12);
    expect(markets.map(({ displaySymbol }) => displaySymbol)).to.deep.equal(GENERATED);
    const volumes = markets.map(({ volume24h }) => Number(volume24h));
    expect(volumes).to.deep.equal([...volumes].sort((a, b) => b - a));
    expect(markets[0]).to.deep.equal({
      connector: 'paper',
      basketKey: deriveBasketKey(['SOL-PERP'], ['ETH-PERP']),
      displaySymbol: 'SOL/ETH',
      legs: [
        { id: 'SOL-PERP', symbol: 'SOL', side: 'BUY' },
        { id: 'ETH-PERP', symbol: 'ETH', side: 'SELL' },
      ],
      price: '1',
      priceChange24h: '0',
      weightRatio: '1',
      weightRatioChange24h: '0',
      netFunding: '0',
      volume24h: '3000',
      openInterest: '500.5',
      tradeability: { status: 'tradable', reason: null },
      updatedAt: clock.now(),
      hasMaterializedStats: false,
    });
  });

  it('lists materialized baskets first, by their volume, and does not generate them again', () => {
    materialized = [basket('BTC/AVAX'), basket('SOL/ETH'), basket('SOL BTC/ETH'), basket('/AVAX')];
    const { count, markets } = page();
    expect(count).to.equal(14);
    const isFirst = markets.slice(0, 4);
    expect(isFirst.every(({ hasMaterializedStats }) => hasMaterializedStats)).to.equal(true);
    expect(isFirst.map(({ volume24h }) => volume24h)).to.deep.equal(['3000', '2000', '1000', '1000']);
    const symbols = markets.map(({ displaySymbol }) => displaySymbol);
    expect(symbols.slice(0, 2)).to.deep.equal(['SOL/ETH', 'BTC+SOL/ETH']);
    expect(new Set(symbols).size).to.equal(14);
    expect(symbols.slice(4)).to.deep.equal(
      GENERATED.filter((pair) => pair !== 'SOL/ETH' && pair !== 'BTC/AVAX'),
    );
  });

  it('pages without a gap or a repetition, over the seam too', () => {
    materialized = [basket('BTC/AVAX'), basket('SOL/ETH'), basket('SOL BTC/ETH')];
    const all = names();
    for (const limit of [1, 2, 5]) {
      const paged: string[] = [];
      for (let offset = 0; offset < all.length; offset += limit) paged.push(...names({ limit, offset }));
      expect(paged).to.deep.equal(all);
    }
    expect(page({ offset: 999_999_999 })).to.include({ offset: 999_999_999, count: 13 });
    expect(names({ offset: 999_999_999 })).to.deep.equal([]);
  });

  it('searches tickers and ids of any leg, in any case', () => {
    materialized = [basket('SOL/ETH'), basket('SOL BTC/ETH')];
    const ofBtc = GENERATED.filter((pair) => pair.includes('BTC'));
    expect(names({ search: ' btc ' })).to.deep.equal(['BTC+SOL/ETH', ...ofBtc]);
    expect(page({ search: 'avax-perp' }).count).to.equal(6);
    expect(page({ search: '-PERP' }).count).to.equal(13);
    expect(names({ search: 'DOGE' })).to.deep.equal([]);
    expect(page({ search: 'DOGE' }).count).to.equal(0);
  });

  it('finds the pair that two tickers name, whatever is between them', () => {
    const found = (search: string, pairs: 'ORDERED' | 'UNORDERED') =>
      page({ search, pairs }).markets.map(({ displaySymbol }) => displaySymbol);
    expect(found('SOL/ETH', 'ORDERED')).to.deep.equal(['SOL/ETH']);
    expect(found('eth/sol', 'ORDERED')).to.deep.equal(['ETH/SOL']);
    expect(found('sol eth', 'ORDERED')).to.have.members(['SOL/ETH', 'ETH/SOL']);
    expect(found(' SOL eth ', 'UNORDERED')).to.deep.equal(['SOL/ETH']);
    expect(found('ETH/SOL', 'UNORDERED')).to.deep.equal(['ETH/SOL']);
    expect(found('sol eth btc', 'ORDERED')).to.deep.equal([]);
    expect(found('sol/', 'ORDERED')).to.deep.equal(found('sol', 'ORDERED'));
    materialized = [basket('SOL BTC/ETH'), basket('ETH/SOL')];
    expect(found('sol eth', 'UNORDERED')).to.have.members(['ETH/SOL', 'BTC+SOL/ETH']);
    expect(found('btc sol/eth', 'ORDERED')).to.deep.equal(['BTC+SOL/ETH']);
  });

  it('lists each pair once where they are not ordered, opened ones and their inverses too', () => {
    const pairsOf = () =>
      page({ pairs: 'UNORDERED' }).markets.map(({ legs }) =>
        legs
          .map(({ symbol }) => symbol)
          .sort()
          .join(' '),
      );
    const all = ['BTC ETH', 'BTC SOL', 'ETH SOL', 'AVAX BTC', 'AVAX ETH', 'AVAX SOL'];
    expect(pairsOf()).to.have.members(all);
    expect(pairsOf()).to.have.length(all.length);
    materialized = [basket('ETH/SOL'), basket('SOL/ETH'), basket('AVAX/BTC')];
    expect(pairsOf()).to.have.members(all);
    expect(pairsOf()).to.have.length(all.length);
    expect(page({ pairs: 'UNORDERED', search: 'avax' }).count).to.equal(3);
  });

  it('leaves out by default what cannot be traded; the other scopes have materialized baskets only', () => {
    start([
      perp('paper', 'BTC'),
      perp('paper', 'ETH', { tradeability: { status: 'reduce_only', reason: 'Delisting' } }),
      perp('paper', 'SOL'),
      perp('paper', 'OLD', { tradeability: { status: 'not_tradable', reason: 'Delisted' } }),
    ]);
    materialized = [
      basket('BTC/ETH'),
      basket('BTC/OLD'),
      basket('BTC/GONE'),
      basket('ETH/OLD'),
      basket('SOL/BTC'),
    ];
    expect(names()).to.deep.equal(['SOL/BTC', 'BTC/SOL']);
    expect(names({ scope: 'reduce_only' })).to.deep.equal(['BTC/ETH']);
    expect(names({ scope: 'not_tradable' })).to.have.members(['BTC/OLD', 'ETH/OLD', 'BTC/GONE-PERP']);
    expect(names({ scope: 'all' })).to.have.length(6);
    const gone = page({ scope: 'not_tradable', search: 'gone' }).markets[0];
    expect(gone).to.include({ price: null, volume24h: null, netFunding: null });
    expect(gone?.tradeability).to.deep.equal({ status: 'not_tradable', reason: 'GONE-PERP: not listed' });
  });

  it('follows the price stream: prices, changes, funding, volume and with it the order', () => {
    venue.move({ 'SOL-PERP': '200', 'ETH-PERP': '50' });
    const [first] = page({ limit: 1 }).markets;
    expect(first).to.include({
      displaySymbol: 'SOL/ETH',
      price: '4',
      priceChange24h: '3',
      weightRatio: '2',
      weightRatioChange24h: '1',
    });
    venue.send({
      quotes: [],
      funding: [
        { id: 'SOL-PERP', symbol: 'SOL', rate: '0.0008', intervalHours: 8, nextFundingTime: 0 },
        { id: 'ETH-PERP', symbol: 'ETH', rate: '-0.0002', intervalHours: 1, nextFundingTime: 0 },
      ],
    });
    expect(page({ limit: 1 }).markets[0]?.netFunding).to.equal('0.00015');
    venue.send({ quotes: [], stats: [{ id: 'AVAX-PERP', volume24h: '9000', openInterest: '7' }] });
    expect(names({ limit: 2 })).to.deep.equal(['AVAX/SOL', 'SOL/AVAX']);
    expect(page({ limit: 1 }).markets[0]).to.include({ volume24h: '4000', openInterest: '7' });
  });

  it('follows instruments that turn reduce-only, and baskets that are opened', () => {
    expect(page().count).to.equal(12);
    venue.setInstruments(
      ['AVAX', 'BTC', 'ETH', 'SOL'].map((ticker) =>
        perp(
          'paper',
          ticker,
          ticker === 'SOL' ? { tradeability: { status: 'reduce_only', reason: null } } : {},
        ),
      ),
    );
    expect(page().count).to.equal(6);
    materialized = [basket('BTC AVAX/ETH')];
    expect(names({ limit: 1 })).to.deep.equal(['AVAX+BTC/ETH']);
  });

  it('makes the rows of the page and no others: 39,800 pairs are never built', () => {
    start(Array.from({ length: 200 }, (_, index) => perp('paper', `T${index}`)));
    expect(page({ limit: 50, offset: 39_000 }).count).to.equal(39_800);
    expect(keysMade).to.equal(50);
  });
});
