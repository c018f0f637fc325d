/**
 * Acknowledgements beside webhooks: none, one whose receiver answers, and one whose receiver never does, for which as much
 * waits as may wait. The three are measured in turns on one gateway, with the same events going on.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAITING } from '../../../gateway/domain/delivery.ts';
import { openBodies, openRequest } from '../basket-requests.ts';
import { type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { startTrickle } from '../event-trickle.ts';
import { call, field, type Gateway, instrumentIds, newGateway } from '../gateway-home.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import type { ClosedLoopResult } from '../load/load-protocol.ts';
import { alternate } from '../rounds.ts';
import { median } from '../statistics.ts';
import { type Measure, ratioMeasure } from '../verdict.ts';

const BODIES = 4_096;
const CONNECTIONS = 64;
const EVENTS_A_SECOND = 200;
const GOAL = { bound: 'at least', value: 0.95 } as const;
/** A receiver that heard nothing for so long has had everything. */
const SILENCE_MS = 300;
const BURST_A_SECOND = 1_000;
/** Between a burst and the round. */
const SETTLE_MS = 1_000;

type Side = 'without' | 'good' | 'hanging';

interface Receiver {
  readonly url: string;
  received(): number;
  close(): void;
}

async function receiver(answers: boolean): Promise<Receiver> {
  let received = 0;
  const server: Server = createServer((request, response) => {
    received += 1;
    request.resume();
    if (answers) request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Hooks {
  readonly waiting: number;
  readonly skipped: number;
}

async function hooksOf({ port, apiKey }: Gateway): Promise<Hooks> {
  const { webhooks } = (await call(port, 'GET', '/webhooks', { 'x-api-key': apiKey })) as {
    readonly webhooks: readonly Hooks[];
  };
  return webhooks[0] ?? { waiting: 0, skipped: 0 };
}

async function withHook<T>({ port, apiKey }: Gateway, url: string, run: () => Promise<T>): Promise<T> {
  const key = { 'x-api-key': apiKey };
  const id = field(await call(port, 'POST', '/webhooks', key, { url, events: ['*'] }), 'id');
  try {
    return await run();
  } finally {
    await fetch(`http://127.0.0.1:${port}/webhooks/${id}`, { method: 'DELETE', headers: key });
  }
}

/**
 * As many events as may wait for a receiver, so that what is measured is one that has hung for long; before each round, with a
 * webhook or without, so that the rounds begin alike.
 */
async function burst(gateway: Gateway): Promise<void> {
  const trickle = startTrickle(gateway, BURST_A_SECOND);
  await sleep((1_000 * 1.2 * MAX_WAITING) / BURST_A_SECOND);
  if ((await trickle.stop()) < MAX_WAITING)
    throw new Error('the gateway is too slow for the burst of events');
}

async function silence(of: Receiver): Promise<void> {
  for (let before = -1; before !== of.received(); ) {
    before = of.received();
    await sleep(SILENCE_MS);
  }
}

async function targetOf(gateway: Gateway): Promise<Target> {
  const bodies = openBodies(await instrumentIds(gateway.port), BODIES);
  return {
    port: gateway.port,
    pid: gateway.pid,
    requests: bodies.map((body) => openRequest(gateway, body)),
    status: 202,
  };
}

const percentiles = (rounds: readonly ClosedLoopResult[], share: number): readonly number[] =>
  rounds.map(({ latencyUs }) => LatencyHistogram.from(latencyUs).percentile(share));

export const webhooks: Benchmark = async (context) => {
  const good = await receiver(true);
  const hanging = await receiver(false);
  const gateway = await newGateway();
  /** Deliveries of each round with the good receiver, while it was measured. */
  const delivered: number[] = [];
  let beforeRound = 0;
  let hooks: Hooks = { waiting: 0, skipped: 0 };
  try {
    const target = await targetOf(gateway);
    await warmUp(context, target, CONNECTIONS);
    const acks = loop(context, target, CONNECTIONS);
    const round = async (own?: Receiver): Promise<ClosedLoopResult> => {
      await burst(gateway);
      if (own !== undefined) await silence(own);
      await sleep(SETTLE_MS);
      beforeRound = own?.received() ?? 0;
      const trickle = startTrickle(gateway, EVENTS_A_SECOND);
      const found = await acks();
      await trickle.stop();
      return found;
    };
    context.say('webhooks: acknowledgements without, beside a good receiver and beside one that hangs');
    const found = await alternate<ClosedLoopResult, Side>(context.rounds, {
      without: () => round(),
      good: () =>
        withHook(gateway, good.url, async () => {
          const result = await round(good);
          delivered.push(good.received() - beforeRound);
          await silence(good);
          return result;
        }),
      hanging: () =>
        withHook(gateway, hanging.url, async () => {
          const result = await round();
          hooks = await hooksOf(gateway);
          return result;
        }),
    });
    return [
      ...measures('good', found, { deliveredInRound: median(delivered) }),
      ...measures('hanging', found, { ...hooks, attempts: hanging.received() }),
    ];
  } finally {
    await gateway.stop();
    good.close();
    hanging.close();
  }
};

const ABOUT: Readonly<Record<Exclude<Side, 'without'>, string>> = {
  good: 'with a webhook whose receiver answers',
  hanging: `with a webhook whose receiver never answers and for which ${MAX_WAITING} deliveries wait`,
};

function measures(
  side: Exclude<Side, 'without'>,
  found: Readonly<Record<Side, readonly ClosedLoopResult[]>>,
  news: Readonly<Record<string, number>>,
): readonly Measure[] {
  const events = `${EVENTS_A_SECOND} events a second, ${CONNECTIONS} connections`;
  const latency = (name: string, share: number): Measure =>
    ratioMeasure(
      {
        name: `webhooks/${side}/ack-${name}`,
        about: `${name} of the acknowledgements without a webhook ÷ ${ABOUT[side]}; ${events}`,
        goal: GOAL,
        figures: {},
      },
      percentiles(found[side], share),
      percentiles(found.without, share),
    );
  return [
    ratioMeasure(
      {
        name: `webhooks/${side}/acks`,
        about: `acknowledgements a second ${ABOUT[side]} ÷ without a webhook; ${events}`,
        goal: GOAL,
        figures: { ...compared(['without', found.without], [side, found[side]]), ...news },
      },
      rates(found.without),
      rates(found[side]),
    ),
    latency('p50', 0.5),
    latency('p99', 0.99),
  ];
}
