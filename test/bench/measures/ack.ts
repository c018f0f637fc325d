/** The cost of a durable acknowledgement of `POST /trade/open` with four legs, and of a million stored orders beside it. */
import { cp } from 'node:fs/promises';
import { databaseFile } from '../../../gateway/config.ts';
import { type Benchmark, loop } from '../bench-context.ts';
import { compared, rates, tails } from '../closed-loop-figures.ts';
import {
  type Gateway,
  type Identity,
  makeFolder,
  newGateway,
  settle,
  startGateway,
} from '../gateway-home.ts';
import { withGateways } from '../measured-gateways.ts';
import { alternate } from '../rounds.ts';
import { seedOrders } from '../seed-orders.ts';
import { median, spread } from '../statistics.ts';
import { judge, type Measure, ratioMeasure } from '../verdict.ts';

const STORED_ORDERS = 1_000_000;

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
