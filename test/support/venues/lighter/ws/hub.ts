import {
  type HubOptions,
  parsedObject,
  type SharedStreamFaults,
  StreamHub,
  type StreamListener,
} from '../../shared/stream-hub.ts';
import type { Desk } from '../desk.ts';
import { MinuteLimit } from '../minute-limit.ts';
import type { Market } from '../state/markets.ts';
import type { Refusal } from '../state/refusals.ts';
import type { WorldEvent } from '../state/world.ts';
import { Books } from './books.ts';
import { type Message, news, opening, pulse, readSubscription, type Subscription } from './channels.ts';
import { emptied, queue } from './messages.ts';

/** Streams are named like `account_all_trades`. */
export interface StreamFaults extends SharedStreamFaults {
  /**
   * Delays of acknowledgements of subscriptions, in ms after they came, in turn and then from the beginning again;
   * negative: the subscription is lost. Missing: at once.
   */
  readonly acknowledgedAfterMs?: readonly number[];
  /** Channels, with colons, whose subscriptions are lost. */
  readonly lostSubscriptions?: readonly string[];
  /** First messages are those that the stream's first subscriber had, however much has happened since. */
  readonly staleSnapshots?: boolean;
}

/** Subscriptions by the name of the channel, with colons; news by channel. */
interface Listener extends StreamListener<Subscription, Message> {
  readonly messages: MinuteLimit;
}

const MOST_SUBSCRIPTIONS = 500;
/** Messages of a client in any minute; transactions do not count. */
const MOST_MESSAGES = 200;
/** Subscriptions of an address that are not acknowledged yet. */
const MOST_IN_FLIGHT = 50;
const TOO_MANY_IN_FLIGHT: Refusal = { code: 30010, message: 'Too Many Inflight Messages!' };
const TOO_MANY_MESSAGES: Refusal = { code: 30009, message: 'Too Many Websocket Messages!' };
const UNREADABLE: Refusal = { code: 30000, message: 'Invalid JSON' };
const ALREADY: Refusal = { code: 30003, message: 'Already Subscribed' };
const NOT_SUBSCRIBED: Refusal = { code: 30004, message: 'Not Subscribed' };
const TOO_MANY: Refusal = { code: 23001, message: 'Too Many Subscriptions!' };

export class Hub extends StreamHub<Subscription, Message, StreamFaults, Listener> {
  readonly #desk: Desk;
  readonly #books: Books;
  /** First messages of streams, by channel. */
  readonly #firsts = new Map<string, Message>();
  #inFlight = 0;
  #mostInFlight = 0;
  #asked = 0;
  #mostMessages: number | null = MOST_MESSAGES;

  constructor(desk: Desk, options: HubOptions) {
    super('/stream', desk.venue.world.clock, options);
    this.#desk = desk;
    this.#books = new Books(desk.venue.world);
    desk.venue.world.onEvent((event) => this.#tell(event));
  }

  /** Limits the messages of clients that connect from now on. @param most null: any number */
  limitMessages(most: number | null): void {
    this.#mostMessages = most;
  }

  bookGap(market: Market): void {
    this.#books.gap(market);
  }

  /** Sends one message of a stream again or anew, to whoever listens. @param channel with colons */
  push(channel: string, fields: object): void {
    const [name] = channel.split(':');
    for (const listener of this.listeners) {
      if (!listener.subscriptions.has(channel)) continue;
      this.say(listener, { type: `update/${name}`, channel, ...fields }, true);
    }
  }

  protected override listener(base: StreamListener<Subscription, Message>): Listener {
    return { ...base, messages: new MinuteLimit(this.#mostMessages) };
  }

  protected override greet(listener: Listener): void {
    const session_id = `${this.listeners.size}-${this.clock.now()}`;
    this.say(listener, { type: 'connected', session_id }, false);
  }

  protected override probe(listener: Listener): void {
    this.say(listener, { type: 'ping' }, false);
  }

  protected override streamOf(message: Message): string {
    return String(message['channel'] ?? '').split(':')[0] ?? '';
  }

  protected override repeated(subscription: Subscription): Message | null {
    return pulse(this.#desk.venue, subscription);
  }

  protected override async hear(listener: Listener, text: string): Promise<void> {
    const message = parsedObject(text);
    const type = typeof message?.['type'] === 'string' ? message['type'] : 'unreadable';
    this.#desk.tap.note({ at: this.#desk.now(), kind: `ws ${type}`, weight: 0, text });
    if (!listener.messages.take(this.clock.uptime())) this.#complain(listener, TOO_MANY_MESSAGES);
    else if (type === 'ping') this.say(listener, { type: 'pong' }, false);
    else if (type === 'subscribe' && message !== null) this.#subscribe(listener, message);
    else if (type === 'unsubscribe' && message !== null) this.#unsubscribe(listener, message);
    else if (type !== 'pong') this.#complain(listener, UNREADABLE);
  }

  #subscribe(listener: Listener, { channel, auth }: Record<string, unknown>): void {
    const token = typeof auth === 'string' ? auth : null;
    const subscription = readSubscription(this.#desk.venue, channel, token);
    const { subscriptions } = listener;
    if ('code' in subscription) this.#complain(listener, subscription);
    else if (subscriptions.has(subscription.channel)) this.#complain(listener, ALREADY);
    else if (subscriptions.size >= MOST_SUBSCRIPTIONS) this.#complain(listener, TOO_MANY);
    else if (this.#inFlight >= MOST_IN_FLIGHT) this.#complain(listener, TOO_MANY_IN_FLIGHT);
    else this.#acknowledge(listener, subscription);
  }

  #acknowledge(listener: Listener, subscription: Subscription): void {
    const delays = this.faults.acknowledgedAfterMs ?? [];
    const isLost = this.faults.lostSubscriptions?.includes(subscription.channel) === true;
    const delayMs = isLost ? -1 : delays[this.#asked % delays.length];
    this.#asked += 1;
    const make = () => {
      listener.subscriptions.set(subscription.channel, subscription);
      this.#first(listener, subscription);
    };
    if (delayMs === undefined) make();
    if (delayMs === undefined || delayMs < 0) return;
    this.#inFlight += 1;
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight);
    this.clock.after(delayMs, () => {
      this.#inFlight -= 1;
      make();
    });
  }

  /** Most subscriptions that were not acknowledged at a time. */
  get mostInFlight(): number {
    return this.#mostInFlight;
  }

  #first(listener: Listener, subscription: Subscription): void {
    const fresh = opening(this.#desk.venue, this.#books, subscription);
    const { channel, account } = subscription;
    const { staleSnapshots, brokenSnapshots, emptySnapshots } = this.faults;
    const first = staleSnapshots === true ? (this.#firsts.get(channel) ?? fresh) : fresh;
    if (!this.#firsts.has(channel)) this.#firsts.set(channel, fresh);
    if (account !== null && brokenSnapshots === true) {
      this.write(listener, `{"type":"${String(first['type'])}","chan`);
    } else {
      this.say(listener, account !== null && emptySnapshots === true ? emptied(first) : first, false);
    }
  }

  #unsubscribe(listener: Listener, { channel }: Record<string, unknown>): void {
    const name = String(channel).replaceAll('/', ':');
    if (!listener.subscriptions.delete(name)) this.#complain(listener, NOT_SUBSCRIBED);
    else this.say(listener, { type: 'unsubscribed', channel: name }, false);
  }

  #tell(event: WorldEvent): void {
    const changed = event.kind === 'market' ? this.#books.change(event.market) : null;
    this.tell((subscription, listener) => {
      if (event.kind === 'market') this.#tellBook(listener, subscription, event.market, changed);
      return news(this.#desk.venue, subscription, event);
    }, queue);
  }

  #tellBook(
    listener: Listener,
    { name, market }: Subscription,
    about: Market,
    changed: Message | null,
  ): void {
    if (market !== about || changed === null) return;
    if (name === 'order_book') this.say(listener, changed, true);
    if (name === 'ticker') this.say(listener, this.#books.ticker(market, 'update'), true);
  }

  #complain(listener: Listener, error: Refusal): void {
    this.say(listener, { error }, false);
  }
}
