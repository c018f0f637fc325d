import { expect } from 'chai';
import { closePosition, openTrade } from '../../../gateway/contract/positions.ts';
import { createSchedule } from '../../../gateway/contract/schedules.ts';
import { putLeverage } from '../../../gateway/contract/trading.ts';
import { tandem } from '../../support/command-line.ts';
import { type StubAnswer, startStubGateway } from './stub-gateway.ts';
import {
  ACCOUNTS,
  completing,
  EXECUTION_ID,
  execution,
  KEY,
  OPEN,
  POSITION_ID,
  TradingStub,
} from './trading-stub.ts';

describe('trading commands', () => {
  const desk = new TradingStub();
  afterEach(() => desk.close());
  const run: TradingStub['run'] = (argv, routes) => desk.run(argv, routes);
  const sent: TradingStub['sent'] = (method, path) => desk.sent(method, path);

  it('opens a basket: tickers become ids, the body fits the contract, orders are shown when it ended', async () => {
    const end = await run([...OPEN, '--slippage', '0.02', '--on-leg-failure', 'unwind'], completing);
    expect([end.code, end.err]).to.deep.equal([0, '']);
    expect(end.out)
      .to.contain('COMPLETED')
      .and.to.match(/BTC-PERP +buy +FILLED +0\.5 +0\.5 +100\.25/);
    const [request] = sent('POST', '/trade/open');
    expect(openTrade.body.parse(request?.body)).to.deep.include({
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' },
        { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
      ],
      slippage: '0.02',
      onLegFailure: 'UNWIND',
    });
    expect(request?.headers).to.include({ 'x-api-key': KEY, 'x-trade-account-id': ACCOUNTS[0]?.id });
    expect(request?.headers['idempotency-key']).to.match(/^[0-9a-f-]{36}$/);
  });

  it('passes on what happens when a leg of a TWAP fails', async () => {
    await run(['twap', ...OPEN, '--duration', '600', '--on-leg-failure', 'unwind'], {});
    expect(createSchedule.body.parse(sent('POST', '/schedules')[0]?.body).onLegFailure).to.equal('UNWIND');
  });

  it('passes weights of a total, and an own idempotency key', async () => {
    const weights = 'open --long BTC=0.5 --short ETH=0.25,SOL=0.25 --mode weight --total 1000';
    await run([...weights.split(' '), '--idempotency-key', 'mine', '--wait=false'], completing);
    const [request] = sent('POST', '/trade/open');
    expect(openTrade.body.safeParse(request?.body).success).to.equal(true);
    expect(request?.headers['idempotency-key']).to.equal('mine');
    expect(sent('GET', `/executions/${EXECUTION_ID}`)).to.have.length(0);
  });

  it('shows amounts to read: a failed leg by its code in the table and by its sentence below', async () => {
    const rejected = execution('FAILED', {
      error: 'Leg 2 (ETH-PERP SELL): refused',
      positionId: POSITION_ID,
      finishedAt: '2026-01-01T00:00:01.500Z',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    const [first, second] = rejected.orders;
    const orders = [
      { ...first, status: 'FILLED', filledQuantity: '1500.5', averagePrice: '1234.123456789012345678' },
      { ...second, status: 'REJECTED', errorCode: 'VENUE_REJECTED', error: 'Leg 2 (ETH-PERP SELL): refused' },
    ];
    const end = await run(OPEN, {
      ...completing,
      [`GET /executions/${EXECUTION_ID}`]: () => [200, { execution: { ...rejected, orders } }],
    });
    expect(end.code).to.equal(1);
    expect(end.out)
      .to.match(/FAILED +in 1\.50 s/)
      .and.to.match(/BTC-PERP +buy +FILLED +1,500\.5 +0\.5 +1,234\.123 /)
      .and.to.match(/ETH-PERP +sell +REJECTED .*VENUE_REJECTED$/m)
      .and.to.contain(`Position ${POSITION_ID}`);
    expect(end.err.split('\n')).to.deep.equal([
      'FAILED: Leg 2 (ETH-PERP SELL): refused',
      'Some orders filled: look at your positions (tandem positions) before you place more.',
    ]);
  });

  it('shows positions in rounded dollars with their signs, and an id that close takes', async () => {
    const position = {
      id: POSITION_ID,
      connector: 'paper',
      status: 'OPEN',
      grossNotional: '1234567.8951',
      netNotional: '-0.0141',
      unrealizedPnl: '12.3456789',
      unrealizedPnlPct: '0.001',
      realizedPnl: '0',
      feesPaid: '0.451966392',
      fundingPaid: '-1.5',
      netPnl: '13.393712508',
      createdAt: '2026-01-01T12:34:56.000Z',
      legs: [
        {
          symbol: 'BTC-PERP',
          ticker: 'BTC',
          side: 'BUY',
          quantity: '10.5',
          entryPrice: '117578.333333333333',
        },
        { symbol: 'ETH-PERP', ticker: 'ETH', side: 'SELL', quantity: '1' },
      ],
    };
    const list = () => [200, { positions: [position] }] as const;
    const end = await run(['positions'], { 'GET /positions': list });
    const [mark, , row = ''] = end.out.split('\n');
    expect(mark).to.equal('PAPER: Paper (paper)');
    expect(row.split(/ {2,}/)).to.deep.equal([
      'BTC / ETH',
      '1,234,567.90',
      '-0.01',
      '+12.35',
      '0.00%',
      '0.00',
      '0.45',
      '-1.50',
      '+13.39',
      '2026-01-01 12:34',
      '0000000000f1',
    ]);
    const legs = await run(['positions', '--legs'], { 'GET /positions': list });
    expect(legs.out).to.match(/BTC +long +10\.5 +117,578\.3 +–/);

    const stop = { kind: 'STOP_LOSS', now: '-1', distancePct: '3.2049', resultUsd: '-5123.456' };
    const unknown = { firesAt: null, distancePct: null, resultUsd: null };
    const protection = [
      { ...unknown, kind: 'TAKE_PROFIT', metric: 'PRICE_RATIO', now: null },
      { ...stop, metric: 'PERCENTAGE', firesAt: '-5' },
      { ...stop, metric: 'DOLLAR', firesAt: '-5123.456' },
      { ...stop, metric: 'PRICE_RATIO', firesAt: '25' },
    ];
    const guarded = () => [200, { positions: [{ ...position, protection }] }] as const;
    const shown = await run(['positions'], { 'GET /positions': guarded });
    expect(shown.out.split('\n').slice(4)).to.deep.equal([
      'BASKET     PROTECTION        FIRES AT   AWAY  RESULT USD  ID',
      'BTC / ETH  take-profit              –      –           –  0000000000f1',
      'BTC / ETH  stop-loss           -5.00%  3.20%   -5,123.46  0000000000f1',
      'BTC / ETH  stop-loss    -5,123.46 USD  3.20%   -5,123.46  0000000000f1',
      'BTC / ETH  stop-loss         ratio 25  3.20%   -5,123.46  0000000000f1',
    ]);
  });

  it('ends with 1 and the reason when the execution failed', async () => {
    const failed = execution('FAILED', { error: 'BTC-PERP: below the minimum', errorCode: 'MIN_NOTIONAL' });
    const end = await run(OPEN, {
      ...completing,
      [`GET /executions/${EXECUTION_ID}`]: () => [200, { execution: failed }],
    });
    expect(end.code).to.equal(1);
    expect(end.err).to.contain('below the minimum');
  });

  it('never sends an order twice: after a lost answer it reads what was recorded', async () => {
    const end = await run(OPEN, {
      ...completing,
      'POST /trade/open': () => 'hang up',
      'GET /executions/by-key': () => [200, { execution: execution('ACTIVE') }],
    });
    expect(end.code).to.equal(0);
    expect(end.err).to.contain('nothing is sent again');
    expect(sent('POST', '/trade/open')).to.have.length(1);
  });

  it('after a lost answer it takes no execution of another basket or of an earlier time for its own', async () => {
    const interruption = new AbortController();
    const other = execution('COMPLETED', { orders: [{ ...execution('COMPLETED').orders[0] }] });
    const earlier = execution('COMPLETED', { createdAt: '2020-01-01T00:00:00.000Z' });
    await desk.start({
      'POST /trade/open': () => 'hang up',
      'GET /executions': () => [200, { executions: [other, earlier] }],
      'GET /executions/by-key': () => {
        interruption.abort();
        return [404, { message: 'Execution not found', errorCode: 'RESOURCE_NOT_FOUND', details: {} }];
      },
    });
    const end = await tandem(OPEN, { env: desk.env, interrupted: interruption.signal });
    expect(end.code).to.equal(1);
    expect(end.err)
      .to.contain('no execution of this basket is recorded')
      .and.to.contain('before you order again');
  });

  it('sets leverage with a margin mode where the venue wants one, and without where it rejects it', async () => {
    await run([...OPEN, '--leverage', '5', '--leverage', 'ETH=3x', '--margin', 'isolated'], completing);
    const bodies = sent('PUT', '/leverage').map((one) => putLeverage.body.parse(one.body));
    expect(bodies).to.deep.equal([
      { symbol: 'BTC-PERP', leverage: 5, marginMode: 'isolated' },
      { symbol: 'ETH-PERP', leverage: 3, marginMode: 'isolated' },
    ]);
    await run([...OPEN, '--leverage', '5', '--account', 'cross'], completing);
    expect(sent('PUT', '/leverage')[0]?.body).to.deep.equal({ symbol: 'BTC-PERP', leverage: 5 });
    expect(sent('POST', '/trade/open')[0]?.headers['x-trade-account-id']).to.equal(ACCOUNTS[1]?.id);
  });

  // biome-ignore format: a table is read by its columns
  const wrong: readonly (readonly [string[], string])[] = [
    [['open'], 'name at least one leg'],
    [['open', '--long', 'BTC'], "--long wants a ticker and an amount such as BTC=500, not 'BTC'"],
    [['open', '--long', 'BTC=0'], "not 'BTC=0'"],
    [['open', '--long', 'BTC=1e3'], "not 'BTC=1e3'"],
    [['open', '--long', 'BTC=1,000'], "not 'BTC=1,000'"],
    [['open', '--long', 'BTC=5', '--slippage', '0.5'], '--slippage must be a fraction from 0 to 0.1'],
    [['open', '--long', 'BTC=5', '--total', '100'], '--total belongs to --mode weight'],
    [['open', '--long', 'BTC=1', '--mode', 'weight'], '--mode weight needs --total'],
    [['positions', '--limit', '0'], '--limit must be a number from 1 to 2000'],
    [['executions', 'abc'], "'abc' is no id of an execution"],
    [['open', '--long', 'BTX=5'], "no instrument 'BTX' on this venue (did you mean BTC?)"],
    [['open', '--long', 'BTC=5', '--short', 'BTC-PERP=5'], 'BTC-PERP is named twice'],
    [['open', '--long', 'BTC=5', '--mode', 'eur'], '--mode must be one of usd, base, weight'],
    [['open', '--long', 'BTC=5', '--leverage', 'ETH=3'], 'ETH is no leg of this basket'],
    [['open', '--long', 'BTC=5', '--account', 'nope'], "no trade account 'nope'; there are: Paper, Cross"],
    [['open', '--long', 'BTC=5', '--timeout', 'x'], '--timeout must be a number of seconds'],
    [['close', 'abc', '--fraction', '1.5'], '--fraction must be above 0 and at most 1'],
    [['close'], 'usage: tandem close <position>'],
  ];
  for (const [argv, message] of wrong) {
    it(`ends with 2 and orders nothing: ${argv.join(' ')}`, async () => {
      const end = await run(argv, completing);
      expect(end.code).to.equal(2);
      expect(end.err).to.contain(message);
      expect(end.err.split('\n')).to.have.length(1);
      expect(desk.seen.filter((one) => one.method !== 'GET')).to.deep.equal([]);
    });
  }

  it('closes a position named by the end of its id', async () => {
    const position = {
      id: POSITION_ID,
      connector: 'paper',
      status: 'OPEN',
      legs: [],
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const closed = execution('COMPLETED', { intent: 'REDUCE', positionId: POSITION_ID });
    const words = ['close', POSITION_ID.slice(-6), '--fraction', '0.5', '--on-leg-failure', 'keep'];
    const end = await run(words, {
      'GET /positions': () => [200, { positions: [position] }],
      [`POST /positions/${POSITION_ID}/close`]: () => [202, { execution: closed, intent: 'REDUCE' }],
    });
    expect([end.code, end.err]).to.deep.equal([0, '']);
    expect(closePosition.body.parse(sent('POST', `/positions/${POSITION_ID}/close`)[0]?.body)).to.deep.equal({
      type: 'MARKET',
      fraction: '0.5',
      onLegFailure: 'KEEP',
    });
  });

  it('prints answers as JSON with --json', async () => {
    const end = await run([...OPEN, '--json'], completing);
    expect(JSON.parse(end.out)).to.include({ id: EXECUTION_ID, status: 'COMPLETED' });
    const list = await run(['accounts', '--json'], {});
    expect(JSON.parse(list.out).tradeAccounts).to.have.length(2);
  });

  it('says what to do about refusals, in one line and without control characters', async () => {
    const refused: Readonly<Record<string, StubAnswer>> = {
      'make a key with': [401, { message: 'Invalid API key', error: 'Unauthorized', statusCode: 401 }],
      'leg 1: Must be greater than 0': [
        400,
        {
          message: 'Validation error',
          errorCode: 'VALIDATION_ERROR',
          details: [{ path: 'legs.0.amount', message: 'Must be greater than 0', code: 'custom' }],
        },
      ],
      'busy  [31m [RESOURCE_BUSY]': [
        409,
        { message: 'busy \u001b[31m', errorCode: 'RESOURCE_BUSY', details: {} },
      ],
    };
    for (const [expected, answer] of Object.entries(refused)) {
      const end = await run(OPEN, { 'POST /trade/open': () => answer });
      expect(end.code).to.equal(1);
      expect(end.err).to.contain(expected);
      expect(end.err.split('\n')).to.have.length(1);
    }
  });

  it('says that no gateway answers at an address', async () => {
    // An address of its own: to one that was talked to, a connection may still be in the pool.
    const stub = await startStubGateway({});
    await stub.close();
    const gone = await tandem(['accounts'], { env: { ...stub.env, TANDEM_API_KEY: KEY } });
    expect([gone.code, gone.err]).to.deep.equal([
      1,
      `tandem: no gateway answers at ${stub.url}; start it with: tandem start`,
    ]);
  });
});
