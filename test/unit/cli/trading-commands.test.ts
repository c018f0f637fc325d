import { expect } from 'chai';
import { closePosition, openTrade } from '../../../gateway/contract/positions.ts';
import { putLeverage } from '../../../gateway/contract/trading.ts';
import { tandem } from '../../support/command-line.ts';
import { type StubAnswer, type StubGateway, type StubRoutes, startStubGateway } from './stub-gateway.ts';

const KEY = `tdm_${'a'.repeat(43)}`;
const ACCOUNTS = [
  {
    id: '01890000-0000-7000-8000-000000000001',
    alias: 'Paper',
    connector: 'paper',
    mode: 'PAPER',
    status: 'READY',
  },
  {
    id: '01890000-0000-7000-8000-000000000002',
    alias: 'Cross',
    connector: 'paper-cross',
    mode: 'PAPER',
    status: 'READY',
  },
];
const EXECUTION_ID = '01890000-0000-7000-8000-0000000000e1';
const POSITION_ID = '01890000-0000-7000-8000-0000000000f1';

function execution(status: string, over: Record<string, unknown> = {}) {
  const filled = status === 'COMPLETED';
  const order = (symbol: string, side: string) => ({
    symbol,
    side,
    status: filled ? 'FILLED' : 'PENDING',
    quantity: '0.5',
    filledQuantity: filled ? '0.5' : '0',
    averagePrice: filled ? '100.25' : null,
    error: null,
    errorCode: null,
  });
  return {
    id: EXECUTION_ID,
    status,
    intent: 'OPEN',
    error: null,
    errorCode: null,
    positionId: null,
    createdAt: new Date().toISOString(),
    finishedAt: null,
    orders: [order('BTC-PERP', 'BUY'), order('ETH-PERP', 'SELL')],
    ...over,
  };
}

const BASE: StubRoutes = {
  'GET /trade-accounts': () => [200, { tradeAccounts: ACCOUNTS }],
  'GET /instruments/symbol-to-id-map': () => [200, { BTC: 'BTC-PERP', ETH: 'ETH-PERP', SOL: 'SOL-PERP' }],
  'GET /connectors': () => [
    200,
    {
      connectors: [
        { id: 'paper', marginMode: 'required', status: 'UP' },
        { id: 'paper-cross', marginMode: 'rejected', status: 'UP' },
      ],
    },
  ],
  'PUT /leverage': () => [200, {}],
};

describe('trading commands', () => {
  let stub: StubGateway;
  afterEach(() => stub.close());

  async function run(argv: readonly string[], routes: StubRoutes) {
    stub = await startStubGateway({ ...BASE, ...routes });
    return tandem(argv, { env: { ...stub.env, TANDEM_API_KEY: KEY, TANDEM_ACCOUNT: 'Paper' } });
  }
  const sent = (method: string, path: string) =>
    stub.seen.filter((one) => one.method === method && one.path === path);

  const OPEN = ['open', '--long', 'BTC=500', '--short', 'eth=500'];
  const completing: StubRoutes = {
    'POST /trade/open': () => [202, { execution: execution('IDLE'), intent: 'OPEN' }],
    [`GET /executions/${EXECUTION_ID}`]: () => [200, { execution: execution('COMPLETED') }],
  };

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

  it('passes weights of a total, and an own idempotency key', async () => {
    const argv = [
      'open',
      '--long',
      'BTC=0.5',
      '--short',
      'ETH=0.25,SOL=0.25',
      '--mode',
      'weight',
      '--total',
      '1000',
    ];
    await run([...argv, '--idempotency-key', 'mine', '--wait=false'], completing);
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
      '2026-01-01 12:34',
      '0000000000f1',
    ]);
    await stub.close();
    const legs = await run(['positions', '--legs'], { 'GET /positions': list });
    expect(legs.out).to.match(/BTC +long +10\.5 +117,578\.3 +–/);
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
    stub = await startStubGateway({
      ...BASE,
      'POST /trade/open': () => 'hang up',
      'GET /executions': () => [200, { executions: [other, earlier] }],
      'GET /executions/by-key': () => {
        interruption.abort();
        return [404, { message: 'Execution not found', errorCode: 'RESOURCE_NOT_FOUND', details: {} }];
      },
    });
    const end = await tandem(OPEN, {
      env: { ...stub.env, TANDEM_API_KEY: KEY, TANDEM_ACCOUNT: 'Paper' },
      interrupted: interruption.signal,
    });
    expect(end.code).to.equal(1);
    expect(end.err)
      .to.contain('no execution of this basket is recorded')
      .and.to.contain('before you order again');
  });

  it('shows the plan of a dry run with its problems, and orders and changes nothing', async () => {
    const leg = {
      symbol: 'BTC-PERP',
      ticker: 'BTC',
      side: 'BUY',
      quantity: '0.005',
      price: '100000',
      limitPrice: '101000',
      notional: '500',
      leverage: 5,
      marginMode: 'cross',
      margin: '100',
      fee: '0.225',
      problem: { code: 'MIN_NOTIONAL', message: 'too small' },
    };
    const plan = {
      legs: [leg],
      grossNotional: '500',
      netNotional: '500',
      totalFee: '0.225',
      marginRequired: '100',
      freeMargin: '99',
      netFundingHourly: '-0.02136531521',
      problems: [{ code: 'INSUFFICIENT_MARGIN', message: 'not enough', symbol: null }],
    };
    const end = await run([...OPEN, '--dry-run', '--leverage', '3'], {
      'POST /trade/open': () => [200, { plan }],
    });
    expect(end.code).to.equal(1);
    expect(end.out).to.match(
      /BTC +long +0\.005 +100,000 +101,000 +500\.00 +5x cross +100\.00 +0\.2250 +MIN_NOTIONAL/,
    );
    expect(end.out)
      .to.match(/free margin +99\.00 USD/)
      .and.to.match(/funding at this rate +you receive 0\.021365 USD/);
    expect(end.err)
      .to.contain('INSUFFICIENT_MARGIN: not enough')
      .and.to.contain('MIN_NOTIONAL: too small')
      .and.to.contain('nothing was ordered')
      .and.to.contain('--leverage was not applied');
    expect(stub.seen.filter((one) => one.method === 'PUT')).to.deep.equal([]);
    expect(openTrade.body.parse(sent('POST', '/trade/open')[0]?.body).dryRun).to.equal(true);
  });

  describe('expected slippage', () => {
    const leg = {
      ...{ symbol: 'BTC-PERP', ticker: 'BTC', side: 'BUY', quantity: '0.005', price: '100000' },
      ...{ limitPrice: '101000', notional: '500', leverage: 5, marginMode: 'cross', margin: '100' },
      ...{ fee: '0.225', problem: null },
    };
    const fill = (fillable: string, isPartial = false) => ({
      ...{
        fillable,
        averagePrice: '100012.5',
        slippage: '0.000125',
        cost: '0.0625',
        depth: '90000',
        isPartial,
      },
    });
    const shown = async (expected: object | null, cost: string | null) => {
      const plan = {
        legs: [{ ...leg, expected }],
        ...{ grossNotional: '500', netNotional: '500', totalFee: '0.225', marginRequired: '100' },
        ...{ freeMargin: '99', netFundingHourly: '0', problems: [] },
        ...{ expectedCost: cost, expectedSlippage: cost === null ? null : '0.000125' },
      };
      await stub?.close();
      return (await run([...OPEN, '--dry-run'], { 'POST /trade/open': () => [200, { plan }] })).out;
    };

    it('of an opening: the mean price beside the worst, and what it costs', async () => {
      const out = await shown(fill('0.005'), '0.0625');
      expect(out).to.match(/BTC +long +0\.005 +100,000 +100,012\.5 +101,000/);
      expect(out).to.match(/expected slippage +\+0\.0625 USD, \+0\.013% past the marks/);
      expect(await shown(fill('0.005'), '-0.0625')).to.match(
        /expected slippage +-0\.0625 USD, -0\.013% past the marks/,
      );
    });

    it('of a book that is too thin, that is known in part, or not at all', async () => {
      expect(await shown(fill('0.004'), '0.05')).to.match(/expected slippage +the book is too thin: BTC/);
      expect(await shown(fill('0.004', true), '0.05')).to.match(/more than the known part of the book: BTC/);
      const unknown = await shown(null, null);
      expect(unknown)
        .to.match(/expected slippage +not known/)
        .and.not.to.match(/EXPECTED/);
    });
  });

  it('of the account after it: a ratio that nothing backs is over 100%, one that is not known is not shown', async () => {
    const shown = async (marginRatio: string | null, unknownTiers?: readonly string[]) => {
      const after = {
        ...{ freeMargin: '10', marginRatio, maintenanceMargin: '5', basket: null, legs: [] },
        ...(unknownTiers && { unknownTiers }),
      };
      const plan = {
        ...{ legs: [], grossNotional: '0', netNotional: '0', totalFee: '0', marginRequired: '0' },
        ...{ freeMargin: '99', netFundingHourly: '0', problems: [], after },
      };
      await stub?.close();
      return (await run([...OPEN, '--dry-run'], { 'POST /trade/open': () => [200, { plan }] })).out;
    };
    expect(await shown('0.25', [])).to.match(/margin ratio after +25(\.\d+)?%/);
    expect(await shown(null, [])).to.match(/margin ratio after +over 100%/);
    expect(await shown(null, ['OLD-PERP']))
      .to.match(/free margin after +10/)
      .and.to.match(/margin ratio after +–/);
  });

  it('sets leverage with a margin mode where the venue wants one, and without where it rejects it', async () => {
    await run([...OPEN, '--leverage', '5', '--leverage', 'ETH=3x', '--margin', 'isolated'], completing);
    const bodies = sent('PUT', '/leverage').map((one) => putLeverage.body.parse(one.body));
    expect(bodies).to.deep.equal([
      { symbol: 'BTC-PERP', leverage: 5, marginMode: 'isolated' },
      { symbol: 'ETH-PERP', leverage: 3, marginMode: 'isolated' },
    ]);
    await stub.close();
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
      expect(stub.seen.filter((one) => one.method !== 'GET')).to.deep.equal([]);
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
    const end = await run(['close', POSITION_ID.slice(-6), '--fraction', '0.5'], {
      'GET /positions': () => [200, { positions: [position] }],
      [`POST /positions/${POSITION_ID}/close`]: () => [202, { execution: closed, intent: 'REDUCE' }],
    });
    expect([end.code, end.err]).to.deep.equal([0, '']);
    expect(closePosition.body.parse(sent('POST', `/positions/${POSITION_ID}/close`)[0]?.body)).to.deep.equal({
      type: 'MARKET',
      fraction: '0.5',
    });
  });

  it('prints answers as JSON with --json', async () => {
    const end = await run([...OPEN, '--json'], completing);
    expect(JSON.parse(end.out)).to.include({ id: EXECUTION_ID, status: 'COMPLETED' });
    await stub.close();
    const list = await run(['accounts', '--json'], {});
    expect(JSON.parse(list.out).tradeAccounts).to.have.length(2);
  });

  it('says what to do about refusals, in one line and without control characters', async () => {
    const refused: Readonly<Record<string, StubAnswer>> = {
      'make a key with': [401, { message: 'Invalid API key', error: 'Unauthorized', statusCode: 401 }],
      'legs.0.amount: Must be greater than 0': [
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
      await stub.close();
    }
  });

  it('says that no gateway answers at an address', async () => {
    // An address of its own: to one that was talked to, a connection may still be in the pool.
    stub = await startStubGateway({});
    await stub.close();
    const gone = await tandem(['accounts'], { env: { ...stub.env, TANDEM_API_KEY: KEY } });
    expect([gone.code, gone.err]).to.deep.equal([
      1,
      `tandem: no gateway answers at ${stub.url}; start it with: tandem start`,
    ]);
  });
});
