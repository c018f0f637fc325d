/** The public market data of both embedded venues: contract, sanity, rules of prices, staleness. */
import { expect } from 'chai';
import {
  getFeeds,
  listConnectors,
  listFunding,
  listInstruments,
  listInstrumentsLite,
  listMarkets,
  listPrices,
} from '../../gateway/contract/market.ts';
import { type Decimal, dec, sum, text } from '../../gateway/domain/decimal.ts';
import { faultScript } from '../support/fault-script.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { startTimedGateway, timedGatewayForSuite } from '../support/timed-gateway.ts';
import { PAIR, trader } from '../support/trader.ts';
import { untilSettled } from '../support/until.ts';

const CONNECTORS = ['paper', 'paper-cross'] as const;
const HOUR_MS = 3_600_000;
const PER_CONNECTOR = [
  '/prices',
  '/funding',
  '/feeds',
  '/instruments',
  '/instruments/lite',
  '/instruments/symbol-to-id-map',
  '/markets',
] as const;

/** Digits of a price from the first that is not zero to the last that is not zero. */
const significantFigures = (price: Decimal) =>
  price
    .toFixed()
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length;

describe('market data', () => {
  const gateway = timedGatewayForSuite({ paperProfile: 'realistic' }, true);
  before(async () => {
    await gateway.clock.advance(1_000);
  });

  const get = async (path: string): Promise<Json> => {
    const answer = await gateway.request('GET', path);
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
    return answer.json;
  };
  const instrumentsOf = async (connector: string) =>
    listInstruments.success[200].parse(await get(`/instruments?connector=${connector}`)).instruments;
  const pricesOf = async (connector: string) =>
    listPrices.success[200].parse(await get(`/prices?connector=${connector}`)).prices;
  const fundingOf = async (connector: string) =>
    listFunding.success[200].parse(await get(`/funding?connector=${connector}`)).funding;
  const marketsOf = async (connector: string, query = '') =>
    listMarkets.success[200].parse(await get(`/markets?connector=${connector}${query}`));

  it('GET /connectors lists both, up, with their rules', async () => {
    const { connectors } = listConnectors.success[200].parse(await get('/connectors'));
    expect(
      connectors.map(({ id, mode, marginMode, fundingIntervalHours, status }) => [
        id,
        mode,
        marginMode,
        fundingIntervalHours,
        status,
      ]),
    ).to.deep.equal([
      ['paper', 'PAPER', 'required', 1, 'UP'],
      ['paper-cross', 'PAPER', 'rejected', 8, 'UP'],
    ]);
  });

  for (const connector of CONNECTORS) {
    describe(connector, () => {
      it('has at least 60 instruments with rules that make sense', async () => {
        const instruments = await instrumentsOf(connector);
        expect(instruments.length).to.be.at.least(60);
        expect(new Set(instruments.map(({ id }) => id)).size).to.equal(instruments.length);
        for (const one of instruments) {
          expect(one.id).to.equal(`${one.symbol}-PERP`);
          expect(one.connector).to.equal(connector);
          for (const rule of [one.tickSize, one.stepSize, one.minNotional])
            expect(dec(rule).gt(0), `${one.id} ${rule}`).to.equal(true);
          expect(one.maxLeverage).to.be.at.least(1);
          expect(one.marginModes).to.deep.equal(connector === 'paper' ? one.marginModes : ['cross']);
          expect(one.marginModes).to.include('cross');
          expect(one.fundingIntervalHours).to.equal(connector === 'paper' ? 1 : 8);
        }
      });

      it('prices every instrument: bid ≤ mid ≤ ask, on the tick, within its significant figures', async () => {
        const instruments = await instrumentsOf(connector);
        const prices = await pricesOf(connector);
        expect(prices.map(({ id }) => id).sort()).to.deep.equal(instruments.map(({ id }) => id).sort());
        for (const price of prices) {
          const [bid, mid, ask] = [dec(price.bid), dec(price.mid), dec(price.ask)];
          expect(bid.lte(mid) && mid.lte(ask) && bid.lt(ask), price.id).to.equal(true);
          const instrument = instruments.find(({ id }) => id === price.id);
          for (const quoted of [bid, ask]) {
            expect(quoted.mod(instrument?.tickSize ?? '0').toFixed(), `${price.id} ${quoted}`).to.equal('0');
            if (connector === 'paper' && !quoted.isInteger())
              expect(significantFigures(quoted), `${price.id} ${quoted}`).to.be.at.most(5);
          }
          for (const value of [price.mark, price.index, price.last, price.price24hAgo]) {
            const distance = dec(value).div(mid).minus(1).abs();
            expect(distance.lt('0.9'), `${price.id} ${value}`).to.equal(true);
            expect(dec(value).gt(0)).to.equal(true);
          }
          expect(dec(price.mark).div(mid).minus(1).abs().lt('0.02'), price.id).to.equal(true);
        }
      });

      it('funding: every instrument, per its interval, at the next whole boundary', async () => {
        const hours = connector === 'paper' ? 1 : 8;
        const now = gateway.clock.now();
        const rows = await fundingOf(connector);
        expect(rows).to.have.length((await instrumentsOf(connector)).length);
        for (const row of rows) {
          expect(row.intervalHours).to.equal(hours);
          const next = Date.parse(row.nextFundingTime);
          expect(next % (hours * HOUR_MS), row.nextFundingTime).to.equal(0);
          expect(next)
            .to.be.greaterThan(now)
            .and.to.be.at.most(now + hours * HOUR_MS);
          expect(Math.abs(Number(row.rate)), row.id).to.be.lessThan(0.04);
        }
      });

      it('publishes dominance and prediction markets in percent, as its capabilities say', async () => {
        const feeds = async () => getFeeds.success[200].parse(await get(`/feeds?connector=${connector}`));
        const { connectors } = listConnectors.success[200].parse(await get('/connectors'));
        expect(connectors.find(({ id }) => id === connector)?.capabilities).to.include.members([
          'btc_dominance',
          'prediction_markets',
        ]);
        const before = await feeds();
        expect(before.predictionMarkets).to.not.have.length(0);
        for (const percent of [
          before.dominance?.value ?? '',
          ...before.predictionMarkets.map(({ probability }) => probability),
        ])
          expect(Number(percent), percent).to.be.within(0.01, 99.99);
        await gateway.clock.advance(3_000);
        const after = await feeds();
        expect(Date.parse(after.dominance?.updatedAt ?? '')).to.be.greaterThan(
          Date.parse(before.dominance?.updatedAt ?? ''),
        );
        expect(after.predictionMarkets.map(({ marketKey }) => marketKey)).to.deep.equal(
          before.predictionMarkets.map(({ marketKey }) => marketKey),
        );
      });

      it('the trimmed list and the symbol map say the same as the instruments', async () => {
        const instruments = await instrumentsOf(connector);
        const lite = listInstrumentsLite.success[200].parse(
          await get(`/instruments/lite?connector=${connector}`),
        );
        expect(lite.instruments).to.deep.equal(
          instruments.map(({ id, symbol, stepSize, tickSize }) => ({ id, symbol, stepSize, tickSize })),
        );
        expect(await get(`/instruments/symbol-to-id-map?connector=${connector}`)).to.deep.equal(
          Object.fromEntries(instruments.map(({ id, symbol }) => [symbol, id])),
        );
      });

      it('/markets: the totals are the sums over all markets, whatever is selected; by descending volume', async () => {
        const { markets, totals } = await marketsOf(connector, '&scope=all&limit=500');
        expect(totals).to.deep.equal({
          markets: markets.length,
          volume24h: text(sum(markets.map((row) => dec(row.volume24h ?? '0')))),
          openInterest: text(sum(markets.map((row) => dec(row.openInterest ?? '0')))),
        });
        expect(markets).to.have.length((await instrumentsOf(connector)).length);
        const volumes = markets.map((row) => dec(row.volume24h ?? '0'));
        for (const [index, volume] of volumes.entries())
          expect(volume.lte(volumes[index - 1] ?? volume), markets[index]?.id).to.equal(true);
        expect((await marketsOf(connector, '&search=BTC&limit=1')).totals).to.deep.equal(totals);
      });

      it('/markets rows agree with prices, funding and instruments', async () => {
        const prices = await pricesOf(connector);
        const funding = await fundingOf(connector);
        for (const row of (await marketsOf(connector, '&scope=all&limit=500')).markets) {
          const price = prices.find(({ id }) => id === row.id);
          expect(row.price, row.id).to.equal(price?.mark);
          expect(row.updatedAt, row.id).to.equal(price?.updatedAt);
          expect(row.funding, row.id).to.equal(funding.find(({ id }) => id === row.id)?.rate);
          const change = dec(price?.mark ?? '0')
            .div(price?.price24hAgo ?? '1')
            .minus(1);
          expect(Number(row.priceChange24h)).to.be.closeTo(Number(change), 1e-8);
        }
      });

      it('scope selects by tradeability: instruments default to all, markets to tradable', async () => {
        const all = await instrumentsOf(connector);
        const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();
        for (const scope of ['tradable', 'reduce_only', 'not_tradable'] as const) {
          const fitting = ids(all.filter(({ tradeability }) => tradeability.status === scope));
          const listed = await get(`/instruments?connector=${connector}&scope=${scope}`);
          expect(ids(listed.instruments), scope).to.deep.equal(fitting);
          expect(ids((await marketsOf(connector, `&scope=${scope}&limit=500`)).markets), scope).to.deep.equal(
            fitting,
          );
        }
        const explicit = await get(`/instruments?connector=${connector}&scope=all`);
        expect(ids(explicit.instruments)).to.deep.equal(ids(all));
        const usual = (await marketsOf(connector, '&limit=500')).markets;
        expect(usual.every((row) => row.tradeability.status === 'tradable')).to.equal(true);
      });

      it('search matches ticker or id in any case, up to 64 characters', async () => {
        const found = async (search: string) =>
          (await marketsOf(connector, `&scope=all&search=${search}`)).markets.map(({ id }) => id);
        expect(await found('btc')).to.include('BTC-PERP');
        expect(await found('BTC-PE')).to.deep.equal(['BTC-PERP']);
        expect(await found('x'.repeat(64))).to.deep.equal([]);
        const tooLong = await gateway.expect(
          'GET',
          `/markets?connector=${connector}&search=${'x'.repeat(65)}`,
          {},
          400,
        );
        expect(tooLong.details[0].path).to.equal('search');
      });

      it('offset paging lists every market once', async () => {
        const whole = (await marketsOf(connector, '&scope=all&limit=500')).markets.map(({ id }) => id);
        const paged: string[] = [];
        for (let offset = 0; offset < whole.length; offset += 17) {
          const { markets } = await marketsOf(connector, `&scope=all&limit=17&offset=${offset}`);
          paged.push(...markets.map(({ id }) => id));
        }
        expect(paged).to.deep.equal(whole);
        expect((await marketsOf(connector, '&offset=100000')).markets).to.deep.equal([]);
      });

      it('prices move, and their times with them', async () => {
        const before = await pricesOf(connector);
        await gateway.clock.advance(3_000);
        const after = await pricesOf(connector);
        const moved = after.filter((price, index) => price.mark !== before[index]?.mark);
        expect(moved.length).to.be.greaterThan(before.length / 2);
        for (const price of moved) {
          const then = before.find(({ id }) => id === price.id);
          expect(Date.parse(price.updatedAt), price.id).to.be.greaterThan(Date.parse(then?.updatedAt ?? ''));
        }
      });
    });
  }

  it('an instrument has one id on both, and an underlying one index price', async () => {
    const [paper, cross] = await Promise.all(CONNECTORS.map(instrumentsOf));
    const ids = new Set(paper?.map(({ id }) => id));
    const shared = cross?.filter(({ id }) => ids.has(id)) ?? [];
    expect(shared.length).to.be.at.least(60);
    const [onPaper, onCross] = await Promise.all(CONNECTORS.map(pricesOf));
    for (const { id } of shared) {
      const one = onPaper?.find((price) => price.id === id);
      const other = onCross?.find((price) => price.id === id);
      const distance = dec(one?.index ?? '0')
        .div(other?.index ?? '1')
        .minus(1)
        .abs();
      expect(distance.lt('0.005'), `${id} ${one?.index} ${other?.index}`).to.equal(true);
    }
  });

  describe('a connector', () => {
    for (const path of PER_CONNECTOR) {
      it(`is required by ${path}; one that does not exist is a 400 on that path`, async () => {
        for (const query of [
          '',
          '?connector=',
          '?connector=nowhere',
          '?connector=PAPER',
          '?connector=hyperliquid',
        ]) {
          const answer = await gateway.request('GET', `${path}${query}`);
          expect(answer.status, query).to.equal(400);
          expect(answer.json).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
          expect(
            answer.json.details.map((detail: Json) => detail.path),
            query,
          ).to.deep.equal(['connector']);
        }
      });
    }
  });

  it('values of scope, limit and offset that do not exist are a 400 on their path; unknown parameters are ignored', async () => {
    for (const [path, name, value] of [
      ['/instruments', 'scope', 'open'],
      ['/instruments/lite', 'scope', 'ALL'],
      ['/instruments/symbol-to-id-map', 'scope', ''],
      ['/markets', 'scope', 'tradeable'],
      ['/markets', 'limit', '0'],
      ['/markets', 'limit', 'all'],
      ['/markets', 'offset', '-1'],
    ] as const) {
      const answer = await gateway.request('GET', `${path}?connector=paper&${name}=${value}`);
      expect(answer.status, `${path} ${name}=${value}`).to.equal(400);
      expect(answer.json.details[0].path).to.equal(name);
    }
    expect((await gateway.request('GET', '/prices?connector=paper&colour=green')).status).to.equal(200);
  });
});

describe('market data that stands still', () => {
  const statusOf = async (gateway: TestGateway, connector: string) => {
    const { connectors } = (await gateway.request('GET', '/connectors')).json;
    return connectors.find((one: Json) => one.id === connector);
  };

  it('is seen after five seconds: DEGRADED, not ready, PRICE_STALE; and is over with the next price', async () => {
    const gateway = await startTestGateway();
    try {
      const { clock } = gateway;
      const bot = await trader(gateway);
      await clock.advance(200);
      expect((await statusOf(gateway, 'paper')).status).to.equal('UP');
      const lastPriceAt = clock.now();
      clock.leap(6_000);
      const degraded = await statusOf(gateway, 'paper');
      expect(degraded).to.include({ status: 'DEGRADED', reason: 'No market data for more than 5 seconds' });
      expect(Date.parse(degraded.since)).to.be.within(lastPriceAt + 4_800, lastPriceAt + 5_000);
      const ready = (await gateway.request('GET', '/ready')).json;
      expect(ready.ready).to.equal(false);
      expect(ready.checks.find((check: Json) => check.name === 'connector:paper')).to.include({ ok: false });
      const dry = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR, dryRun: true });
      expect(dry.json.plan.problems.map((problem: Json) => problem.code)).to.include('PRICE_STALE');
      const execution = await bot.open(PAIR);
      expect(execution).to.include({ status: 'FAILED', errorCode: 'PRICE_STALE', activeAt: null });
      expect(execution.error).to.include('No orders were placed');
      await clock.advance(200);
      expect((await statusOf(gateway, 'paper')).status).to.equal('UP');
      expect((await bot.open(PAIR)).status).to.equal('COMPLETED');
    } finally {
      await gateway.close();
    }
  });

  it('a venue that is down says so with its reason, in /connectors and /ready, and prices of it are stale at once', async () => {
    const gateway = await startTimedGateway({}, undefined, true);
    try {
      const bot = await trader(gateway);
      await gateway.clock.advance(200);
      const down = faultScript().at({ batch: 1 }, { kind: 'down', forMs: 3_000 }).done();
      gateway.gateway.paperVenue('paper').setFaults(down);
      const first = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
      await untilSettled('it is down', async () => (await statusOf(gateway, 'paper')).status !== 'UP');
      expect(await statusOf(gateway, 'paper')).to.include({ status: 'DOWN', reason: 'fault script' });
      expect(await statusOf(gateway, 'paper-cross')).to.include({ status: 'UP', reason: null });
      const ready = (await gateway.request('GET', '/ready')).json;
      expect(ready.ready).to.equal(false);
      expect(ready.checks.find((check: Json) => check.name === 'connector:paper')).to.include({
        ok: false,
        detail: 'fault script',
      });
      await gateway.clock.advance(10_000);
      expect((await bot.ended(first.json.execution.id)).status).to.equal('FAILED');
      expect(await statusOf(gateway, 'paper')).to.include({ status: 'UP' });
    } finally {
      await gateway.close();
    }
  });
});
