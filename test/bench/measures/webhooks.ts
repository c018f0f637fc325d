/**
 * Acknowledgements beside webhooks: none, one whose receiver answers, and one whose receiver never does, for which as much
 * waits as may wait. The three are gateways of their own, measured in turns, with the same events going on in all of them.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAITING } from '../../../gateway/domain/delivery.ts';
import { openBodies, openRequest } from '../basket-requests.ts';
import { type Benchmark, loop, type Target, warmUp } from '../bench-context.ts';
import { compared, rates } from '../closed-loop-figures.ts';
import { startTrickle } from '../event-trickle.ts';
import { call, type Gateway, instrumentIds, newGateway } from '../gateway-home.ts';
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
const FILLED_WITHIN_MS = 30_000;

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

const addHook = ({ port, apiKey }: Gateway, url: string) =>
  call(port, 'POST', '/webhooks', { 'x-api-key': apiKey }, { url, events: ['*'] });

/** Until as much waits as may wait, so that what is measured is a receiver that has hung for long. */
async function fill(gateway: Gateway): Promise<void> {
  const trickle = startTrickle(gateway, 2_000);
  const until = performance.now() + FILLED_WITHIN_MS;
  while ((await hooksOf(gateway)).waiting < MAX_WAITING) {
    if (performance.now() > until) throw new Error('the hanging receiver has too few deliveries waiting');
    await sleep(100);
  }
  await trickle.stop();
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
  const receivers = { good: await receiver(true), hanging: await receiver(false) };
  const gateways: Partial<Record<Side, Gateway>> = {};
  /** Deliveries of each round, while it was measured. */
  const beside: number[] = [];
  const round = async (gateway: Gateway, acks: () => Promise<ClosedLoopResult>, own?: Receiver) => {
    const trickle = startTrickle(gateway, EVENTS_A_SECOND);
    const before = own?.received() ?? 0;
    const found = await acks();
    await trickle.stop();
    if (own !== undefined) beside.push(own.received() - before);
    // What is still to be delivered would fall on the next side.
    if (own !== undefined) await silence(own);
    return found;
  };
  try {
    const made = async (side: Side): Promise<[Gateway, () => Promise<ClosedLoopResult>]> => {
      const gateway = await newGateway();
      gateways[side] = gateway;
      if (side !== 'without') await addHook(gateway, receivers[side].url);
      if (side === 'hanging') await fill(gateway);
      const target = await targetOf(gateway);
      await warmUp(context, target, CONNECTIONS);
      return [gateway, loop(context, target, CONNECTIONS)];
    };
    const [without, withoutAcks] = await made('without');
    const [good, goodAcks] = await made('good');
    const [hanging, hangingAcks] = await made('hanging');
    context.say('webhooks: acknowledgements without, beside a good receiver and beside one that hangs');
    const found = await alternate(context.rounds, {
      without: () => round(without, withoutAcks),
      good: () => round(good, goodAcks, receivers.good),
      hanging: () => round(hanging, hangingAcks),
    });
    const { waiting, skipped } = await hooksOf(hanging);
    return [
      ...measures('good', found, { deliveredInRound: median(beside) }),
      ...measures('hanging', found, { waiting, skipped, attempts: receivers.hanging.received() }),
    ];
  } finally {
    for (const gateway of Object.values(gateways)) await gateway.stop();
    for (const one of Object.values(receivers)) one.close();
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
