/** `GET /analytics/pair` over HTTP: defined from the first moment, consistent with the candles, figures that agree. */
import { expect } from 'chai';
import { getPairAnalytics } from '../../gateway/contract/candles.ts';
import { pairStatistics } from '../../gateway/domain/pair-statistics.ts';
import type { Json } from '../support/json.ts';
import { timedGatewayForSuite } from '../support/timed-gateway.ts';

const HOUR_MS = 3_600_000;

describe('GET /analytics/pair', () => {
  const gateway = timedGatewayForSuite();
  before(async () => {
    await gateway.clock.advance(1_000);
  });

  async function analytics(query: string): Promise<Json> {
    const answer = await gateway.expect('GET', `/analytics/pair?connector=paper&${query}`);
    return getPairAnalytics.success[200].parse(answer);
  }

  it('has every figure from the first moment, for every lookback', async () => {
    for (const [lookback, observations, interval] of [
      ['24h', 288, '5m'],
      ['7d', 168, '1h'],
      ['30d', 720, '1h'],
      ['90d', 540, '4h'],
    ] as const) {
      const pair = await analytics(`long=BTC-PERP&short=ETH-PERP&lookback=${lookback}`);
      expect(pair).to.include({ lookback, interval, observations });
      expect(pair.history).to.have.length(observations);
      for (const name of ['correlation', 'beta', 'hedgeRatio', 'spreadDeviation', 'zScore'])
        expect(pair[name], name).to.be.a('string');
      expect(Number(pair.correlation)).to.be.within(0.3, 1);
      expect(pair.cointegration).to.include({ test: 'ENGLE_GRANGER' });
    }
  });

  it('says of each leg whether it can be traded, and why figures are missing', async () => {
    const { instruments } = (await gateway.request('GET', '/instruments?connector=paper')).json;
    const halted = instruments.find(({ tradeability }: Json) => tradeability.status === 'not_tradable');
    const pair = await analytics(`long=${halted.id}&short=ETH-PERP`);
    expect(pair.tradeability).to.deep.equal({
      long: halted.tradeability,
      short: { status: 'tradable', reason: null },
    });
    expect(pair).to.include({ reason: null });
    expect((await analytics('long=BTC-PERP&short=ETH-PERP')).tradeability.long.status).to.equal('tradable');
  });

  it('says in the description by what rules it computes', async () => {
    const { properties } = (await gateway.request('GET', '/openapi.json')).json.components.schemas
      .PairAnalytics;
    const words = JSON.stringify(properties);
    for (const rule of ['⌊(n − 1)^⅓⌋', 'MacKinnon', 'OSCILLATES', 'LONG_CONSTANT'])
      expect(words, rule).to.contain(rule);
    const document = JSON.stringify((await gateway.request('GET', '/openapi.json')).json);
    for (const rule of [
      'A day is a UTC day',
      'latest 60 ended candles',
      'at the worse of mark and limit price',
    ])
      expect(document, rule).to.contain(rule);
  });

  it('is of the closes that the candles have', async () => {
    const pair = await analytics('long=SOL-PERP&short=ETH-PERP&lookback=7d');
    const series = async (symbol: string): Promise<Json[]> => {
      const from = new Date(Date.parse(pair.from) - HOUR_MS).toISOString();
      const query = `connector=paper&symbol=${symbol}&interval=1h&from=${from}&to=${pair.to}`;
      return (await gateway.request('GET', `/candles?${query}`)).json.candles;
    };
    const [long, short] = await Promise.all([series('SOL-PERP'), series('ETH-PERP')]);
    const closes = (rows: readonly Json[]) => rows.map(({ close }) => Number(close));
    const figures = pairStatistics(closes(long), closes(short));
    for (const name of ['correlation', 'beta', 'hedgeRatio', 'zScore'] as const)
      expect(Number(pair[name]) / (figures?.[name] ?? 0), name).to.be.closeTo(1, 1e-9);
    expect(Number(pair.halfLifeHours)).to.be.closeTo(figures?.halfLife ?? 0, 1e-6);
    expect(pair.history.at(-1).zScore).to.equal(pair.zScore);
    expect(Number(pair.history[0].ratio)).to.be.closeTo(
      Number(long[0]?.close) / Number(short[0]?.close),
      1e-9,
    );
  });

  it('looks back 30 days unless said', async () => {
    expect(await analytics('long=BTC-PERP&short=ETH-PERP')).to.include({
      lookback: '30d',
      observations: 720,
    });
  });

  it('refuses what cannot be asked, naming the field', async () => {
    for (const [query, field] of [
      ['long=BTC-PERP', 'short'],
      ['long=BTC-PERP&short=BTC-PERP', 'short'],
      ['long=NOPE-PERP&short=BTC-PERP', 'long'],
      ['long=BTC-PERP&short=BTC', 'short'],
      ['long=BTC-PERP&short=ETH-PERP&lookback=1y', 'lookback'],
      ['long=BTC-PERP&long=SOL-PERP&short=ETH-PERP', 'long'],
      ['connector=nowhere&long=BTC-PERP&short=ETH-PERP', 'connector'],
    ] as const) {
      const connector = query.includes('connector') ? '' : 'connector=paper&';
      const answer = await gateway.request('GET', `/analytics/pair?${connector}${query}`);
      expect(answer.status, query).to.equal(400);
      expect(answer.json.details[0].path, query).to.equal(field);
    }
  });
});
