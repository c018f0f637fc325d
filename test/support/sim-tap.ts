/**
 * Stands between a gateway and a paper venue in its own process, and counts which client order ids were sent: the venue
 * answers a repeated id with its first outcome, so only a listener on the way can tell that an order was sent once.
 */
import { connect, createServer, type Socket } from 'node:net';
import { createLineReader } from '../../gateway/venues/paper/process/line-reader.ts';
import type { SimRequest } from '../../gateway/venues/paper/process/sim-protocol.ts';
import { listenLocally } from './local-port.ts';

export interface SimTap {
  /** Port at which the gateway connects. */
  readonly port: number;
  /** Number of times that each client order id was sent in a whole message. */
  readonly sent: ReadonlyMap<string, number>;
  close(): void;
}

export async function tapSim(simPort: number): Promise<SimTap> {
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
