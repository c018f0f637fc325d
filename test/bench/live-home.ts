/** An account at the emulated Hyperliquid, connected and armed over HTTP like anybody's, and baskets on it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, toHex } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { RemoteEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { type LiveServer, startLive } from './child-programs.ts';
import { call, type Identity, makeFolder, settle } from './gateway-home.ts';

const ALIAS = 'Bench';
const WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 5;

export interface LiveGateway extends LiveServer {
  readonly identity: Identity;
  /** A call with the user's session, about the live account. */
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer>;
}

export interface LiveGatewayOptions {
  readonly emulator: RemoteEmulator;
  /** Default: the emulator's own. */
  readonly streamUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
}

/** A gateway in a new folder with a funded, armed account at the emulator, which is up. */
export async function newLiveGateway(options: LiveGatewayOptions): Promise<LiveGateway> {
  const { emulator } = options;
  const dataDir = options.dataDir ?? (await makeFolder());
  const identity = await settle(dataDir);
  const server = await startLive({
    TANDEM_DATA_DIR: dataDir,
    TANDEM_PORT: '0',
    TANDEM_VAULT: 'file',
    TANDEM_ALLOW_FILE_VAULT: 'true',
    TANDEM_LOG_LEVEL: 'error',
    TANDEM_PAPER_SEED: '1',
    TANDEM_PAPER_PROFILE: 'frictionless',
    BENCH_VENUE_URL: emulator.url,
    ...(options.streamUrl === undefined ? {} : { BENCH_STREAM_URL: options.streamUrl }),
    ...options.env,
  });
  const authorization = `Bearer ${identity.accessToken}`;
  const [main, agent] = [randomBytes(32), randomBytes(32)];
  const address = addressOf(main);
  await emulator.script.addAccount({ address, deposit: '10000000' });
  await emulator.script.addAgent(address, addressOf(agent));
  const made = await call(
    server.port,
    'POST',
    '/trade-accounts',
    { authorization },
    {
      ...{ alias: ALIAS, connector: 'hyperliquid' },
      credentials: { accountAddress: address, agentPrivateKey: toHex(agent) },
    },
  );
  const { id } = made as { readonly id: string };
  const headers = { authorization, 'x-trade-account-id': id };
  const ask = async <Answer>(method: string, path: string, body?: object) =>
    (await call(server.port, method, path, headers, body)) as Answer;
  await eventually('the emulated venue is up', async () => {
    const { connectors } = await ask<{ connectors: { id: string; status: string }[] }>('GET', '/connectors');
    return connectors.find((one) => one.id === 'hyperliquid')?.status === 'UP';
  });
  const arming = { alias: ALIAS, perOrderUsd: '1000000', totalUsd: '5000000' };
  await ask('PUT', `/trade-accounts/${id}/arming`, arming);
  return { ...server, identity, ask };
}

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly positionId: string | null;
}

/** The symbols in turn long and short, 50 USD each. Resolves with the accepted execution. */
export async function open(gateway: LiveGateway, symbols: readonly string[]): Promise<Execution> {
  const legs = symbols.map((symbol, at) => ({
    ...{ symbol, side: at % 2 === 0 ? 'BUY' : 'SELL', mode: 'USD', amount: '50' },
  }));
  const { execution } = await gateway.ask<{ execution: Execution }>('POST', '/trade/open', {
    ...{ type: 'MARKET', legs, slippage: '0.01' },
  });
  return execution;
}

export async function close(gateway: LiveGateway, positionId: string): Promise<Execution> {
  const path = `/positions/${positionId}/close`;
  const { execution } = await gateway.ask<{ execution: Execution }>('POST', path, { type: 'MARKET' });
  return execution;
}

/** Resolves when the execution has completed. Rejects when it ends otherwise. */
export function completed(gateway: LiveGateway, { id }: Execution): Promise<Execution> {
  return eventually(`the execution ${id} ends`, async () => {
    const { execution } = await gateway.ask<{ execution: Execution }>('GET', `/executions/${id}`);
    if (execution.status === 'IDLE' || execution.status === 'ACTIVE') return null;
    if (execution.status === 'COMPLETED') return execution;
    throw new Error(`an execution ended ${JSON.stringify(execution).slice(0, 500)}`);
  });
}

async function eventually<T>(what: string, look: () => Promise<T | null | false>): Promise<T> {
  const giveUpAt = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error(`not in time: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
