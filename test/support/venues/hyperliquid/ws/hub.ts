/** The venue's sockets: who listens to what, and what the script keeps from them. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock, Unsubscribe } from '../../../../../gateway/engine/ports/system.ts';
import type { Json } from '../../../json.ts';
import { every } from '../../shared/every.ts';
import type { Desk } from '../desk.ts';
import type { WorldEvent } from '../state/world.ts';
import { type Message, news, opening, present, readSubscription, type Subscription } from './channels.ts';
import { emptied, queue } from './messages.ts';

export interface StreamFaults {
  /** Channels that say nothing while their socket stays open; `*`: all, pongs too. */
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

interface Listener {
  readonly socket: WebSocket;
  /** By the text of the subscription as the client wrote it. */
  readonly subscriptions: Map<string, Subscription>;
  lastHeard: number;
  held: string | null;
  /** News of the present turn, which one action may have several of, by subscription and channel. */
  readonly queued: Map<string, Message>;
}

export interface HubOptions {
  /** How often the market streams repeat themselves; 0: only when something changes. */
  readonly pulseMs: number;
  /** A client that says nothing for so long is cut off. */
  readonly idleMs: number;
}

const MOST_SUBSCRIPTIONS = 1_000;
const MOST_USERS = 10;

export class Hub {
  readonly #desk: Desk;
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #timers: Unsubscribe[] = [];
  #faults: StreamFaults = {};

  constructor(desk: Desk, { pulseMs, idleMs }: HubOptions) {
    this.#desk = desk;
    this.#clock = desk.world.clock;
    desk.world.onEvent((event) => this.#tell(event));
    if (pulseMs > 0) this.#timers.push(every(this.#clock, pulseMs, () => this.#pulse()));
    this.#timers.push(every(this.#clock, Math.max(50, idleMs / 4), () => this.#dropIdle(idleMs)));
  }

  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (request.url !== '/ws' || this.#faults.refused === true) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#open(opened));
    });
  }

  setFaults(faults: StreamFaults): void {
    this.#faults = faults;
  }

  /** Ends all sockets. @param code a close code; null: the connections break without one */
  cut(code: number | null): void {
    for (const { socket } of this.#listeners) {
      if (code === null) socket.terminate();
      else socket.close(code);
    }
  }

  get count(): number {
    return this.#listeners.size;
  }

  /** Sends one message of a stream again or anew, to whoever listens. */
  push(user: string, channel: string, data: unknown): void {
    for (const listener of this.#listeners) {
      const listens = [...listener.subscriptions.values()].some(
        (subscription) =>
          'user' in subscription && subscription.user === user && subscription.type === channel,
      );
      if (listens) this.#say(listener, { channel, data }, true);
    }
  }

  close(): void {
    for (const cancel of this.#timers) cancel();
    this.cut(null);
    this.#sockets.close();
  }

  #open(socket: WebSocket): void {
    const listener: Listener = {
      socket,
      subscriptions: new Map(),
      lastHeard: this.#clock.uptime(),
      held: null,
      queued: new Map(),
    };
    this.#listeners.add(listener);
    socket.on('close', () => this.#listeners.delete(listener));
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => void this.#hear(listener, String(data)));
  }

  async #hear(listener: Listener, text: string): Promise<void> {
    listener.lastHeard = this.#clock.uptime();
    const message = parsed(text);
    const method = typeof message?.['method'] === 'string' ? message['method'] : 'unreadable';
    const at = this.#desk.world.now();
    this.#desk.tap.note({ at, kind: `ws ${method}`, weight: 0, text });
    if (method === 'ping') this.#say(listener, { channel: 'pong', data: undefined }, false);
    else if (method === 'subscribe') this.#subscribe(listener, message?.['subscription']);
    else if (method === 'unsubscribe') this.#unsubscribe(listener, message?.['subscription']);
    else if (method === 'post') await this.#post(listener, message ?? {}, text);
    else this.#complain(listener, `Error parsing JSON into valid websocket request: ${text}`);
  }

  #subscribe(listener: Listener, echo: unknown): void {
    const key = JSON.stringify(echo);
    const subscription = readSubscription(this.#desk.world, echo);
    const refusal =
      subscription === null ? `Invalid subscription ${key}` : this.#full(listener, key, subscription);
    if (subscription === null || refusal !== null) {
      this.#complain(listener, refusal ?? '');
      return;
    }
    listener.subscriptions.set(key, subscription);
    const data = { method: 'subscribe', subscription: echo };
    this.#say(listener, { channel: 'subscriptionResponse', data }, false);
    const first = opening(this.#desk.world, subscription);
    if (first === null) return;
    const ofAccount = 'user' in subscription;
    if (ofAccount && this.#faults.brokenSnapshots === true) {
      this.#write(listener, `{"channel":"${first.channel}","da`);
    } else {
      this.#say(listener, ofAccount && this.#faults.emptySnapshots === true ? emptied(first) : first, false);
    }
  }

  /** The venue's words where it takes no more subscriptions of this kind. */
  #full({ subscriptions }: Listener, key: string, subscription: Subscription): string | null {
    if (subscriptions.has(key)) return `Already subscribed: ${key}`;
    if (subscriptions.size >= MOST_SUBSCRIPTIONS) {
      return `Cannot subscribe to more than ${MOST_SUBSCRIPTIONS} channels.`;
    }
    const crowded = 'user' in subscription && this.#usersWith(subscription.user) > MOST_USERS;
    return crowded ? `Cannot track more than ${MOST_USERS} total users.` : null;
  }

  #unsubscribe(listener: Listener, echo: unknown): void {
    const key = JSON.stringify(echo);
    const data = { method: 'unsubscribe', subscription: echo };
    if (!listener.subscriptions.delete(key)) this.#complain(listener, `Already unsubscribed: ${key}`);
    else this.#say(listener, { channel: 'subscriptionResponse', data }, false);
  }

  async #post(listener: Listener, message: Record<string, unknown>, text: string): Promise<void> {
    const request = message['request'] as { type?: unknown; payload?: unknown } | undefined;
    const kind = request?.type;
    if (kind !== 'info' && kind !== 'action') {
      this.#complain(listener, `Invalid post request ${text}`);
      return;
    }
    const body = JSON.stringify(request?.payload ?? null);
    const reply = await this.#desk.answer(kind === 'info' ? 'info' : 'exchange', body, text);
    if (reply.kind === 'cut') listener.socket.terminate();
    if (reply.kind !== 'sent') return;
    const answered = reply.code === 200 ? JSON.parse(reply.body) : null;
    const payload =
      kind === 'info'
        ? { type: (request?.payload as { type?: unknown } | undefined)?.type, data: answered }
        : answered;
    const response =
      reply.code === 200
        ? { type: kind, payload }
        : { type: 'error', payload: `${reply.code}: ${reply.body}` };
    this.#say(listener, { channel: 'post', data: { id: message['id'], response } }, false);
  }

  #usersWith(user: string): number {
    const users = new Set([user]);
    for (const { subscriptions } of this.#listeners) {
      for (const subscription of subscriptions.values()) {
        if ('user' in subscription) users.add(subscription.user);
      }
    }
    return users.size;
  }

  /** As on the venue, whatever one action causes on a stream comes in one message. */
  #tell(event: WorldEvent): void {
    for (const listener of this.#listeners) {
      for (const [key, subscription] of listener.subscriptions) {
        const message = news(this.#desk.world, subscription, event);
        if (message === null) continue;
        if (listener.queued.size === 0) queueMicrotask(() => this.#flush(listener));
        queue(listener.queued, key, message);
      }
    }
  }

  #flush(listener: Listener): void {
    const messages = [...listener.queued.values()];
    listener.queued.clear();
    for (const message of messages) this.#say(listener, message, true);
  }

  #pulse(): void {
    for (const listener of this.#listeners) {
      for (const subscription of listener.subscriptions.values()) {
        const message = present(this.#desk.world, subscription);
        if (message !== null) this.#say(listener, message, false);
      }
    }
  }

  #dropIdle(idleMs: number): void {
    for (const { socket, lastHeard } of this.#listeners) {
      if (this.#clock.uptime() - lastHeard > idleMs) socket.close(1000, 'Inactive');
    }
  }

  #complain(listener: Listener, data: string): void {
    this.#say(listener, { channel: 'error', data }, false);
  }

  #say(listener: Listener, message: Message, isNews: boolean): void {
    const { silent, twice, swapped } = this.#faults;
    if (silent?.includes('*') === true || silent?.includes(message.channel) === true) return;
    const text = JSON.stringify(this.#faults.change?.(message) ?? message);
    const { held } = listener;
    if (isNews && swapped === true && held === null) {
      listener.held = text;
      return;
    }
    this.#write(listener, text);
    if (!isNews) return;
    if (held !== null) this.#write(listener, held);
    listener.held = null;
    if (twice === true) this.#write(listener, text);
  }

  #write({ socket }: Listener, text: string): void {
    const send = () => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const { delayMs } = this.#faults;
    if (delayMs === undefined) send();
    else this.#clock.after(delayMs, send);
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
