/** The one WebSocket to Lighter: prices of all markets, and events of the accounts. */
import type { z } from 'zod';
import type { Clock, Logger, Unsubscribe } from '../../../engine/ports/system.ts';
import { bucketOf, createBudget } from '../kit/budget.ts';
import { createVenueSocket, type VenueSocket } from '../kit/socket.ts';
import type { NoteUnread } from '../kit/unread-log.ts';
import { check, type PartlyRead, readJson } from '../kit/wire.ts';
import { wordsOf } from '../kit/words.ts';
import { type Books, createBooks } from './books.ts';
import type { MarketData } from './market-data.ts';
import type { Session } from './session.ts';
import { createSubscriptions } from './subscriptions.ts';
import * as wire from './wire.ts';

/** The venue ends connections that said nothing for two minutes. */
const PING_MS = 20_000;
const SILENCE_MS = 45_000;
/** The venue allows 200 a minute on a connection. Accounts' messages leave at once, best prices wait for them. */
const MESSAGES_PER_MINUTE = 180;
const MESSAGES = 'messages';
/** Share of the venue's 500 subscriptions; the rest is for accounts. */
const MOST_TICKERS = 400;
const TICKER = 'ticker/';
/** Time without a subscription to its best prices after which a market is not quoted: only its mark is known. */
const WITHOUT_TICKER_MS = 30_000;
/** Codes of refused messages that say nothing about the subscription: too many a minute, too many in flight. */
const TOO_MANY: readonly number[] = [30009, 30010];
/** Streams of an account are ended and begun with a new token before the old one ends. */
const RENEW_MS = 6 * 3_600_000;
const TIME_WITHIN_MS = 2_000;

/** Streams of an account; true: it needs a token. */
const ACCOUNT_STREAMS = [
  ['account_all_orders', true],
  ['account_tx', true],
  ['account_all_trades', false],
  ['account_all_positions', false],
  ['user_stats', false],
  ['account_all', false],
] as const;

export interface Streams {
  start(): void;
  /** Follows best bid and ask of exactly these markets from now on. */
  followBest(markets: readonly number[]): void;
  followAccount(session: Session): void;
  leaveAccount(session: Session): void;
  /** The whole book of a market; null: it is not known now. It is followed while it is in use. */
  book: Books['read'];
  /** The venue's time, epoch ms; null: no connection, or no answer in time. */
  askTime(): Promise<number | null>;
  reconnect(reason: string): void;
  close(): void;
  /** Connected, and the prices of all markets have come. */
  readonly up: boolean;
  /** Rises with each connection. */
  readonly generation: number;
}

export function createStreams(options: {
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly note: NoteUnread;
  readonly market: MarketData;
  /** `isFirst`: nothing can have been missed. */
  readonly onUp: (isFirst: boolean) => void;
  readonly onDown: (reason: string) => void;
  /** Called for a message of a market that is not listed here, or not any more. */
  readonly onUnlisted: () => void;
  /** Called when the stream has sent all positions of an account, as it says. */
  readonly onBegun: (session: Session) => void;
  /** Called when the stream of an account has a gap: events in between have to be read. */
  readonly onGap: (session: Session) => void;
  readonly ca?: string;
}): Streams {
  const { clock, logger, market, note: noteUnreadable } = options;
  let ups = 0;
  let isPriced = false;
  const followed = new Map<number, Session>();
  const renewals = new Map<number, Unsubscribe>();
  const tickers = new Set<number>();
  /** Caller that waits for the venue's time. */
  let hearTime: ((time: number | null) => void) | null = null;
  const budget = createBudget(clock);
  budget.addBucket(MESSAGES, bucketOf(MESSAGES_PER_MINUTE, 60_000));

  const socket: VenueSocket = createVenueSocket({
    url: () => options.url,
    clock,
    pingMs: PING_MS,
    pingText: () => '{"type":"ping"}',
    silenceMs: SILENCE_MS,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    onUp: () => {
      subscriptions.begin();
    },
    onDown: (reason) => {
      isPriced = false;
      subscriptions.end();
      books.forget();
      for (const session of followed.values()) {
        session.heard = false;
        session.books.forget();
      }
      options.onDown(reason);
    },
    onFailure: options.onDown,
    onMessage: (text) => take(text),
    onFault: (error) => logger.error({ err: error }, 'a message of Lighter was not taken'),
  });

  const subscriptions = createSubscriptions({
    clock,
    send: (text) => socket.send(text),
    takePlace: async () => (await budget.take('market', { [MESSAGES]: 1 }, Number.MAX_SAFE_INTEGER)).granted,
    countMessage: () => budget.count(MESSAGES, 1),
    graceMs: WITHOUT_TICKER_MS,
    onMissing: (channel) => quoteMarketOf(channel, false),
    onMade: (channel) => quoteMarketOf(channel, true),
  });

  function quoteMarketOf(channel: string, isQuoted: boolean): void {
    if (channel.startsWith(TICKER)) market.quoteMarket(Number(channel.slice(TICKER.length)), isQuoted);
  }

  const books = createBooks({
    clock,
    take: (lane, cost, until) => budget.take(lane, cost, until),
    send(method, channel) {
      if (!isPriced) return false;
      const text = messageOf(method, channel);
      return method === 'subscribe' ? subscriptions.askOnce(channel, text) : socket.send(text);
    },
    onUnreadable: (reason) => noteUnreadable('order_book', reason),
  });

  function take(text: string): void {
    const json = readJson(text);
    const news = json.ok ? check(wire.news, json.value) : json;
    if (!json.ok || !news.ok) {
      const refused = json.ok ? check(wire.socketError, json.value) : json;
      if (refused.ok) noteRefusal(refused.value.error);
      else noteUnreadable('a message', news.ok ? 'not JSON' : news.error.message);
      return;
    }
    const { type, channel } = news.value;
    const [kind = '', name = ''] = type.split('/');
    if (type === 'ping') socket.send('{"type":"pong"}');
    if (kind !== 'subscribed' && kind !== 'update') return;
    if (channel != null) subscriptions.heard(kind, channel);
    if (name === 'ticker') takeTicker(json.value);
    else if (name === 'market_stats') takeStats(json.value);
    else if (name === 'order_book') books.take(kind, json.value);
    else if (name === 'height') hearTime?.(readAs(wire.timed, json.value, name)?.timestamp ?? null);
    else {
      const session = followed.get(Number(channel?.split(':').at(-1) ?? Number.NaN));
      if (session !== undefined) takeOfAccount(session, name, kind === 'subscribed', json.value);
    }
  }

  function takeTicker(value: unknown): void {
    const told = readAs(wire.tickerNews, value, 'ticker');
    if (told === null) return;
    const index = Number(told.channel.slice('ticker:'.length));
    market.takeTicker(index, told.ticker.s, told.ticker.b.price, told.ticker.a.price);
  }

  function takeStats(value: unknown): void {
    const told = readAs(wire.statsNews, value, 'market_stats');
    if (told === null) return;
    if (!market.takeStats(told.market_stats)) options.onUnlisted();
    if (isPriced) return;
    isPriced = true;
    ups += 1;
    // Prices first: listeners expect them as soon as the venue is up.
    market.tellNow();
    options.onUp(ups === 1);
  }

  function takeOfAccount(session: Session, name: string, isFirst: boolean, value: unknown): void {
    session.heard = true;
    switch (name) {
      case 'account_all_orders': {
        const told = readAs(wire.ordersNews, value, name);
        if (told === null) return;
        session.takeOrders(told.orders.items);
        noteUnread(name, told.orders);
        return;
      }
      case 'account_tx': {
        const told = readAs(wire.txNews, value, name);
        if (told === null) return;
        session.takeTxs(told.txs.items);
        noteUnread(name, told.txs);
        return;
      }
      case 'account_all_trades': {
        const told = readAs(wire.tradesNews, value, name);
        if (told !== null) session.takeTrades(told.trades.items, isFirst);
        if (told === null || noteUnread(name, told.trades)) session.missed();
        return;
      }
      case 'account_all_positions': {
        const told = readAs(wire.positionsNews, value, name);
        const positions = Object.values(told?.positions ?? {});
        // The stream starts over: the former state is not known.
        if (told === null) session.rejoin(() => rejoin(session, name));
        else if (isFirst) {
          session.books.begin(positions);
          options.onBegun(session);
        } else session.books.change(positions);
        return;
      }
      case 'user_stats': {
        const told = readAs(wire.userStatsNews, value, name);
        if (told === null) return;
        const { portfolio_value: equity, available_balance: free } = told.stats;
        session.books.takeStats(equity, free, (index, symbol) => market.markAt(index, symbol));
        return;
      }
      case 'account_all': {
        const told = isFirst ? null : readAs(wire.accountNews, value, name);
        if (isFirst) return;
        if (told !== null) session.takePayments(told.funding_histories.items);
        if (told === null || noteUnread(name, told.funding_histories)) session.missed();
      }
    }
  }

  function readAs<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> | null {
    const told = check(schema, value);
    if (told.ok) return told.value;
    noteUnreadable(what, told.error.message);
    return null;
  }

  /** @return true: some entries are not as described */
  function noteUnread(what: string, { unread }: PartlyRead<unknown>): boolean {
    if (unread.length > 0) noteUnreadable(what, 'entries are not as described', unread.length);
    return unread.length > 0;
  }

  function noteRefusal({
    code,
    message,
  }: {
    code?: number | null | undefined;
    message?: string | null | undefined;
  }): void {
    if (TOO_MANY.includes(code ?? 0)) subscriptions.refused();
    logger.warn({ code, reason: wordsOf(message ?? '') }, 'Lighter refuses a stream');
  }

  function join(session: Session): void {
    for (const [name, needsToken] of ACCOUNT_STREAMS) {
      const channel = `${name}/${session.accountIndex}`;
      const auth = () => (needsToken ? { auth: session.signer.token() } : {});
      subscriptions.want(channel, () => messageOf('subscribe', channel, auth()), true);
    }
  }

  function part(session: Session): void {
    for (const [name] of ACCOUNT_STREAMS) leave(`${name}/${session.accountIndex}`);
  }

  function leave(channel: string): void {
    if (!subscriptions.leave(channel)) return;
    budget.count(MESSAGES, 1);
    socket.send(messageOf('unsubscribe', channel));
  }

  /** Ends and begins one stream of an account. */
  function rejoin(session: Session, name: (typeof ACCOUNT_STREAMS)[number][0]): void {
    if (followed.get(session.accountIndex) !== session) return;
    const channel = `${name}/${session.accountIndex}`;
    budget.count(MESSAGES, 2);
    socket.unsubscribe(channel, messageOf('unsubscribe', channel));
    socket.subscribe(channel, () => messageOf('subscribe', channel));
  }

  function renewLater(session: Session): void {
    renewals.set(
      session.accountIndex,
      clock.after(RENEW_MS, () => {
        session.books.forget();
        part(session);
        join(session);
        options.onGap(session);
        renewLater(session);
      }),
    );
  }

  subscriptions.want('market_stats/all', () => messageOf('subscribe', 'market_stats/all'), true);

  return {
    start: () => socket.start(),
    followBest(markets) {
      const wanted = new Set(markets.slice(0, MOST_TICKERS));
      for (const one of [...tickers]) {
        if (wanted.has(one)) continue;
        tickers.delete(one);
        leave(`${TICKER}${one}`);
      }
      for (const one of wanted) {
        if (tickers.has(one)) continue;
        tickers.add(one);
        const channel = `${TICKER}${one}`;
        subscriptions.want(channel, () => messageOf('subscribe', channel), false);
      }
    },
    followAccount(session) {
      followed.set(session.accountIndex, session);
      join(session);
      renewals.get(session.accountIndex)?.();
      renewLater(session);
    },
    leaveAccount(session) {
      if (followed.get(session.accountIndex) !== session) return;
      followed.delete(session.accountIndex);
      renewals.get(session.accountIndex)?.();
      renewals.delete(session.accountIndex);
      part(session);
    },
    book: (market, wanted) => books.read(market, wanted),
    async askTime() {
      budget.count(MESSAGES, 2);
      if (hearTime !== null || !subscriptions.askOnce('height', messageOf('subscribe', 'height')))
        return null;
      let cancel = () => {};
      const time = await new Promise<number | null>((resolve) => {
        cancel = clock.after(TIME_WITHIN_MS, () => resolve(null));
        hearTime = resolve;
      });
      hearTime = null;
      cancel();
      socket.send(messageOf('unsubscribe', 'height'));
      return time;
    },
    reconnect: (reason) => socket.reconnect(reason),
    close() {
      books.forget();
      subscriptions.end();
      hearTime?.(null);
      for (const cancel of renewals.values()) cancel();
      budget.removeBucket(MESSAGES);
      socket.close();
    },
    get up() {
      return socket.up && isPriced;
    },
    get generation() {
      return socket.generation;
    },
  };
}

function messageOf(
  type: 'subscribe' | 'unsubscribe',
  channel: string,
  auth: { readonly auth?: string } = {},
): string {
  return JSON.stringify({ type, channel, ...auth });
}
