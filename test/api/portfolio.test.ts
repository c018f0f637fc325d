/** `GET /portfolio` and `GET /portfolio/analytics`: sums that are the fills', metrics that are the references'. */
import { expect } from 'chai';
import { getPortfolio, getPortfolioAnalytics } from '../../gateway/contract/portfolio.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import type { Fill } from '../../gateway/domain/model.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { portfolioReferences } from '../support/portfolio-references.ts';
import { startSeededGateway } from '../support/seeded-gateway.ts';
import { fill, nextId, position } from '../support/store-records.ts';
import { startTimedGateway } from '../support/timed-gateway.ts';
import { PAIR, type Trader, trader, traderForEachTest } from '../support/trader.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = Date.UTC(2025, 2, 3);
const day = (number: number) => new Date(FIRST + number * DAY).toISOString().slice(0, 10);
const added = (rows: readonly Json[], field: string) => text(sum(rows.map((row) => dec(row[field]))));

async function read(bot: Trader, path: string): Promise<Json> {
  const answer = await bot.expect('GET', path);
  const contract = path.includes('analytics') ? getPortfolioAnalytics : getPortfolio;
  contract.success[200].parse(answer);
  return answer;
}

describe('portfolio of what was traded', () => {
  it('is the sum of the fills, to the digit, and its buckets are its parts', async () => {
    const gateway = await startTimedGateway({ paperProfile: 'realistic', paperSpeed: 1_800 });
    try {
      const bot = await trader(gateway);
      const opened = await gateway.trade(bot, '/trade/open', {
        type: 'MARKET',
        legs: PAIR,
        slippage: '0.05',
      });
      const { positionId } = opened;
      // Two hours of the market, so that funding has been paid.
      await gateway.clock.advance(5_000);
      await gateway.trade(bot, `/positions/${positionId}/close`, {
        type: 'MARKET',
        fraction: '0.5',
        slippage: '0.05',
      });
      await gateway.trade(bot, `/positions/${positionId}/close`, { type: 'MARKET', slippage: '0.05' });

      const fills: Json[] = (await bot.call('GET', '/fills?limit=2000')).json.fills;
      const closed = (await bot.call('GET', `/positions/${positionId}`)).json;
      const found = await read(bot, '/portfolio');
      expect(found.fees).to.equal(added(fills, 'fee'));
      expect(found.realizedPnl).to.equal(added(fills, 'realizedPnl'));
      expect(found.volume).to.equal(added(fills, 'notional'));
      expect(found.funding).to.equal(text(dec(closed.fundingPaid).neg()));
      expect(found.funding).to.not.equal('0');
      for (const field of ['fees', 'funding', 'volume'])
        expect(added(found.buckets, field)).to.equal(found[field]);
      const net = dec(found.realizedPnl).minus(found.fees).plus(found.funding);
      expect(added(found.buckets, 'pnl')).to.equal(text(net));
      expect(found.netPnl).to.equal(text(net));
      expect(added(found.buckets, 'trades')).to.equal('1');
      expect(found.winCount + found.lossCount).to.equal(1);
      expect(found.averageWin ?? `-${found.averageLoss}`).to.satisfy((value: string) =>
        dec(value).minus(net).abs().lt('1e-12'),
      );
      // A flat account: the venue's balance is the start with all of it.
      expect(found.balance).to.equal(found.equity);
      expect(found.unrealizedPnl).to.equal('0');
      expect(Number(found.balance)).to.be.closeTo(100_000 + Number(net), 1e-6);

      const analytics = await read(bot, '/portfolio/analytics?includeSeries=true');
      expect(added(analytics.series, 'pnl')).to.equal(text(net));
      expect(analytics.series.at(-1).equity).to.equal(found.balance);
      expect(added(analytics.assets, 'fees')).to.equal(found.fees);
      expect(analytics.assets.map((asset: Json) => asset.ticker).sort()).to.deep.equal(['BTC', 'ETH']);
      expect(analytics.pairs).to.have.length(1);
      expect(analytics.pairs[0]).to.include({ basketKey: closed.basketKey, trades: 1, pnl: text(net) });
      const held = Date.parse(closed.closedAt) - Date.parse(closed.createdAt);
      expect(analytics.pairs[0].averageHoldSeconds).to.equal(Math.round(held / 1_000));
      expect(await read(bot, '/portfolio?source=gateway')).to.deep.include({ fees: found.fees });
      expect(await read(bot, '/portfolio?source=external')).to.deep.include({ fees: '0', winCount: 0 });
    } finally {
      await gateway.close();
    }
  });
});

describe('portfolio', () => {
  const gateway = openForEachTest(() =>
    startSeededGateway({ clock: createFakeClock(FIRST + 2 * 365 * DAY) }),
  );
  const bot = traderForEachTest(gateway);

  const record = (timestamp: number, over: Partial<Fill> = {}): Fill =>
    fill({
      id: nextId(),
      tradeAccountId: bot.accountId,
      executionId: 'execution',
      fee: '0',
      timestamp,
      ...over,
    });

  it('of an account that never traded: zeros where something is counted, null where nothing defines it', async () => {
    const found = await read(bot, '/portfolio');
    expect(found).to.deep.include({
      equity: '100000',
      balance: '100000',
      unrealizedPnl: '0',
      realizedPnl: '0',
      volume: '0',
      winCount: 0,
      lossCount: 0,
      hitRate: null,
      profitFactor: null,
      averageWin: null,
      averageLoss: null,
    });
    const analytics = await read(bot, '/portfolio/analytics?includeSeries=true');
    const { maxDrawdown, ...risk } = analytics.risk;
    expect(Object.values(risk).every((value) => value === null)).to.equal(true);
    expect(Object.values(maxDrawdown).every((value) => value === null)).to.equal(true);
    expect([analytics.assets, analytics.pairs, analytics.series]).to.deep.equal([[], [], []]);
    expect(await read(bot, '/portfolio/analytics')).to.not.have.property('series');
  });

  // The venue says 100,000 after all of it, as these references suppose.
  for (const { name, capital, nets, expected } of portfolioReferences().filter(
    (reference) => reference.name !== 'two-days',
  )) {
    it(`analytics of ‘${name}’ are the reference’s${['a-year', 'gap-ridden', 'loses-everything'].includes(name) ? '' : ' @long'}`, async () => {
      await gateway.seed({
        fills: nets.flatMap((net, number) =>
          net === '0' && number > 0
            ? []
            : [record(FIRST + number * DAY + 3_600_000, { realizedPnl: text(dec(net)) })],
        ),
      });
      const query = `startDate=${day(0)}&endDate=${day(nets.length - 1)}&rollingWindowDays=7&includeSeries=true`;
      const { risk, series } = await read(bot, `/portfolio/analytics?${query}`);
      const expectFigure = (value: string | null, reference: string | null, metric: string) => {
        if (value === null || reference === null) expect(value, metric).to.equal(reference);
        else
          expect(Number(value), metric).to.be.closeTo(
            Number(reference),
            Math.max(1, Math.abs(+reference)) * 1e-10,
          );
      };
      for (const metric of [
        'sharpe',
        'sortino',
        'calmar',
        'volatility',
        'ulcerIndex',
        'valueAtRisk95',
        'expectedShortfall95',
      ] as const) {
        expectFigure(risk[metric], expected[metric], metric);
      }
      expectFigure(risk.maxDrawdown.pct, expected.maxDrawdown?.pct ?? null, 'drawdown');
      expect(Number(risk.maxDrawdown.value)).to.equal(Number(expected.maxDrawdown?.value));
      for (const edge of ['from', 'to', 'recoveredAt'] as const) {
        const number = expected.maxDrawdown?.[edge] ?? null;
        expect(risk.maxDrawdown[edge], edge).to.equal(number === null ? null : day(number));
      }
      expect(series.map((point: Json) => point.date)).to.deep.equal(nets.map((_, number) => day(number)));
      expect(series.map((point: Json) => point.pnl)).to.deep.equal(nets.map((net) => text(dec(net))));
      expect(series[0].equity).to.equal(text(dec(capital).plus(nets[0] ?? '0')));
      expect(series.at(-1).equity).to.equal('100000');
      const last = series.at(-1);
      expectFigure(last.rollingSharpe, expected.rolling?.sharpe ?? null, 'rolling sharpe');
      expectFigure(last.rollingSortino, expected.rolling?.sortino ?? null, 'rolling sortino');
      expectFigure(last.rollingVolatility, expected.rolling?.volatility ?? null, 'rolling volatility');
    });
  }

  it('a rolling window goes back before the range, which the figures of the range do not', async () => {
    const [days, window, from, to] = [40, 30, 25, 36];
    const nets = Array.from({ length: days }, (_, number) =>
      Math.round(Math.sin(number * 2.3) * 400 + (number % 5) * 60 - 70),
    );
    await gateway.seed({
      fills: nets.map((net, number) => record(FIRST + number * DAY + HOUR, { realizedPnl: String(net) })),
    });
    // The venue says 100,000 after all of it.
    let equity = 100_000 - nets.reduce((all, net) => all + net, 0);
    const returns = nets.map((net) => {
      equity += net;
      return net / (equity - net);
    });
    const model = (inside: readonly number[]) => {
      const mean = inside.reduce((all, one) => all + one, 0) / inside.length;
      const spread = inside.reduce((all, one) => all + (one - mean) ** 2, 0);
      const falls = inside.reduce((all, one) => all + Math.min(one, 0) ** 2, 0);
      const deviation = Math.sqrt(spread / (inside.length - 1));
      return {
        volatility: deviation * Math.sqrt(365),
        sharpe: (mean / deviation) * Math.sqrt(365),
        sortino: (mean / Math.sqrt(falls / inside.length)) * Math.sqrt(365),
      };
    };
    const query = `startDate=${day(from)}&endDate=${day(to)}&rollingWindowDays=${window}&includeSeries=true`;
    const { series, risk } = await read(bot, `/portfolio/analytics?${query}`);
    expect(series.map(({ date }: Json) => date)).to.deep.equal(
      nets.slice(from, to + 1).map((_, number) => day(from + number)),
    );
    for (const [place, { rollingSharpe, rollingSortino, rollingVolatility }] of series.entries()) {
      const end = from + place + 1;
      if (end < window)
        expect([rollingSharpe, rollingSortino, rollingVolatility], day(end - 1)).to.deep.equal([
          null,
          null,
          null,
        ]);
      else {
        const expected = model(returns.slice(end - window, end));
        expect(Number(rollingSharpe), day(end - 1)).to.be.closeTo(expected.sharpe, 1e-9);
        expect(Number(rollingSortino), day(end - 1)).to.be.closeTo(expected.sortino, 1e-9);
        expect(Number(rollingVolatility), day(end - 1)).to.be.closeTo(expected.volatility, 1e-9);
      }
    }
    expect(series.filter((point: Json) => point.rollingSharpe !== null)).to.have.length(to + 2 - window);
    const inRange = model(returns.slice(from, to + 1));
    for (const name of ['sharpe', 'sortino', 'volatility'] as const)
      expect(Number(risk[name]), name).to.be.closeTo(inRange[name], 1e-9);
    const weeks = (await read(bot, `/portfolio/analytics?${query}&interval=1w`)).series;
    expect(weeks.at(-1).rollingSharpe).to.equal(series.at(-1).rollingSharpe);
  });

  it('beta is against the daily closes of BTC that GET /candles has', async () => {
    const nets = [120, -340, 75, 0, 900, -15, -610, 42, 0, 333];
    const today = Math.floor(gateway.clock.now() / DAY) * DAY;
    const first = today - nets.length * DAY;
    await gateway.seed({
      fills: nets.map((net, number) => record(first + number * DAY + 1, { realizedPnl: String(net) })),
    });
    const date = (time: number) => new Date(time).toISOString().slice(0, 10);
    const range = `startDate=${date(first)}&endDate=${date(today - DAY)}`;
    const { beta } = (await read(bot, `/portfolio/analytics?${range}`)).risk;
    const candles = await bot.call(
      'GET',
      `/candles?connector=paper&symbol=BTC-PERP&interval=1d&from=${first - DAY}&to=${today}`,
    );
    const closes: number[] = candles.json.candles.map((candle: Json) => Number(candle.close));
    expect(closes).to.have.length(nets.length + 1);
    const market = closes.slice(1).map((close, number) => close / (closes[number] ?? 0) - 1);
    let equity = 100_000 - nets.reduce((all, net) => all + net, 0);
    const own = nets.map((net) => {
      const gained = net / equity;
      equity += net;
      return gained;
    });
    const mean = (values: readonly number[]) => values.reduce((all, value) => all + value, 0) / values.length;
    const products = (a: readonly number[], b: readonly number[]) =>
      mean(a.map((value, number) => (value - mean(a)) * ((b[number] ?? 0) - mean(b))));
    expect(Number(beta)).to.be.closeTo(products(own, market) / products(market, market), 1e-9);
  });

  it('interval=1w adds up the days of each week from Monday', async () => {
    const nets = ['5', '-1', '0', '2.5', '0', '0', '1', '-7', '3', '0', '10'];
    await gateway.seed({
      fills: nets.map((net, number) => record(FIRST + number * DAY, { realizedPnl: net })),
    });
    // 3 March 2025 is a Monday.
    const query = `startDate=${day(0)}&endDate=${day(10)}&includeSeries=true`;
    const weeks = (await read(bot, `/portfolio/analytics?${query}&interval=1w`)).series;
    expect(weeks.map(({ date, pnl }: Json) => [date, pnl])).to.deep.equal([
      [day(0), '7.5'],
      [day(7), '6'],
    ]);
    const days = (await read(bot, `/portfolio/analytics?${query}`)).series;
    expect(weeks.map(({ equity }: Json) => equity)).to.deep.equal([days[6].equity, days[10].equity]);
  });

  it('counts a closed position as a win or a loss by its net result, and as neither at exactly 0', async () => {
    const closing = (realizedPnl: string, feesPaid: string, number: number) => {
      const base = position({ tradeAccountId: bot.accountId, status: 'CLOSED' });
      const closedAt = FIRST + number * DAY + 1;
      return {
        ...base,
        createdAt: closedAt - 90_000,
        updatedAt: closedAt,
        closedAt,
        legs: base.legs.map((leg) => ({ ...leg, realizedPnl, feesPaid, fundingPaid: '0' })),
      };
    };
    await gateway.seed({
      fills: [record(FIRST)],
      positions: [
        closing('10', '1', 0),
        closing('3', '2', 1),
        closing('1', '3', 2),
        closing('5', '5', 3),
        closing('100', '1', 30),
      ],
    });
    const query = `?startDate=${day(0)}&endDate=${day(3)}`;
    expect(await read(bot, `/portfolio${query}`)).to.deep.include({
      winCount: 2,
      lossCount: 1,
      hitRate: '0.666666666667',
      profitFactor: '5',
      averageWin: '5',
      averageLoss: '2',
    });
    const pairs = async (range: string) =>
      (await read(bot, `/portfolio/analytics${range}`)).pairs.map(({ basketKey, ...rest }: Json) => rest);
    expect(await pairs(query)).to.deep.equal([
      { trades: 4, pnl: '8', hitRate: '0.666666666667', averageHoldSeconds: 90 },
    ]);
    expect(await pairs('')).to.deep.equal([
      { trades: 5, pnl: '107', hitRate: '0.75', averageHoldSeconds: 90 },
    ]);
  });

  it('a range in hours has hour buckets; a moment as its end includes that moment', async () => {
    const noon = FIRST + 12 * 3_600_000;
    await gateway.seed({ fills: [record(noon, { fee: '1' }), record(noon + 3_600_000, { fee: '2' })] });
    const range = (from: number, to: number) =>
      `/portfolio?startDate=${new Date(from).toISOString()}&endDate=${new Date(to).toISOString()}`;
    const found = await read(bot, range(noon, noon + 3_600_000));
    expect(found.buckets.map(({ start, fees }: Json) => [start, fees])).to.deep.equal([
      ['2025-03-03T12:00:00.000Z', '1'],
      ['2025-03-03T13:00:00.000Z', '2'],
    ]);
    expect((await read(bot, range(noon, noon + 3_599_999))).fees).to.equal('1');
    // The same moments, written with another offset.
    const offset = '/portfolio?startDate=2025-03-03T14:00:00%2B02:00&endDate=2025-03-03T14:59:59.999%2B02:00';
    expect((await read(bot, offset)).fees).to.equal('1');
  });

  // The venue says that 100,000 were paid in and nothing has brought anything since the account is here.
  it('is of the equity marked to market from when it is sampled on, and says what was before', async () => {
    const marks = ['0', '0', '500', '-1500', '300', '0'];
    const unrealized = marks.map((_, number) =>
      marks.slice(0, number + 1).reduce((all, move) => all + Number(move), 0),
    );
    await gateway.seed({
      // Closed on the last day.
      fills: [
        record(FIRST + HOUR, { realizedPnl: '1000' }),
        record(FIRST + 5 * DAY, { realizedPnl: '-700' }),
      ],
      equitySamples: [2, 3, 4, 5].map((number) => ({
        tradeAccountId: bot.accountId,
        at: FIRST + number * DAY + 23 * HOUR,
        deposits: '99700',
        flow: '0',
        gatewayPnl: String(1000 + (number === 5 ? -700 : (unrealized[number] ?? 0))),
        gatewayUnrealized: number === 5 ? '0' : String(unrealized[number]),
        externalPnl: '0',
        externalUnrealized: '0',
      })),
    });
    const query = `startDate=${day(0)}&endDate=${day(5)}&includeSeries=true`;
    const { risk, series, basis, sampledSince } = await read(bot, `/portfolio/analytics?${query}`);
    expect([basis, sampledSince]).to.deep.equal(['MIXED', `${day(2)}T23:00:00.000Z`]);
    expect(
      series.map((point: Json) => [point.basis, point.equity, point.pnl, point.unrealizedPnl]),
    ).to.deep.equal([
      ['REALIZED', '100700', '1000', '0'],
      ['REALIZED', '100700', '0', '0'],
      ['MARKED', '101200', '0', '500'],
      ['MARKED', '99700', '0', '-1500'],
      ['MARKED', '100000', '0', '300'],
      ['MARKED', '100000', '-700', '700'],
    ]);
    // With realised results alone the drawdown would be 700 on the last day. The open gain of day 2 was not realised.
    expect(risk.maxDrawdown).to.deep.include({ value: '1500', from: day(0), to: day(3), recoveredAt: null });
    expect(Number(risk.maxDrawdown.pct)).to.be.closeTo((1500 / 101_200) * 100, 1e-9);
    const external = await read(bot, `/portfolio/analytics?${query}&source=external`);
    expect(external.series.at(-1)).to.include({ pnl: '0', unrealizedPnl: '0', equity: '99700' });
    const week = (await read(bot, `/portfolio/analytics?${query}&interval=1w`)).series;
    expect(week).to.have.length(1);
    expect(week[0]).to.include({ basis: 'REALIZED', equity: '100000', pnl: '300', unrealizedPnl: '0' });
  });

  it('tells what the equity is made of when it is asked to', async () => {
    const { ledger, deposits, equity } = await read(bot, '/portfolio?includeLedger=true');
    expect([deposits, equity]).to.deep.equal(['100000', '100000']);
    expect(ledger).to.deep.include({
      equity: '100000',
      deposits: '100000',
      pnl: '0',
      instruments: [],
      baskets: [],
    });
    expect(ledger.sources.map(({ source }: Json) => source)).to.deep.equal(['gateway', 'external']);
    expect(await read(bot, '/portfolio')).to.not.have.property('ledger');
  });

  it('shows only the account that is asked for', async () => {
    await gateway.seed({ fills: [record(FIRST, { fee: '1' })] });
    const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
    const theirs = await bot.call('GET', '/portfolio', undefined, { 'x-trade-account-id': other.json.id });
    expect(theirs.json.fees).to.equal('0');
  });

  it('refuses what it does not understand, naming the field', async () => {
    const refused = async (path: string, field: string) => {
      const answer = await bot.call('GET', path);
      expect(answer.status, path).to.equal(400);
      expect(answer.json, path).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
      expect(answer.json.details[0].path, path).to.equal(field);
    };
    for (const path of ['/portfolio', '/portfolio/analytics', '/positions/closed']) {
      for (const date of [
        'yesterday',
        '2025-02-30',
        '2025-13-01',
        '20250101',
        '2025-01-01T10:00',
        '',
        '1e3',
      ]) {
        await refused(`${path}?startDate=${date}`, 'startDate');
        await refused(`${path}?endDate=${date}`, 'endDate');
      }
      await refused(`${path}?startDate=2025-03-02&endDate=2025-03-01`, 'startDate');
      expect((await bot.call('GET', `${path}?startDate=2025-03-01&endDate=2025-03-01`)).status).to.equal(200);
      expect((await bot.call('GET', `${path}?startDate=0000-01-01&endDate=9999-12-31`)).status).to.equal(200);
    }
    await refused('/portfolio?source=mine', 'source');
    await refused('/portfolio/analytics?source=', 'source');
    await refused('/portfolio/analytics?interval=1h', 'interval');
    await refused('/portfolio/analytics?includeSeries=yes', 'includeSeries');
    for (const days of ['1', '366', '2.5', '-7', 'x', ''])
      await refused(`/portfolio/analytics?rollingWindowDays=${days}`, 'rollingWindowDays');
  });
});
