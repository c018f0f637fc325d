import { once } from 'node:events';
import WebSocket from 'ws';

/** As tests read it: fields are asked for by name. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of a venue, whose shape is what the test is about
export type Answer = any;

/** A socket whose messages are kept. */
export class SocketListener {
  readonly messages: Answer[] = [];
  readonly texts: string[] = [];
  readonly #socket: WebSocket;
  closed = false;

  protected constructor(wsUrl: string) {
    const socket = new WebSocket(wsUrl);
    this.#socket = socket;
    socket.on('message', (data) => {
      this.texts.push(String(data));
      try {
        this.messages.push(JSON.parse(String(data)));
      } catch {
        // Broken messages stay among the texts.
      }
    });
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('error', () => undefined);
  }

  /** Resolves when the socket is open. */
  protected async opened(): Promise<this> {
    await once(this.#socket, 'open');
    return this;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  protected async untilMessages(so: () => boolean): Promise<void> {
    while (!so()) await once(this.#socket, 'message');
  }

  close(): void {
    this.#socket.terminate();
  }
}
