/** Prices of every paper instrument to five hundred clients, with the account's private events among them. */
import { balancedBodies, openRequest } from '../basket-requests.ts';
import type { Benchmark } from '../bench-context.ts';
import { instrumentIds, newGateway } from '../gateway-home.ts';
import { LatencyHistogram } from '../latency-histogram.ts';
import { valueMeasure } from '../verdict.ts';

const CLIENTS = 500;
const PRIVATE_CLIENTS = 50;
const STALLED_CLIENTS = 5;
const ORDERS_PER_SECOND = 10;

export const stream: Benchmark = async (context) => {
  const gateway = await newGateway({ held: false });
  try {
    const instruments = await instrumentIds(gateway.port);
    const requests = balancedBodies(instruments, 40).map((body) => openRequest(gateway, body));
    context.say(`stream: ${CLIENTS} clients`);
    const found = await context.load.run({
      kind: 'stream',
      port: gateway.port,
      clients: CLIENTS,
      privateClients: PRIVATE_CLIENTS,
      stalledClients: STALLED_CLIENTS,
      channel: 'prices:paper',
      // One run as long as all rounds of the others: five hundred connections are not made for one second.
      measureMs: context.rounds * context.roundMs,
      apiKey: gateway.apiKey,
      tradeAccountId: gateway.tradeAccountId,
      requests,
      requestsPerSecond: ORDERS_PER_SECOND,
      serverPid: gateway.pid,
    });
    const delivery = LatencyHistogram.from(found.deliveryUs);
    const seconds = found.elapsedMs / 1_000;
    const perClient = found.updates / CLIENTS / seconds;
    const figures = {
      clients: found.clients,
      tradableInstruments: instruments.length,
      updatesPerClientPerSecond: perClient,
      megabytesPerSecond: found.updateBytes / 1e6 / seconds,
      distinctUpdatesPerSecond: found.distinctUpdates / seconds,
      p50Ms: delivery.percentile(0.5) / 1_000,
      p99Ms: delivery.percentile(0.99) / 1_000,
      cpuUsPerUpdate: found.serverCpu === null ? null : found.serverCpu.allUs / found.updates,
      serverCpuShare: found.serverCpu === null ? null : found.serverCpu.allUs / 1_000 / found.elapsedMs,
      loadBusy: found.loadBusy,
      machineDelayP99Ms: found.delayMs.p99,
    };
    return [
      valueMeasure(
        {
          name: 'stream/500/p99-delivery',
          about:
            'message timestamp → its last byte read by the client, 99th percentile, all paper prices to 500 clients',
          unit: 'ms',
          goal: { bound: 'at most', value: 100 },
          figures,
        },
        delivery.percentile(0.99) / 1_000,
      ),
      valueMeasure(
        {
          name: 'stream/500/updates-per-client',
          about: 'price messages per client and second; the channel is conflated to ten',
          unit: '/s',
          goal: { bound: 'at least', value: 9 },
          figures: {},
        },
        perClient,
      ),
      valueMeasure(
        {
          name: 'stream/500/private-events-lost',
          about: `holes in seq and clients behind the others, of ${PRIVATE_CLIENTS} private clients; ${STALLED_CLIENTS} of them stop reading for half the time`,
          unit: 'events',
          goal: { bound: 'at most', value: 0 },
          figures: {
            privateEvents: found.privateEvents,
            privateEventsPerClient: found.privateEventsPerClient,
            clientsClosed: found.closed,
          },
        },
        found.privateLost + found.closed,
      ),
    ];
  } finally {
    await gateway.stop();
  }
};
