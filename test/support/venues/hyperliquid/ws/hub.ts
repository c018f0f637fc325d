/** The venue's sockets: who listens to what, and what the script keeps from them. */
import {
  type HubOptions,
  parsedObject,
  type SharedStreamFaults,
  StreamHub,
  type StreamListener,
} from '../../shared/stream-hub.ts';
import type { Desk } from '../desk.ts';
import { type Message, news, opening, present, readSubscription, type Subscription } from './channels.ts';
import { emptied, queue } from './messages.ts';

/** Streams are named by their channel. */
export type StreamFaults = SharedStreamFaults;

/** Subscriptions by their text as the client wrote it; news by subscription and channel. */
type Listener = StreamListener<Subscription, Message>;

const MOST_SUBSCRIPTIONS = 1_000;
const MOST_USERS = 10;

export class Hub extends StreamHub<Subscription, Message, StreamFaults> {
  readonly #desk: Desk;

  constructor(desk: Desk, options: HubOptions) {
    super('/ws', desk.world.clock, options);
    this.#desk = desk;
    const { world } = desk;
    world.onEvent((event) => this.tell((subscription) => news(world, subscription, event), queue));
  }

  /** Sends one message of a stream again or anew, to whoever listens. */
  push(user: string, channel: string, data: unknown): void {
    for (const listener of this.listeners) {
      const listens = [...listener.subscriptions.values()].some(
        (subscription) =>
          'user' in subscription && subscription.user === user && subscription.type === channel,
      );
      if (listens) this.say(listener, { channel, data }, true);
    }
  }

  protected override listener(base: Listener): Listener {
    return base;
  }

  protected override streamOf({ channel }: Message): string {
    return channel;
  }

  protected override repeated(subscription: Subscription): Message | null {
    return present(this.#desk.world, subscription);
  }

  protected override async hear(listener: Listener, text: string): Promise<void> {
    const message = parsedObject(text);
    const method = typeof message?.['method'] === 'string' ? message['method'] : 'unreadable';
    const at = this.#desk.world.now();
    this.#desk.tap.note({ at, kind: `ws ${method}`, weight: 0, text });
    if (method === 'ping') this.say(listener, { channel: 'pong', data: undefined }, false);
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
    this.say(listener, { channel: 'subscriptionResponse', data }, false);
    const first = opening(this.#desk.world, subscription);
    if (first === null) return;
    const ofAccount = 'user' in subscription;
    if (ofAccount && this.faults.brokenSnapshots === true) {
      this.write(listener, `{"channel":"${first.channel}","da`);
    } else {
      this.say(listener, ofAccount && this.faults.emptySnapshots === true ? emptied(first) : first, false);
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
    else this.say(listener, { channel: 'subscriptionResponse', data }, false);
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
    this.say(listener, { channel: 'post', data: { id: message['id'], response } }, false);
  }

  #usersWith(user: string): number {
    const users = new Set([user]);
    for (const { subscriptions } of this.listeners) {
      for (const subscription of subscriptions.values()) {
        if ('user' in subscription) users.add(subscription.user);
      }
    }
    return users.size;
  }

  #complain(listener: Listener, data: string): void {
    this.say(listener, { channel: 'error', data }, false);
  }
}
