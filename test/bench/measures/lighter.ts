/** Lighter's signer in a running gateway, at an emulated venue on loopback. Each round is a start. */
import { setTimeout as sleep } from 'node:timers/promises';
import { launchEmulator, type RemoteEmulator } from '../../support/venues/lighter/remote.ts';
import { makeKey } from '../../support/venues/lighter/trader.ts';
import type { Benchmark } from '../bench-context.ts';
import { startLighter } from '../child-programs.ts';
import { call, type Identity, makeFolder, settle } from '../gateway-home.ts';
import type { LighterFigures, TableFigures } from '../lighter-protocol.ts';
import { watchLoopDelay } from '../load/loop-delay.ts';
import { median, quantile } from '../statistics.ts';
import { type Measure, valueMeasure } from '../verdict.ts';

const ACCOUNT = 4_711;
const KEY_INDEX = 7;
const ALIAS = 'Bench';
const ASK_EVERY_MS = 5;
const WITHIN_MS = 30_000;
/** After a start, with the memory given back. */
const AT_REST_MS = 5_000;

export const lighter: Benchmark = async (context) => {
  const emulator = await launchEmulator({ pulseMs: 100 });
  try {
    const dataDir = await makeFolder();
    const home = await connected(emulator, dataDir);
    context.say(`lighter: ${context.rounds} starts with an account at an emulated Lighter`);
    const machineDelay = watchLoopDelay();
    const tables: TableFigures[] = [];
    const rounds: LighterFigures[] = [];
    for (let round = 0; round < context.rounds; round += 1) {
      tables.push(await tableAtRest(emulator));
      rounds.push(await firstOrder(home));
    }
    return measures(tables, rounds, machineDelay().p99);
  } finally {
    await emulator.close();
  }
};

interface Home {
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

function environment(emulator: RemoteEmulator, dataDir: string): Readonly<Record<string, string>> {
  return {
    ...{ TANDEM_DATA_DIR: dataDir, TANDEM_PORT: '0', TANDEM_VAULT: 'file', TANDEM_ALLOW_FILE_VAULT: 'true' },
    ...{ TANDEM_LOG_LEVEL: 'silent', TANDEM_PAPER_SEED: '1', TANDEM_PAPER_PROFILE: 'frictionless' },
    BENCH_VENUE_URL: emulator.url,
  };
}

/** A folder whose user has an armed account at the emulator. */
async function connected(emulator: RemoteEmulator, dataDir: string): Promise<Home> {
  const key = makeKey('bench');
  const l1Address = `0x${'be'.repeat(20)}`;
  const keys = { [KEY_INDEX]: key.publicKey };
  await emulator.script.addAccount({ index: ACCOUNT, l1Address, collateral: '10000000', keys });
  const identity: Identity = await settle(dataDir);
  const authorization = `Bearer ${identity.accessToken}`;
  const env = environment(emulator, dataDir);
  const server = await startLighter({ env });
  try {
    const credentials = { accountIndex: ACCOUNT, apiKeyIndex: KEY_INDEX, apiPrivateKey: key.privateKey };
    const made = (await call(
      server.port,
      'POST',
      '/trade-accounts',
      { authorization },
      { alias: ALIAS, connector: 'lighter', credentials },
    )) as { readonly id: string };
    const headers = { authorization, 'x-trade-account-id': made.id };
    const arming = { alias: ALIAS, perOrderUsd: '1000000', totalUsd: '5000000' };
    await call(server.port, 'PUT', `/trade-accounts/${made.id}/arming`, headers, arming);
    await open(server.port, headers);
    await sleep(1_000);
    return { env, headers };
  } finally {
    await server.stop();
  }
}

/** The table alone, in a gateway that does nothing else: what is built beside an account's opening holds the loop up too. */
async function tableAtRest(emulator: RemoteEmulator): Promise<TableFigures> {
  const dataDir = await makeFolder();
  const server = await startLighter({ env: environment(emulator, dataDir) });
  try {
    await sleep(AT_REST_MS);
    return await server.buildTable();
  } finally {
    await server.stop();
  }
}

/** Starts the gateway and orders as soon as it takes an order. */
async function firstOrder({ env, headers }: Home): Promise<LighterFigures> {
  const server = await startLighter({ env });
  try {
    await open(server.port, headers);
    await sleep(1_000);
    return await server.figures();
  } finally {
    await server.stop();
  }
}

async function open(port: number, headers: Readonly<Record<string, string>>): Promise<void> {
  const giveUpAt = performance.now() + WITHIN_MS;
  const leg = { symbol: 'ETH-PERP', side: 'BUY', mode: 'USD', amount: '50' };
  for (;;) {
    const taken = await call(port, 'POST', '/trade/open', headers, {
      ...{ type: 'MARKET', legs: [leg], slippage: '0.01' },
    }).then(
      () => true,
      () => false,
    );
    if (taken) return;
    if (performance.now() > giveUpAt) throw new Error('no order was taken');
    await sleep(ASK_EVERY_MS);
  }
}

function measures(
  tables: readonly TableFigures[],
  rounds: readonly LighterFigures[],
  machineDelayMs: number,
): readonly Measure[] {
  const blocks = tables.map(({ largestBlockMs }) => largestBlockMs);
  const firsts = rounds.flatMap(({ firstOrderMs }) => firstOrderMs ?? []);
  const decisions = rounds.flatMap(({ firstDecisionMs }) => firstDecisionMs ?? []);
  const signing = rounds.flatMap(({ signingMs }) => signingMs);
  return [
    valueMeasure(
      {
        name: 'lighter/table-block',
        about:
          "the longest time between two turns of a gateway's event loop while the signer's table is built, middle of the rounds",
        unit: 'ms',
        goal: { bound: 'at most', value: 8 },
        figures: {
          ...{ rounds: blocks, largest: Math.max(...blocks), machineDelayMs },
          tableMs: median(tables.map(({ tableMs }) => tableMs)),
          besideAnOpening: median(rounds.map(({ largestBlockMs }) => largestBlockMs)),
        },
      },
      median(blocks),
      machineDelayMs,
    ),
    valueMeasure(
      {
        name: 'lighter/first-order',
        about:
          'after a start: the account is open → the first byte of an order that was asked for meanwhile, middle of the rounds',
        unit: 'ms',
        goal: { bound: 'at most', value: 200 },
        figures: {
          ...{ rounds: firsts, largest: Math.max(...firsts), decisionMs: median(decisions) },
          ofThemWithTable: rounds.filter(({ hadTable }) => hadTable).length,
        },
      },
      median(firsts),
      machineDelayMs,
    ),
    valueMeasure(
      {
        name: 'lighter/sign-one',
        about: 'to sign one order with the table, middle of them',
        unit: 'ms',
        goal: { bound: 'at most', value: 2 },
        figures: { p99Ms: quantile(signing, 0.99), slowestMs: Math.max(...signing), signed: signing.length },
      },
      median(signing),
    ),
  ];
}
