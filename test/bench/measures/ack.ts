/** What a durable acknowledgement of `POST /trade/open` with four legs costs, against doing without and against an ORM. */
import { cp } from 'node:fs/promises';
import { databaseFile } from '../../../gateway/config.ts';
import { openBodies, openRequest } from '../basket-requests.ts';
import { type BenchContext, type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { compared, rates, tails } from '../closed-loop-figures.ts';
import {
  type Gateway,
  type GatewayOptions,
  type Identity,
  instrumentIds,
  makeFolder,
  newGateway,
  settle,
  startGateway,
} from '../gateway-home.ts';
import { alternate } from '../rounds.ts';
import { seedOrders } from '../seed-orders.ts';
import { slowDisk } from '../slow-disk.ts';
import { median, spread } from '../statistics.ts';
import { judge, type Measure, ratioMeasure, skippedMeasure } from '../verdict.ts';

const BODIES = 4_096;
const STORED_ORDERS = 1_000_000;
const ADDED_FSYNC_US = 2_000;

async function target(gateway: Gateway): Promise<Target> {
  const instruments = await instrumentIds(gateway.port);
  return {
    port: gateway.port,
    pid: gateway.pid,
    requests: openBodies(instruments, BODIES).map((body) => openRequest(gateway, body)),
    status: 202,
  };
}

/** Gateways of these kinds for the time of `run`, each warmed up. */
async function withGateways<Side extends string, Result>(
  context: BenchContext,
  options: Readonly<Record<Side, () => Promise<Gateway>>>,
  run: (targets: Readonly<Record<Side, Target>>) => Promise<Result>,
): Promise<Result> {
  const started: Gateway[] = [];
  try {
    const targets: [string, Target][] = [];
    for (const [side, start] of Object.entries<() => Promise<Gateway>>(options)) {
      const gateway = await start();
      started.push(gateway);
      const made = await target(gateway);
      await warmUp(context, made, 64);
      targets.push([side, made]);
    }
    return await run(Object.fromEntries(targets) as Record<Side, Target>);
  } finally {
    for (const gateway of started) await gateway.stop();
  }
}

/** The uncommitted server is what the durable one is divided by. */
export const commitCost: Benchmark = async (context) => {
  const gateways = {
    uncommitted: () => newGateway({ store: 'uncommitted' }),
    durable: () => newGateway(),
  };
  return withGateways(context, gateways, async ({ uncommitted, durable }) => {
    const measures: Measure[] = [];
    for (const [connections, goal] of [
      [64, 0.8],
      [16, 0.55],
      [1, null],
    ] as const) {
      context.say(`ack: ${connections} connections`);
      const found = await alternate(context.rounds, {
        uncommitted: loop(context, uncommitted, connections),
        durable: loop(context, durable, connections),
      });
      measures.push(
        ratioMeasure(
          {
            name: `ack/${connections}/durable-vs-uncommitted`,
            about: `acknowledgements a second, commit on disk ÷ commit left out, ${connections} connections`,
            goal: goal === null ? null : { bound: 'at least', value: goal },
            figures: compared(['uncommitted', found.uncommitted], ['durable', found.durable]),
          },
          rates(found.uncommitted),
          rates(found.durable),
        ),
      );
      if (connections === 64) measures.push(tailMeasure(tails(found.durable), rates(found.durable)));
    }
    return measures;
  });
};

function tailMeasure(tailRounds: readonly number[], durableRates: readonly number[]): Measure {
  const goal = { bound: 'at most', value: 4 } as const;
  const value = median(tailRounds);
  const baseSpread = spread(durableRates);
  return {
    name: 'ack/64/p99-vs-p50',
    about: 'slowest hundredth of the durable acknowledgements ÷ their median, 64 connections',
    unit: '×',
    value,
    goal,
    verdict: judge(goal, value, baseSpread),
    ratio: { median: value, lowest: Math.min(...tailRounds), highest: Math.max(...tailRounds) },
    baseSpread,
    figures: { rounds: tailRounds },
  };
}

/** `save` is how an ORM is used unless one takes care; `insert` spares its look-ups and is reported beside it. */
export const ormCost: Benchmark = async (context) => {
  const gateways = {
    save: () => newGateway({ store: 'orm-save' }),
    insert: () => newGateway({ store: 'orm-insert' }),
    durable: () => newGateway(),
  };
  return withGateways(context, gateways, async ({ save, insert, durable }) => {
    context.say('ack: against an ORM transaction a request');
    const found = await alternate(context.rounds, {
      save: loop(context, save, 64),
      insert: loop(context, insert, 64),
      durable: loop(context, durable, 64),
    });
    const against = (side: 'save' | 'insert', goal: number | null): Measure =>
      ratioMeasure(
        {
          name: `ack/64/durable-vs-orm-${side}`,
          about: `durable acknowledgements a second ÷ one ORM transaction a request (entities, ${side})`,
          goal: goal === null ? null : { bound: 'at least', value: goal },
          figures: compared([side, found[side]], ['durable', found.durable]),
        },
        rates(found[side]),
        rates(found.durable),
      );
    return [against('save', 14), against('insert', null)];
  });
};

export const slowDiskCost: Benchmark = async (context) => {
  const name = 'ack/64/slow-disk-vs-append-log';
  const shim = await slowDisk(ADDED_FSYNC_US);
  if (!shim.available) {
    context.say(`ack: SKIPPED the slow disk: ${shim.reason}`);
    return [skippedMeasure(name, shim.reason)];
  }
  const options = (store: 'append' | 'durable'): GatewayOptions => ({ store, env: shim.env });
  const gateways = {
    append: () => newGateway(options('append')),
    durable: () => newGateway(options('durable')),
  };
  return withGateways(context, gateways, async ({ append, durable }) => {
    context.say('ack: 2 ms added to each fsync');
    const found = await alternate(context.rounds, {
      append: loop(context, append, 64),
      durable: loop(context, durable, 64),
    });
    return [
      ratioMeasure(
        {
          name,
          about:
            'acknowledgements a second, this store ÷ a grouped append with one fdatasync, each fsync 2 ms slower, 64 connections',
          goal: { bound: 'at least', value: 0.7 },
          figures: compared(['append', found.append], ['durable', found.durable]),
        },
        rates(found.append),
        rates(found.durable),
      ),
    ];
  });
};

export const historyCost: Benchmark = async (context) => {
  const dataDir = await makeFolder();
  const identity = await settle(dataDir);
  const copy = await makeFolder();
  await cp(dataDir, copy, { recursive: true });
  context.say(`ack: storing ${STORED_ORDERS.toLocaleString('en')} orders`);
  await seedOrders(databaseFile(dataDir), identity.tradeAccountId, STORED_ORDERS, Date.now());
  const start = (folder: string, who: Identity) => async (): Promise<Gateway> => ({
    ...(await startGateway(folder)),
    ...who,
  });
  const gateways = { empty: start(copy, identity), stored: start(dataDir, identity) };
  return withGateways(context, gateways, async ({ empty, stored }) => {
    context.say('ack: with a million orders stored');
    const found = await alternate(context.rounds, {
      empty: loop(context, empty, 64),
      stored: loop(context, stored, 64),
    });
    return [
      ratioMeasure(
        {
          name: 'ack/64/million-orders-vs-empty',
          about: `durable acknowledgements a second with ${STORED_ORDERS} orders stored ÷ with an empty database, 64 connections`,
          goal: { bound: 'at least', value: 0.85 },
          figures: compared(['empty', found.empty], ['stored', found.stored]),
        },
        rates(found.empty),
        rates(found.stored),
      ),
    ];
  });
};
