/** Candles of instruments and baskets over HTTP: never empty, alike at every interval, kept across restarts. */
import { expect } from 'chai';
import { listBasketCandles, listCandles } from '../../gateway/contract/candles.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { paperAlone } from '../support/paper-alone.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LENGTHS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': 24 * HOUR_MS,
  '1w': 7 * 24 * HOUR_MS,
} as const;
type Interval = keyof typeof LENGTHS;
const INTERVALS = Object.keys(LENGTHS) as Interval[];

/** Midnight of the Monday at or before. */
function mondayOf(at: number): number {
  const day = new Date(at);
  const since = (day.getUTCDay() + 6) % 7;
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - since);
}

describe('candles', () => {
  const clock = openForEachTest(() => createFakeClock());
  const gateway = gatewayForEachTest({ clock, overrides: { venues: [paperAlone] } });

  beforeEach(async () => {
    await clock.advance(100);
  });

  async function candles(query: string): Promise<Json[]> {
    const answer = await gateway.expect('GET', `/candles?connector=paper&${query}`);
    return listCandles.success[200].parse(answer).candles;
  }

  async function ratios(query: string): Promise<Json[]> {
    const answer = await gateway.expect('GET', `/candles/basket?connector=paper&${query}`);
    return listBasketCandles.success[200].parse(answer).candles;
  }

  async function price(symbol: string): Promise<Json> {
    const { json } = await gateway.request('GET', '/prices?connector=paper');
    return json.prices.find(({ id }: Json) => id === symbol);
  }

  const range = (from: number, to: number) =>
    `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const times = (rows: readonly Json[]) => rows.map(({ start }) => Date.parse(start));

  function expectContiguous(rows: readonly Json[], interval: Interval): void {
    const starts = times(rows);
    expect(starts.slice(1).map((at, index) => at - (starts[index] ?? 0))).to.deep.equal(
      starts.slice(1).map(() => LENGTHS[interval]),
    );
    for (const { open, high, low, close } of rows) {
      expect(Number(high)).to.be.at.least(Math.max(Number(open), Number(close)));
      expect(Number(low)).to.be.at.most(Math.min(Number(open), Number(close)));
      expect(Number(low)).to.be.greaterThan(0);
    }
  }

  /** One bigger candle out of smaller ones. */
  function gathered(rows: readonly Json[], ms: number) {
    const groups = new Map<number, Json[]>();
    for (const row of rows) {
      const began = Date.parse(row.start);
      const at = ms === LENGTHS['1w'] ? mondayOf(began) : began - (began % ms);
      groups.set(at, [...(groups.get(at) ?? []), row]);
    }
    return [...groups].map(([at, of]) => ({
      start: new Date(at).toISOString(),
      open: of[0]?.open,
      high: of.reduce((most, { high }) => (Number(high) > Number(most) ? high : most), of[0]?.high),
      low: of.reduce((least, { low }) => (Number(low) < Number(least) ? low : least), of[0]?.low),
      close: of.at(-1)?.close,
      isComplete: true,
    }));
  }

  it('have a past from the first moment, up to the price of now', async () => {
    const weeks = 1 + (mondayOf(clock.now()) - mondayOf(clock.now() - 120 * LENGTHS['1d'])) / LENGTHS['1w'];
    for (const interval of INTERVALS) {
      const rows = await candles(`symbol=BTC-PERP&interval=${interval}`);
      expectContiguous(rows, interval);
      // A day has begun, and its second half may have.
      const halves = 240 + (new Date(clock.now()).getUTCHours() < 12 ? 1 : 2);
      const lengths: Partial<Record<Interval, number>> = { '12h': halves, '1d': 121, '1w': weeks };
      expect(rows, interval).to.have.length(lengths[interval] ?? 300);
      const last = rows.at(-1);
      expect(last?.isComplete).to.equal(false);
      expect(last?.close).to.equal((await price('BTC-PERP')).mark);
      expect(rows.slice(0, -1).every(({ isComplete }) => isComplete)).to.equal(true);
    }
  });

  it('of a week begin on Monday, and a range that begins or ends within a candle has whole ones @long', async () => {
    const monday = mondayOf(clock.now());
    const days = await candles(`symbol=SOL-PERP&interval=1d&${range(monday - 3 * LENGTHS['1w'], monday)}`);
    const weeks = gathered(days, LENGTHS['1w']);
    expect(weeks.map(({ start }) => new Date(start).getUTCDay())).to.deep.equal([1, 1, 1]);
    const all = await candles(`symbol=SOL-PERP&interval=1w&${range(monday - 3 * LENGTHS['1w'], monday)}`);
    expect(all).to.deep.equal(weeks);
    const middle = range(monday - 3 * LENGTHS['1w'] + 1, monday - 1.5 * LENGTHS['1w']);
    expect(await candles(`symbol=SOL-PERP&interval=1w&${middle}`)).to.deep.equal(weeks.slice(1, 2));
    const hour = clock.now() - (clock.now() % HOUR_MS) - LENGTHS['1d'];
    const quarters = await candles(
      `symbol=SOL-PERP&interval=15m&${range(hour - 7 * MINUTE_MS, hour + 16 * MINUTE_MS)}`,
    );
    expect(times(quarters)).to.deep.equal([hour, hour + 15 * MINUTE_MS]);
    const minutes = await candles(`symbol=SOL-PERP&interval=1m&${range(hour, hour + 30 * MINUTE_MS)}`);
    expect(quarters).to.deep.equal(gathered(minutes, LENGTHS['15m']));
  });

  it('agree with the price of 24 hours ago', async () => {
    const now = clock.now() - (clock.now() % HOUR_MS);
    for (const symbol of ['BTC-PERP', 'DOGE-PERP']) {
      const [row] = await candles(`symbol=${symbol}&interval=1h&${range(now - LENGTHS['1d'], now)}`);
      const { price24hAgo } = await price(symbol);
      expect(Number(row?.open) / Number(price24hAgo)).to.be.closeTo(1, 2e-4);
    }
  });

  it('are kept across a restart, and the time in between is filled in without a step @long', async () => {
    const begun = clock.now() - (clock.now() % MINUTE_MS);
    await clock.advance(4 * MINUTE_MS + 30_000);
    const query = `symbol=LINK-PERP&interval=1m&${range(begun, clock.now())}`;
    const before = await candles(query);
    expect(before).to.have.length(5);
    await gateway.restart({}, () => clock.advance(6 * HOUR_MS));
    await clock.advance(100);
    const kept = await candles(query);
    expect(kept.slice(0, -1)).to.deep.equal(before.slice(0, -1));
    await clock.advance(2 * MINUTE_MS);
    const rows = await candles(`symbol=LINK-PERP&interval=1m&${range(begun, clock.now())}`);
    expectContiguous(rows, '1m');
    expect(rows.at(-1)?.close).to.equal((await price('LINK-PERP')).mark);
    for (const [index, row] of rows.slice(1).entries()) {
      expect(Math.abs(Math.log(Number(row.open) / Number(rows[index]?.close)))).to.be.lessThan(0.01);
    }
    expectContiguous(await candles('symbol=LINK-PERP&interval=1h'), '1h');
    expectContiguous(await candles('symbol=LINK-PERP&interval=1d'), '1d');
  });

  it('of a pair are the price ratio, of a basket its weighted ratio', async () => {
    await clock.advance(3 * MINUTE_MS);
    const when = range(clock.now() - HOUR_MS, clock.now());
    const [btc, eth, pair, weighted] = await Promise.all([
      candles(`symbol=BTC-PERP&interval=5m&${when}`),
      candles(`symbol=ETH-PERP&interval=5m&${when}`),
      ratios(`long=BTC-PERP&short=ETH-PERP&interval=5m&${when}`),
      ratios(`long=BTC-PERP&short=ETH-PERP&weights=0.75,0.25&metric=WEIGHTED_RATIO&interval=5m&${when}`),
    ]);
    expect(pair.length).to.be.greaterThan(10);
    for (const [index, row] of pair.entries()) {
      const open = Number(btc[index]?.open) / Number(eth[index]?.open);
      expect(Number(row.open) / open).to.be.closeTo(1, 1e-10);
      const power = Number(btc[index]?.close) ** 0.75 / Number(eth[index]?.close) ** 0.25;
      expect(Number(weighted[index]?.close) / power).to.be.closeTo(1, 1e-10);
    }
    expectContiguous(pair, '5m');
    const minutes = await ratios(`long=BTC-PERP&short=ETH-PERP&interval=1m&${when}`);
    expect(gathered(minutes, LENGTHS['5m'])[1]).to.deep.equal(pair[0]);
    const [quarter] = await ratios(`long=BTC-PERP&short=ETH-PERP&interval=15m&${when}`);
    const inside = pair.filter(
      ({ start }) =>
        Math.floor(Date.parse(start) / LENGTHS['15m']) === Date.parse(quarter?.start) / LENGTHS['15m'],
    );
    const ends = inside.flatMap(({ open, close }) => [Number(open), Number(close)]);
    expect(inside).to.have.length(3);
    expect(quarter).to.deep.include({ open: inside[0]?.open, close: inside[2]?.close });
    expect([Number(quarter?.low), Number(quarter?.high)]).to.deep.equal([
      Math.min(...ends),
      Math.max(...ends),
    ]);
  });

  it('of a basket of three, of one leg, of short legs alone @long', async () => {
    const three = await ratios('long=BTC-PERP,SOL-PERP&short=ETH-PERP&interval=1h');
    const single = await ratios('long=BTC-PERP&interval=1h');
    const shorts = await ratios('short=ETH-PERP&short=SOL-PERP&interval=1h');
    const btc = await candles('symbol=BTC-PERP&interval=1h');
    expect(three).to.have.length(300);
    expect(Number(single[0]?.open) / Number(btc[0]?.open)).to.be.closeTo(1, 1e-10);
    expect(Number(shorts[0]?.open)).to.be.lessThan(1);
  });

  it('are answered empty before the simulated past and in the future', async () => {
    const now = clock.now();
    expect(
      await candles(
        `symbol=BTC-PERP&interval=1d&${range(now - 400 * LENGTHS['1d'], now - 200 * LENGTHS['1d'])}`,
      ),
    ).to.deep.equal([]);
    expect(
      await candles(`symbol=BTC-PERP&interval=1m&${range(now + HOUR_MS, now + 2 * HOUR_MS)}`),
    ).to.deep.equal([]);
  });

  it('epoch milliseconds and ISO 8601 name the same time @long', async () => {
    const to = clock.now() - HOUR_MS;
    const iso = await candles(`symbol=BTC-PERP&interval=1m&${range(to - HOUR_MS, to)}`);
    expect(await candles(`symbol=BTC-PERP&interval=1m&from=${to - HOUR_MS}&to=${to}`)).to.deep.equal(iso);
    expect(iso).to.have.length(60);
  });

  const REFUSED: readonly (readonly [what: string, path: string, field: string])[] = [
    ['no connector', '/candles?symbol=BTC-PERP&interval=1m', 'connector'],
    ['an unknown connector', '/candles?connector=nowhere&symbol=BTC-PERP&interval=1m', 'connector'],
    ['an unknown instrument', '/candles?connector=paper&symbol=NOPE-PERP&interval=1m', 'symbol'],
    ['a quoting instrument', '/candles?connector=paper&symbol=%22%27)&interval=1m', 'symbol'],
    ['an unknown interval', '/candles?connector=paper&symbol=BTC-PERP&interval=2m', 'interval'],
    ['a time that is none', '/candles?connector=paper&symbol=BTC-PERP&interval=1m&from=yesterday', 'from'],
    ['an impossible time', '/candles?connector=paper&symbol=BTC-PERP&interval=1m&to=99999999999999999', 'to'],
    ['from after to', '/candles?connector=paper&symbol=BTC-PERP&interval=1m&from=2000&to=1000', 'from'],
    [
      'too many candles',
      '/candles?connector=paper&symbol=BTC-PERP&interval=1m&from=0&to=1700000000000',
      'from',
    ],
    [
      'more candles than a basket of four may have',
      `/candles/basket?connector=paper&long=BTC-PERP,ETH-PERP&short=SOL-PERP,LINK-PERP&interval=1m&from=0&to=${1501 * MINUTE_MS}`,
      'from',
    ],
    ['a basket without legs', '/candles/basket?connector=paper&interval=1m', 'long'],
    [
      'an instrument on both sides',
      '/candles/basket?connector=paper&long=BTC-PERP&short=BTC-PERP&interval=1m',
      'short',
    ],
    [
      'a weight too few',
      '/candles/basket?connector=paper&long=BTC-PERP&short=ETH-PERP&weights=1&interval=1m',
      'weights',
    ],
    [
      'a weight of nothing',
      '/candles/basket?connector=paper&long=BTC-PERP&weights=0&interval=1m',
      'weights.0',
    ],
    ['an unknown leg', '/candles/basket?connector=paper&long=NOPE-PERP&interval=1m', 'long'],
  ];

  it('refuse what cannot be asked, naming the field', async () => {
    for (const [what, path, field] of REFUSED) {
      const answer = await gateway.request('GET', path);
      expect(answer.status, what).to.equal(400);
      expect(answer.json.errorCode, what).to.equal('VALIDATION_ERROR');
      expect(answer.json.details[0].path, what).to.equal(field);
    }
  });
});
