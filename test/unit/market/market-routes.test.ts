import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { z } from 'zod';
import type { BoundRoute } from '../../../gateway/call/call.ts';
import { BusinessError } from '../../../gateway/call/errors.ts';
import {
  connectorList,
  feeds as feedsAnswer,
  fundingList,
  instrumentList,
  instrumentLiteList,
  marketList,
  priceList,
  symbolToIdMap,
} from '../../../gateway/contract/market.ts';
import { BTC_DOMINANCE, predictionFeed } from '../../../gateway/domain/feed.ts';
import { marketRoutes } from '../../../gateway/http/routes/market.ts';
import { createMarket, type Market } from '../../../gateway/market/market.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import {
  createMarketVenue,
  type MarketVenue,
  perp,
  silentLogger,
  venuesOf,
} from '../../support/market-venue.ts';

/** A request as `http/` makes it: the query is parsed with the contract first. */
async function call(
  routes: readonly BoundRoute[],
  path: string,
  query: Record<string, string> = {},
): Promise<unknown> {
  const found = routes.find(({ contract }) => contract.path === path && contract.method === 'GET');
  if (found === undefined) throw new Error(`no route ${path}`);
  const reply = await found.handle({
    principal: { kind: 'session', userId: 'nobody', sessionId: 'none' },
    account: null,
    params: undefined,
    query: found.contract.query?.parse(query),
    body: undefined,
    headers: {},
    peer: 'unknown',
    ip: '127.0.0.1',
    connection: new PassThrough(),
  });
  // Through text, as on the wire.
  return JSON.parse(reply.json ?? JSON.stringify(reply.body));
}

async function answer<T extends z.ZodType>(
  routes: readonly BoundRoute[],
  schema: T,
  path: string,
  query?: Record<string, string>,
): Promise<z.output<T>> {
  return schema.parse(await call(routes, path, query));
}

describe('market routes', () => {
  let market: Market;
  let venue: MarketVenue;
  let routes: readonly BoundRoute[];
  const clock = createFakeClock();
  const now = new Date(clock.now()).toISOString();

  before(() => {
    venue = createMarketVenue({
      id: 'paper',
      clock,
      instruments: [
        perp('paper', 'BTC'),
        perp('paper', 'ETH', { tradeability: { status: 'reduce_only', reason: 'Delisting' } }),
        perp('paper', 'SOL', { maxSignificantFigures: null }),
      ],
    });
    market = createMarket({
      venues: venuesOf(venue, createMarketVenue({ id: 'paper-cross', clock, instruments: [] })),
      clock,
      logger: silentLogger,
    });
    market.start();
    routes = marketRoutes(market, { kind: 'memory', refusal: null });
  });
  after(() => market.close());

  it('all are public reads', () => {
    expect(
      routes.map(({ contract }) => `${contract.auth} ${contract.method} ${contract.path}`),
    ).to.have.members([
      'P GET /connectors',
      'P GET /prices',
      'P GET /funding',
      'P GET /feeds',
      'P GET /instruments',
      'P GET /instruments/lite',
      'P GET /instruments/symbol-to-id-map',
      'P GET /markets',
    ]);
  });

  it('GET /connectors', async () => {
    const { connectors } = await answer(routes, connectorList, '/connectors');
    expect(connectors.map(({ id }) => id)).to.deep.equal(['paper', 'paper-cross']);
    expect(connectors[0]).to.deep.equal({
      id: 'paper',
      displayName: 'Test paper',
      mode: 'PAPER',
      marginMode: 'required',
      fundingIntervalHours: 1,
      capabilities: ['market_orders', 'isolated_margin'],
      inUse: true,
      status: 'UP',
      since: now,
      reason: null,
      trading: 'UP',
      until: null,
    });
  });

  it('GET /prices', async () => {
    const { prices } = await answer(routes, priceList, '/prices', { connector: 'paper' });
    expect(prices).to.have.length(3);
    expect(prices[0]).to.deep.equal({
      id: 'BTC-PERP',
      symbol: 'BTC',
      mark: '110',
      index: '110',
      mid: '110',
      bid: '110',
      ask: '110',
      last: '110',
      price24hAgo: '100',
      updatedAt: now,
    });
    expect(await answer(routes, priceList, '/prices', { connector: 'paper-cross' })).to.deep.equal({
      prices: [],
    });
  });

  it('GET /funding', async () => {
    const { funding } = await answer(routes, fundingList, '/funding', { connector: 'paper' });
    expect(funding[2]).to.deep.equal({
      id: 'SOL-PERP',
      symbol: 'SOL',
      rate: '0.0000125',
      intervalHours: 1,
      nextFundingTime: new Date(clock.now() + 60_000).toISOString(),
    });
  });

  it('GET /instruments shows every tradeability unless scope says otherwise', async () => {
    const { instruments } = await answer(routes, instrumentList, '/instruments', { connector: 'paper' });
    expect(instruments.map(({ symbol }) => symbol)).to.deep.equal(['BTC', 'ETH', 'SOL']);
    expect(instruments[1]).to.deep.equal({
      id: 'ETH-PERP',
      symbol: 'ETH',
      connector: 'paper',
      venueSymbol: 'ETH',
      multiplier: '1',
      type: 'perp',
      tickSize: '0.1',
      stepSize: '0.001',
      minQuantity: '0.001',
      maxQuantity: null,
      minNotional: '10',
      priceBand: null,
      maxLeverage: 40,
      marginModes: ['cross', 'isolated'],
      fundingIntervalHours: 1,
      tradeability: { status: 'reduce_only', reason: 'Delisting' },
    });
    const scoped = await answer(routes, instrumentList, '/instruments', {
      connector: 'paper',
      scope: 'reduce_only',
    });
    expect(scoped.instruments.map(({ symbol }) => symbol)).to.deep.equal(['ETH']);
  });

  it('GET /instruments/lite and the symbol map', async () => {
    const query = { connector: 'paper', scope: 'tradable' };
    expect(await answer(routes, instrumentLiteList, '/instruments/lite', query)).to.deep.equal({
      instruments: [
        { id: 'BTC-PERP', symbol: 'BTC', stepSize: '0.001', tickSize: '0.1' },
        { id: 'SOL-PERP', symbol: 'SOL', stepSize: '0.001', tickSize: '0.1' },
      ],
    });
    expect(await answer(routes, symbolToIdMap, '/instruments/symbol-to-id-map', query)).to.deep.equal({
      BTC: 'BTC-PERP',
      SOL: 'SOL-PERP',
    });
  });

  it('GET /markets shows tradable markets by default, with totals of all', async () => {
    const { markets, totals } = await answer(routes, marketList, '/markets', { connector: 'paper' });
    expect(markets.map(({ symbol }) => symbol)).to.deep.equal(['SOL', 'BTC']);
    expect(markets[1]).to.deep.equal({
      id: 'BTC-PERP',
      symbol: 'BTC',
      price: '110',
      priceChange24h: '0.1',
      funding: '0.0000125',
      volume24h: '1000',
      openInterest: '500.5',
      tradeability: { status: 'tradable', reason: null },
      updatedAt: now,
    });
    expect(totals).to.deep.equal({ markets: 3, volume24h: '6000', openInterest: '1501.5' });
    const page = await answer(routes, marketList, '/markets', {
      connector: 'paper',
      scope: 'all',
      search: 't',
      limit: '1',
      offset: '1',
    });
    expect(page.markets.map(({ symbol }) => symbol)).to.deep.equal(['BTC']);
    expect(await answer(routes, marketList, '/markets', { connector: 'paper-cross' })).to.deep.equal({
      markets: [],
      totals: { markets: 0, volume24h: '0', openInterest: '0' },
    });
  });

  it('GET /feeds', async () => {
    expect(await answer(routes, feedsAnswer, '/feeds', { connector: 'paper' })).to.deep.equal({
      dominance: null,
      predictionMarkets: [],
    });
    const prediction = { source: 'somewhere', marketKey: 'question', question: 'Will it?' };
    const feed = predictionFeed(prediction.source, prediction.marketKey);
    venue.send({
      quotes: [],
      feeds: [
        { name: feed, value: '40.25', updatedAt: clock.now(), prediction },
        { name: BTC_DOMINANCE, value: '61.5', updatedAt: clock.now(), prediction: null },
      ],
    });
    expect(await answer(routes, feedsAnswer, '/feeds', { connector: 'paper' })).to.deep.equal({
      dominance: { value: '61.5', updatedAt: now },
      predictionMarkets: [{ ...prediction, probability: '40.25', updatedAt: now }],
    });
    expect(await answer(routes, feedsAnswer, '/feeds', { connector: 'paper-cross' })).to.deep.equal({
      dominance: null,
      predictionMarkets: [],
    });
  });

  for (const path of [
    '/prices',
    '/funding',
    '/feeds',
    '/instruments',
    '/instruments/lite',
    '/instruments/symbol-to-id-map',
    '/markets',
  ]) {
    it(`GET ${path} refuses a connector that does not exist on path connector`, async () => {
      const error: unknown = await call(routes, path, { connector: 'nowhere' }).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof BusinessError)) throw new Error('no refusal');
      expect(error.status).to.equal(400);
      expect(error.code).to.equal('VALIDATION_ERROR');
      expect(error.details).to.deep.equal([
        { path: 'connector', message: 'Unknown connector', code: 'custom' },
      ]);
    });

    it(`GET ${path} asks for a connector`, () => {
      const schema = routes.find(({ contract }) => contract.path === path)?.contract.query;
      const issues = schema?.safeParse({}).error?.issues;
      expect(issues?.map((issue) => issue.path.join('.'))).to.deep.equal(['connector']);
    });
  }

  it('GET /markets limits its parameters', () => {
    const schema = routes.find(({ contract }) => contract.path === '/markets')?.contract.query;
    const paths = (query: Record<string, string>) =>
      schema
        ?.safeParse({ connector: 'paper', ...query })
        .error?.issues.map((issue) => issue.path.join('.')) ?? [];
    expect(paths({ search: 'x'.repeat(64), limit: '500', offset: '0', unknown: '1' })).to.deep.equal([]);
    expect(paths({ search: 'x'.repeat(65) })).to.deep.equal(['search']);
    expect(paths({ limit: '0' })).to.deep.equal(['limit']);
    expect(paths({ limit: '501' })).to.deep.equal(['limit']);
    expect(paths({ offset: '-1' })).to.deep.equal(['offset']);
    expect(paths({ scope: 'everything' })).to.deep.equal(['scope']);
  });
});
