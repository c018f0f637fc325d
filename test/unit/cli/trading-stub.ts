/** A stub gateway with two paper accounts, and the command line asking it. */
import { tandem } from '../../support/command-line.ts';
import { type StubGateway, type StubRoutes, startStubGateway } from './stub-gateway.ts';

export const KEY = `tdm_${'a'.repeat(43)}`;
export const ACCOUNTS = [
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
export const EXECUTION_ID = '01890000-0000-7000-8000-0000000000e1';
export const POSITION_ID = '01890000-0000-7000-8000-0000000000f1';

export function execution(status: string, over: Record<string, unknown> = {}) {
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
    createdAt: '2026-01-31T12:00:00.000Z',
    finishedAt: null,
    orders: [order('BTC-PERP', 'BUY'), order('ETH-PERP', 'SELL')],
    ...over,
  };
}

export const BASE: StubRoutes = {
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

export const OPEN = ['open', '--long', 'BTC=500', '--short', 'eth=500'];

export const completing: StubRoutes = {
  'POST /trade/open': () => [202, { execution: execution('IDLE'), intent: 'OPEN' }],
  [`GET /executions/${EXECUTION_ID}`]: () => [200, { execution: execution('COMPLETED') }],
};

export class TradingStub {
  stub: StubGateway | null = null;

  /** Runs one command against a stub of its own, which the next one ends. */
  async run(argv: readonly string[], routes: StubRoutes) {
    await this.start(routes);
    return tandem(argv, { env: this.env });
  }

  async start(routes: StubRoutes): Promise<void> {
    await this.close();
    this.stub = await startStubGateway({ ...BASE, ...routes });
  }

  get env() {
    return { ...this.stub?.env, TANDEM_API_KEY: KEY, TANDEM_ACCOUNT: 'Paper' };
  }

  get seen() {
    return this.stub?.seen ?? [];
  }

  sent(method: string, path: string) {
    return this.seen.filter((one) => one.method === method && one.path === path);
  }

  async close(): Promise<void> {
    await this.stub?.close();
    this.stub = null;
  }
}
