/** A receiver of webhooks and messages on this machine: keeps what comes, answers as it is told. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './json.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Json;
}

/** `hang`: no answer until `close`. */
export type HookAnswer =
  | 'hang'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export class HookReceiver {
  readonly received: Received[] = [];
  /** The answer to the next request; the last one stays. */
  answers: HookAnswer[] = [{ status: 200, body: 'thanks' }];
  readonly #server: Server;
  readonly #looks = new Set<() => void>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        this.received.push({
          path: request.url ?? '',
          headers: request.headers,
          text,
          json: JSON.parse(text),
        });
        for (const look of this.#looks) look();
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
        if (answer === undefined || answer === 'hang') return;
        response.writeHead(answer.status, answer.headers ?? {});
        response.end(answer.body ?? '');
      });
    });
  }

  static async open(port = 0): Promise<HookReceiver> {
    const receiver = new HookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(port, '127.0.0.1', resolve));
    // A test that failed before it closed the receiver ends all the same.
    receiver.#server.unref();
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  of(event: string): Received[] {
    return this.received.filter(({ json }) => json.event === event);
  }

  /** Resolves when `count` of those that have come fit. */
  came(fits: (one: Received) => boolean, count = 1): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.received.filter(fits).length < count) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
