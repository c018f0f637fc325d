/** The sockets of an emulated venue: connections, their news, and what the script keeps from them. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Unsubscribe } from '../../../../gateway/engine/ports/system.ts';
import type { Json } from '../../json.ts';

/** Calls `run` each `ms`, first after `ms`, until the returned function is called. */
function every(clock: Clock, ms: number, run: () => void): Unsubscribe {
  const next = () => {
    run();
    cancel = clock.after(ms, next);
  };
  let cancel = clock.after(ms, next);
  return () => cancel();
}

export interface SharedStreamFaults {
  /** Names of streams that say nothing while their socket stays open; `*`: all, pongs too. */
  readonly silent?: readonly string[];
  /** Held back, in order. */
  readonly delayMs?: number;
  /** Every message of news comes twice. */
  readonly twice?: boolean;
  /** Pairs of messages of news change places. */
  readonly swapped?: boolean;
  /** Each message is changed before it is sent. Only for an emulator of the same process. */
  readonly change?: (message: Json) => unknown;
  /** New sockets are refused at the handshake. */
  readonly refused?: boolean;
  /** First messages of the account's streams are empty, as if nothing had ever happened. */
  readonly emptySnapshots?: boolean;
  /** First messages of the account's streams are no JSON. */
  readonly brokenSnapshots?: boolean;
}

export interface StreamListener<Subscription, Message> {
  readonly socket: WebSocket;
  readonly subscriptions: Map<string, Subscription>;
  lastHeard: number;
  held: string | null;
  /** News of the present turn, of which one transaction may cause several. */
  readonly queued: Map<string, Message>;
}

export interface HubOptions {
  /** Interval at which streams repeat themselves, ms; 0: only when something changes. Default 500. */
  readonly pulseMs: number;
  /** A client that says nothing for so long is cut off, ms. */
  readonly idleMs: number;
}

export abstract class StreamHub<
  Subscription,
  Message extends object,
  Faults extends SharedStreamFaults,
  Listener extends StreamListener<Subscription, Message> = StreamListener<Subscription, Message>,
> {
  protected readonly clock: Clock;
  protected readonly listeners = new Set<Listener>();
  protected faults: Faults = {} as Faults;
  readonly #path: string;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #timers: Unsubscribe[] = [];

  /** @param path of the handshake */
  constructor(path: string, clock: Clock, { pulseMs, idleMs }: HubOptions) {
    this.#path = path;
    this.clock = clock;
    if (pulseMs > 0) this.#timers.push(every(clock, pulseMs, () => this.#pulse()));
    this.#timers.push(every(clock, Math.max(50, idleMs / 4), () => this.#dropIdle(idleMs)));
  }

  /** Initial state of a new connection. */
  protected abstract listener(base: StreamListener<Subscription, Message>): Listener;
  protected abstract hear(listener: Listener, text: string): Promise<void>;
  /** The stream's name, by which it is silenced. */
  protected abstract streamOf(message: Message): string;
  /** Message that a stream repeats; null: none. */
  protected abstract repeated(subscription: Subscription): Message | null;

  /** Greets a new connection. */
  protected greet(_listener: Listener): void {}
  /** Asks whether a client is there. */
  protected probe(_listener: Listener): void {}

  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (request.url?.split('?')[0] !== this.#path || this.faults.refused === true) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#open(opened));
    });
  }

  setFaults(faults: Faults): void {
    this.faults = faults;
  }

  /** Ends all sockets. @param code a close code; null: the connections break without one */
  cut(code: number | null): void {
    for (const { socket } of this.listeners) {
      if (code === null) socket.terminate();
      else socket.close(code);
    }
  }

  get count(): number {
    return this.listeners.size;
  }

  close(): void {
    for (const cancel of this.#timers) cancel();
    this.cut(null);
    this.#sockets.close();
  }

  #open(socket: WebSocket): void {
    const listener = this.listener({
      socket,
      subscriptions: new Map(),
      lastHeard: this.clock.uptime(),
      held: null,
      queued: new Map(),
    });
    this.listeners.add(listener);
    socket.on('close', () => this.listeners.delete(listener));
    socket.on('error', () => socket.terminate());
    const heard = () => {
      listener.lastHeard = this.clock.uptime();
    };
    socket.on('ping', heard);
    socket.on('message', (data) => {
      heard();
      void this.hear(listener, String(data));
    });
    this.greet(listener);
  }

  /**
   * Queues news for whoever has subscribed to it: as on the venue, one message has all that a transaction causes on a stream.
   * @param about null: no news for that subscription
   * @param join puts the message among those that wait
   */
  protected tell(
    about: (subscription: Subscription, listener: Listener) => Message | null,
    join: (queued: Map<string, Message>, message: Message, key: string) => void,
  ): void {
    for (const listener of this.listeners) {
      for (const [key, subscription] of listener.subscriptions) {
        const message = about(subscription, listener);
        if (message === null) continue;
        if (listener.queued.size === 0) queueMicrotask(() => this.#flush(listener));
        join(listener.queued, message, key);
      }
    }
  }

  #flush(listener: Listener): void {
    const messages = [...listener.queued.values()];
    listener.queued.clear();
    for (const message of messages) this.say(listener, message, true);
  }

  #pulse(): void {
    for (const listener of this.listeners) {
      for (const subscription of listener.subscriptions.values()) {
        const message = this.repeated(subscription);
        if (message !== null) this.say(listener, message, false);
      }
    }
  }

  /** Drops clients that have said nothing for too long. */
  #dropIdle(idleMs: number): void {
    for (const listener of this.listeners) {
      if (this.clock.uptime() - listener.lastHeard > idleMs) listener.socket.close(1000, 'Inactive');
      else this.probe(listener);
    }
  }

  protected say(listener: Listener, message: Message, isNews: boolean): void {
    const { silent, twice, swapped } = this.faults;
    if (silent?.includes('*') === true || silent?.includes(this.streamOf(message)) === true) return;
    const text = JSON.stringify(this.faults.change?.(message) ?? message);
    const { held } = listener;
    if (isNews && swapped === true && held === null) {
      listener.held = text;
      return;
    }
    this.write(listener, text);
    if (!isNews) return;
    if (held !== null) this.write(listener, held);
    listener.held = null;
    if (twice === true) this.write(listener, text);
  }

  protected write({ socket }: Listener, text: string): void {
    const send = () => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const { delayMs } = this.faults;
    if (delayMs === undefined) send();
    else this.clock.after(delayMs, send);
  }
}

/** The object that a text is; null if it is none. */
export function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
