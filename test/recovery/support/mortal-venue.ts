/** A paper venue in its own process that is killed and started again on its files, and makes trouble of every kind. */

import { connect, createServer, type Socket } from 'node:net';
import type { Random } from '../../../gateway/venues/paper/market/random.ts';
import { createLineReader } from '../../../gateway/venues/paper/process/line-reader.ts';
import type { SimRequest } from '../../../gateway/venues/paper/process/sim-protocol.ts';
import type { FaultAction, FaultRule, FaultScript } from '../../../gateway/venues/paper/venue/faults.ts';
import { listenLocally } from '../../support/local-port.ts';
import { type SimInspector, type SimProcess, startSim } from '../../support/sim-client.ts';

/**
 * Stands between a gateway and a paper venue in its own process, and counts which client order ids were sent: the venue
 * answers a repeated id with its first outcome, so only a listener on the way can tell that an order was sent once.
 */
interface SimTap {
  /** Port at which the gateway connects. */
  readonly port: number;
  /** Number of times that each client order id was sent in a whole message. */
  readonly sent: ReadonlyMap<string, number>;
  close(): void;
}

async function tapSim(simPort: number): Promise<SimTap> {
  const sent = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const venue = connect({ host: '127.0.0.1', port: simPort, noDelay: true });
    for (const [socket, other] of [
      [client, venue],
      [venue, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.setNoDelay(true);
    const read = createLineReader(
      (line) => count(line, sent),
      () => client.destroy(),
    );
    client.on('data', (chunk) => {
      venue.write(chunk);
      read(chunk.toString('utf8'));
    });
    venue.pipe(client);
  });
  return {
    port: await listenLocally(server),
    sent,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function count(line: string, sent: Map<string, number>): void {
  if (!line.includes('"placeBatch"')) return;
  const request: SimRequest<'placeBatch'> = JSON.parse(line);
  const [, orders] = request.params;
  for (const { clientOrderId } of orders) {
    sent.set(clientOrderId, (sent.get(clientOrderId) ?? 0) + 1);
  }
}

export interface MortalVenue {
  /** Port at which the gateway connects. */
  readonly port: number;
  /** Number of times that each client order id was sent. */
  readonly sent: ReadonlyMap<string, number>;
  kill(): Promise<void>;
  start(): Promise<void>;
  inspect(): Promise<SimInspector>;
  close(): Promise<void>;
}

/** Orders after a start among which the trouble is spread. */
const FAULTY_ORDERS = 4_000;
/** One order in eight. */
const FAULT_SHARE = 8;

const TROUBLE: readonly FaultAction[] = [
  { kind: 'reject', reason: 'other', message: 'not now' },
  { kind: 'fill', fraction: '0.5' },
  { kind: 'fill', fraction: '0.3' },
  // The rest is below the venue's minimum and not worth another attempt.
  { kind: 'fill', fraction: '0.97' },
  { kind: 'delay', delayMs: 400 },
  { kind: 'drop_answer' },
  { kind: 'duplicate_fill' },
  { kind: 'disconnect_stream', forMs: 200 },
];

export async function startMortalVenue(dataDir: string, random: Random): Promise<MortalVenue> {
  const launch = async (port: number) => {
    const started = await startSim({ dataDir, profile: 'realistic', seed: 7, port });
    const inspector = await started.inspect();
    await inspector.setFaults(trouble(random));
    inspector.close();
    return started;
  };
  let sim: SimProcess = await launch(0);
  const { port: simPort } = sim;
  const tap = await tapSim(simPort);
  return {
    port: tap.port,
    sent: tap.sent,
    kill: () => sim.stop('SIGKILL'),
    async start() {
      sim = await launch(simPort);
    },
    inspect: () => sim.inspect(),
    async close() {
      tap.close();
      await sim.stop('SIGTERM');
    },
  };
}

function trouble(random: Random): FaultScript {
  const rules: FaultRule[] = [];
  for (let order = 1; order <= FAULTY_ORDERS; order += 1) {
    const action = TROUBLE[Math.floor(random.uniform() * TROUBLE.length * FAULT_SHARE)];
    if (action !== undefined) rules.push({ match: { order }, action });
  }
  return { rules };
}
