/** A WebSocket client that keeps every private event of an account. */
import { WebSocket } from 'ws';
import type { GatewayClient } from './gateway-client.ts';
import type { Trader } from './trader.ts';

export interface PrivateEvent {
  readonly channel: string;
  readonly event: string;
  readonly seq: number;
  readonly timestamp: string;
  readonly data: { readonly entityId: string };
}

export interface EventReader {
  readonly all: PrivateEvent[];
  /** Events since the last call, up to the first that matches. */
  until(matches: (event: PrivateEvent) => boolean): Promise<readonly PrivateEvent[]>;
  close(): void;
}

export async function eventReader(
  gateway: Pick<GatewayClient, 'pass'> & { readonly port: number },
  trader: Pick<Trader, 'key' | 'accountId'>,
  resumeFrom?: number,
): Promise<EventReader> {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/ws`);
  const all: PrivateEvent[] = [];
  let read = 0;
  const channel = `user:${trader.accountId}`;
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ op: 'auth', apiKey: trader.key, id: 'auth' })));
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.op === 'error') reject(new Error(JSON.stringify(message)));
      if (message.op === 'ack' && message.id === 'auth') {
        const resume = resumeFrom === undefined ? {} : { resumeFrom };
        socket.send(JSON.stringify({ op: 'subscribe', channels: [channel], id: 'sub', ...resume }));
      }
      if (message.op === 'ack' && message.id === 'sub') resolve();
      if (message.channel === channel && message.seq !== undefined) all.push(message);
    });
  });
  return {
    all,
    async until(matches) {
      for (let tries = 0; tries < 4_000; tries += 1) {
        const at = all.findIndex((event, index) => index >= read && matches(event));
        if (at >= 0) {
          const told = all.slice(read, at + 1);
          read = at + 1;
          return told;
        }
        await gateway.pass();
      }
      throw new Error('the event did not come');
    },
    close: () => socket.terminate(),
  };
}
