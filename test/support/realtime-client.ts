/** A WebSocket client for tests: every message is kept, and can be waited for. */
import type { ClientRequestArgs } from 'node:http';
import { WebSocket } from 'ws';
import type { FakeClock } from './fake-clock.ts';
import { whileTimePasses } from './gateway.ts';

export type Message = Readonly<Record<string, unknown>>;

export interface RealtimeClient {
  readonly messages: readonly Message[];
  readonly ws: WebSocket;
  send(message: unknown): void;
  /** The next message not yet taken that fits; the ones before it are passed over but stay in `messages`. */
  next(fits?: (message: Message) => boolean): Promise<Message>;
  /** Sends and waits for the answer that carries the message's id. */
  ask(message: Readonly<Record<string, unknown>>): Promise<Message>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  end(): void;
}

let asked = 0;

/** @param clock moved while `next` waits: the gateway's. Left out, a message is waited for without time passing. */
export async function connectRealtime(
  url: string,
  options: ClientRequestArgs = {},
  clock?: FakeClock,
): Promise<RealtimeClient> {
  const ws = new WebSocket(url, { ...options, perMessageDeflate: false });
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let taken = 0;
  ws.on('message', (data) => {
    messages.push(JSON.parse(data.toString()));
    for (const look of [...waiting]) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise<void>((resolve, reject) => {
    ws.once('open', () => resolve());
    ws.once('error', reject);
  });
  ws.on('error', () => {});

  function arrival(fits: (message: Message) => boolean = () => true): Promise<Message> {
    return new Promise((resolve) => {
      const look = () => {
        for (; taken < messages.length; taken += 1) {
          const message = messages[taken];
          if (message === undefined || !fits(message)) continue;
          taken += 1;
          waiting.delete(look);
          resolve(message);
          return;
        }
      };
      waiting.add(look);
      look();
    });
  }

  return {
    ws,
    messages,
    closed,
    next: (fits) => (clock === undefined ? arrival(fits) : whileTimePasses(clock, arrival(fits))),
    send: (message) => ws.send(typeof message === 'string' ? message : JSON.stringify(message)),
    ask(message) {
      asked += 1;
      const id = `ask-${asked}`;
      ws.send(JSON.stringify({ ...message, id }));
      return arrival((answer) => answer['id'] === id);
    },
    end: () => ws.terminate(),
  };
}

/** Status and body of an upgrade that was refused. */
export function refusedUpgrade(
  url: string,
  options: ClientRequestArgs = {},
): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url, options);
    ws.on('open', () => {
      ws.terminate();
      reject(new Error('the upgrade was accepted'));
    });
    ws.on('error', reject);
    ws.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
  });
}
