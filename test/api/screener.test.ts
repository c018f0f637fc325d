/** `GET /analytics/screener` over HTTP: computed beside the gateway, filtered, sorted, paged, and true to the candles. */
import { once } from 'node:events';
import { expect } from 'chai';
import { getScreener } from '../../gateway/contract/screener.ts';
import { pairStatistics } from '../../gateway/domain/pair-statistics.ts';
import { gatewayForSuite, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { untilSettled } from '../support/until.ts';

const HOUR_MS = 3_600_000;

describe('GET /analytics/screener', () => {
  const gateway = gatewayForSuite();

  async function screener(query = ''): Promise<Json> {
    const answer = await gateway.expect('GET', `/analytics/screener?connector=paper${query}`);
    return getScreener.success[200].parse(answer);
  }

  let computation: Promise<void> | null = null;
  /** Asks for the screen, and waits for the thread that computes it. */
  async function compute(): Promise<void> {
    await screener();
    const [thread] = await whileTimePasses(gateway.clock, once(process, 'worker'));
    await once(thread, 'exit');
  }

  async function whole(): Promise<Json> {
    computation ??= compute();
    await computation;
    return untilSettled('the screen is computed', async () => {
      const found = await screener('&limit=200');
      return found.asOf !== null && found.progress === null && found;
    });
  }

  it('answers at once that it is being computed, and then each unordered pair once', async () => {
    const begun = gateway.clock.now();
    const first = await screener();
    expect(first).to.include({ asOf: null, computedAt: null, error: null, count: 0 });
    expect(first.progress.done).to.be.at.most(first.progress.total);
    const { asOf, computedAt, instruments, count } = await whole();
    expect(Date.parse(asOf) % HOUR_MS).to.equal(0);
    expect(Date.parse(computedAt)).to.be.within(begun, gateway.clock.now());
    expect(count).to.equal((instruments * (instruments - 1)) / 2);
    const seen = new Set<string>();
    for (let offset = 0; offset < count; offset += 200) {
      for (const { first: one, second } of (await screener(`&limit=200&offset=${offset}`)).pairs) {
        expect(one.id < second.id).to.equal(true);
        seen.add(`${one.id} ${second.id}`);
      }
    }
    expect(seen.size).to.equal(count);
    expect((await screener(`&offset=${count}`)).pairs).to.deep.equal([]);
  });

  it('is what the candles of everybody say', async () => {
    const { asOf } = await whole();
    const [pair] = (await screener('&search=btc%20eth')).pairs;
    expect([pair.first.symbol, pair.second.symbol]).to.deep.equal(['BTC', 'ETH']);
    const closes = async (symbol: string): Promise<readonly number[]> => {
      const from = Date.parse(asOf) - 2_160 * HOUR_MS;
      const of = async (a: number, b: number) =>
        (
          await gateway.request(
            'GET',
            `/candles?connector=paper&symbol=${symbol}&interval=1h&from=${a}&to=${b}`,
          )
        ).json.candles.map(({ close }: Json) => Number(close));
      const middle = from + 1_000 * HOUR_MS;
      return [...(await of(from, middle)), ...(await of(middle, Date.parse(asOf)))];
    };
    const found = pairStatistics(await closes('BTC-PERP'), await closes('ETH-PERP'));
    expect(pair.observations).to.equal(2_160);
    expect(Number(pair.correlation)).to.be.closeTo(found?.correlation ?? Number.NaN, 1e-9);
    expect(Number(pair.hedgeRatio)).to.be.closeTo(found?.hedgeRatio ?? Number.NaN, 1e-9);
    expect(Number(pair.zScore)).to.be.closeTo(found?.zScore ?? Number.NaN, 1e-9);
    expect(Number(pair.statistic)).to.be.closeTo(found?.cointegration?.statistic ?? Number.NaN, 1e-9);
    expect(pair.direction).to.equal(Number(pair.zScore) > 0 ? 'SHORT_FIRST' : 'LONG_FIRST');
    expect(pair.sparkline).to.have.length(30);
  });

  it('tells the funding of the side that gains when the spread comes back, of legs weighed by h', async () => {
    await whole();
    const { funding } = (await gateway.request('GET', '/funding?connector=paper')).json;
    const rate = (id: string) => {
      const found = funding.find((one: Json) => one.id === id);
      return (Number(found.rate) / found.intervalHours) * 24 * 365;
    };
    const { pairs } = await screener('&limit=100');
    const isWeighed = ({ hedgeRatio }: Json) => Number(hedgeRatio) >= 0.1 && Number(hedgeRatio) <= 10;
    for (const pair of pairs) {
      const { first, second, direction, carryApr } = pair;
      const ofSecond = isWeighed(pair) ? Number(pair.hedgeRatio) : 1;
      const received = (rate(second.id) * ofSecond - rate(first.id)) / (1 + ofSecond);
      const wanted = direction === 'SHORT_FIRST' ? -received : received;
      expect(Number(carryApr)).to.be.closeTo(wanted, Math.abs(wanted) * 0.2 + 1e-3);
    }
  });

  for (const name of ['correlation', 'pValue', 'zScore', 'halfLifeHours', 'carryApr', 'volume24h']) {
    it(`sorts by ${name}, both ways, and what has none comes last${name === 'zScore' ? '' : ' @long'}`, async () => {
      await whole();
      for (const sign of ['', '-']) {
        const values = (await screener(`&limit=200&orderBy=${sign}${name}`)).pairs.map(
          (pair: Json) => pair[name],
        );
        const known: number[] = values.filter((value: string | null) => value !== null).map(Number);
        expect(values.slice(0, known.length)).to.not.include(null);
        const sorted = known.toSorted((a, b) => (sign === '' ? a - b : b - a));
        expect(known).to.deep.equal(sorted);
      }
    });
  }

  it('puts cointegrated pairs first where that is asked for, each part in its order, and counts them', async () => {
    await whole();
    const plain = await screener('&limit=200');
    const isCointegrated = ({ pValue }: Json) => pValue !== null && Number(pValue) <= 0.1;
    const all: Json[] = [];
    for (let offset = 0; offset < plain.count; offset += 200)
      all.push(...(await screener(`&limit=200&offset=${offset}`)).pairs);
    expect(all.some(isCointegrated) && !all.every(isCointegrated), 'both kinds').to.equal(true);
    const wanted = [...all.filter(isCointegrated), ...all.filter((pair) => !isCointegrated(pair))];
    const grouped = await screener('&limit=200&cointegratedFirst=true');
    const names = (pairs: Json[]) => pairs.map(({ first, second }) => `${first.id} ${second.id}`);
    expect(names(grouped.pairs)).to.deep.equal(names(wanted.slice(0, 200)));
    expect(grouped.cointegrated).to.equal(all.filter(isCointegrated).length);
    expect(plain.cointegrated).to.equal(grouped.cointegrated);
    expect((await screener('&maxPValue=0.1')).count).to.equal(grouped.cointegrated);
    expect((await screener('&search=nothing-like-it')).cointegrated).to.equal(0);
  });

  it('filters by p-value, size of the z-score and names', async () => {
    const { count } = await whole();
    const few = await screener('&maxPValue=0.2&minAbsZScore=0.5&limit=200');
    expect(few.count).to.be.lessThan(count);
    for (const { pValue, zScore } of few.pairs) {
      expect(Number(pValue)).to.be.at.most(0.2);
      expect(Math.abs(Number(zScore))).to.be.at.least(0.5);
    }
    const turned = await screener('&search=eth/btc');
    expect(turned.pairs.map(({ second }: Json) => second.symbol)).to.include('ETH');
    expect((await screener('&search=nothing-like-it')).count).to.equal(0);
  });

  it('refuses what it does not know', async () => {
    for (const [query, path] of [
      ['connector=nowhere', 'connector'],
      ['connector=paper&orderBy=beta', 'orderBy'],
      ['connector=paper&maxPValue=2', 'maxPValue'],
      ['connector=paper&minAbsZScore=-1', 'minAbsZScore'],
      ['connector=paper&cointegratedFirst=1', 'cointegratedFirst'],
      ['connector=paper&limit=201', 'limit'],
    ]) {
      const { status, json } = await gateway.request('GET', `/analytics/screener?${query}`);
      expect(status).to.equal(400);
      expect(json.details[0].path).to.equal(path);
    }
  });
});
