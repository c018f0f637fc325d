/** The one WebSocket to Hyperliquid: prices of all instruments, and events of the accounts. */
import type { Clock, Logger } from '../../../engine/ports/system.ts';
import { createVenueSocket, type VenueSocket } from '../kit/socket.ts';
import type { NoteUnread } from '../kit/unread-log.ts';
import { check, readJson } from '../kit/wire.ts';
import { wordsOf } from '../kit/words.ts';
import type { MarketData } from './market-data.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

const PING_MS = 20_000;
const SILENCE_MS = 35_000;
/**
 * Longest time without marks, which come every few seconds, on a socket with other messages; then it is replaced. If
 * that does not help, the next time is three times as long, because every connection costs readings of the accounts.
 */
const NO_MARKS_MS = 40_000;
const MOST_IN_VAIN = 2;
/** Share of the venue's 1,000 subscriptions; the rest is for accounts. */
const MOST_BEST_PRICES = 900;
const BEST = '{"channel":"bbo","data":';
const LEVEL = '(?:null|\\{"px":"(\\d{1,20}(?:\\.\\d{1,20})?)","sz":"[\\d.]{1,40}","n":\\d{1,10}\\})';
/** A whole message of best prices as the venue writes them, which takes a fifth of the time of parsing it as JSON. */
const BEST_PRICES = new RegExp(
  `^\\{"channel":"bbo","data":\\{"coin":"([\\w:@/-]{1,64})","time":\\d{1,16},"bbo":\\[${LEVEL},${LEVEL}\\]\\}\\}$`,
);

export interface Streams {
  start(): void;
  /** Follows best bid and ask of exactly these coins from now on. */
  followBest(coins: readonly string[]): void;
  followAccount(session: Session): void;
  leaveAccount(session: Session): void;
  reconnect(reason: string): void;
  close(): void;
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
  readonly sessionOf: (user: string) => Session | undefined;
  /** `isFirst`: nothing can have been missed. */
  readonly onUp: (isFirst: boolean) => void;
  readonly onDown: (reason: string) => void;
  /** Called with the number of instruments that the venue sends. */
  readonly onCount: (count: number) => void;
  readonly ca?: string;
}): Streams {
  const { logger, note, market, sessionOf } = options;
  let ups = 0;
  let stopWaiting = () => {};
  /** Replaced connections in a row that brought no marks. */
  let inVain = 0;

  const socket: VenueSocket = createVenueSocket({
    url: () => options.url,
    clock: options.clock,
    pingMs: PING_MS,
    pingText: () => '{"method":"ping"}',
    silenceMs: SILENCE_MS,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    onUp: () => {
      ups += 1;
      awaitMarks();
      options.onUp(ups === 1);
    },
    onDown: (reason) => {
      stopWaiting();
      options.onDown(reason);
    },
    onFailure: options.onDown,
    onMessage: (text) => take(text),
    onFault: (error) => logger.error({ err: error }, 'a message of Hyperliquid was not taken'),
  });

  function awaitMarks(): void {
    stopWaiting();
    stopWaiting = options.clock.after(NO_MARKS_MS * 3 ** inVain, () => {
      inVain = Math.min(inVain + 1, MOST_IN_VAIN);
      socket.reconnect('no marks');
    });
  }

  function take(text: string): void {
    // Best prices are most of the messages, so they take a short way: their prices are strings on the wire.
    const [, coin, bid = null, ask = null] = BEST_PRICES.exec(text) ?? [];
    if (coin !== undefined) {
      market.takeBest(coin, bid, ask);
      return;
    }
    if (text.startsWith(BEST) && takeBest(text)) return;
    const json = readJson(text);
    if (!json.ok) {
      note('a message', json.error.message);
      return;
    }
    const { channel, data } = Object(json.value) as { readonly channel?: unknown; readonly data?: unknown };
    if (channel === 'allDexsAssetCtxs') {
      inVain = 0;
      awaitMarks();
      takeContexts(data);
    } else if (channel === 'bbo') takeBest(text);
    else if (channel === 'userFills') takeFills(data);
    else if (channel === 'userFundings') takePayments(data);
    else if (channel === 'orderUpdates') takeOrders(data);
    else if (channel === 'error')
      logger.warn({ reason: wordsOf(typeof data === 'string' ? data : '') }, 'Hyperliquid refuses a stream');
  }

  // The first message about fills and payments holds past ones, which the history has too; an account may have years of
  // them.
  function takeFills(data: unknown): void {
    const news = check(wire.fillNews, data);
    if (!news.ok) {
      missAll('userFills', news.error.message);
      return;
    }
    const { user, isSnapshot, fills } = news.value;
    const session = sessionOf(user);
    if (session === undefined) return;
    session.heard = true;
    if (isSnapshot === true) return;
    session.takeFills(fills.items);
    if (fills.unread.length > 0) miss(session, 'userFills', fills.unread.length);
  }

  function takePayments(data: unknown): void {
    const news = check(wire.fundingNews, data);
    if (!news.ok) {
      missAll('userFundings', news.error.message);
      return;
    }
    const { user, isSnapshot, fundings } = news.value;
    const session = sessionOf(user);
    if (session === undefined || isSnapshot === true) return;
    session.takePayments(fundings.items);
    if (fundings.unread.length > 0) miss(session, 'userFundings', fundings.unread.length);
  }

  /** The history has the entries that the stream lacks. */
  function miss(session: Session, what: string, count: number): void {
    note(what, 'entries are not as described', count);
    session.missed();
  }

  /** The same for a message that names no account. */
  function missAll(what: string, reason: string): void {
    note(what, reason);
    for (const session of followed.values()) session.missed();
  }

  function takeContexts(data: unknown): void {
    const told = check(wire.contextsNews, data);
    if (!told.ok) {
      note('allDexsAssetCtxs', told.error.message);
      return;
    }
    // The exchange without a name is the venue's own. The others are ignored.
    const named = told.value.ctxs.items.find(([name]) => name === '');
    const own = named === undefined ? null : check(wire.contexts, named[1]);
    if (own === null) return;
    if (!own.ok) {
      note('allDexsAssetCtxs', own.error.message);
      return;
    }
    const unread = own.value.filter((context) => context === null).length;
    if (unread > 0) note('contexts of instruments', 'entries are not as described', unread);
    market.takeContexts(own.value);
    options.onCount(own.value.length);
  }

  /** Updates name no account: each order is its session's that knows it, or of the only account. */
  function takeOrders(data: unknown): void {
    const told = check(wire.orderNews, data);
    if (!told.ok) {
      note('orderUpdates', told.error.message);
      return;
    }
    // Orders whose update is missing are looked up.
    const { items, unread } = told.value;
    if (unread.length > 0) note('orderUpdates', 'entries are not as described', unread.length);
    for (const session of followed.values()) {
      const own = items.filter(({ order }) => session.expects(order.cloid ?? null));
      session.takeOrders(followed.size === 1 ? items : own);
    }
  }

  function takeBest(text: string): boolean {
    const { data } = JSON.parse(text) as BestMessage;
    const [bid, ask] = data?.bbo ?? [];
    if (typeof data?.coin !== 'string' || !isPrice(bid) || !isPrice(ask)) return false;
    market.takeBest(data.coin, bid?.px ?? null, ask?.px ?? null);
    return true;
  }

  const followed = new Map<string, Session>();
  const best = new Set<string>();
  const account = (session: Session) =>
    ['orderUpdates', 'userFills', 'userFundings'].map(
      (type) => [`${type} ${session.user}`, { type, user: session.user }] as const,
    );
  const message = (method: string, subscription: object) => JSON.stringify({ method, subscription });
  socket.subscribe('contexts', () => message('subscribe', { type: 'allDexsAssetCtxs' }));

  return {
    start: () => socket.start(),
    followBest(coins) {
      const wanted = new Set(coins.slice(0, MOST_BEST_PRICES));
      for (const coin of [...best]) {
        if (wanted.has(coin)) continue;
        best.delete(coin);
        socket.unsubscribe(`bbo ${coin}`, message('unsubscribe', { type: 'bbo', coin }));
      }
      for (const coin of wanted) {
        if (best.has(coin)) continue;
        best.add(coin);
        socket.subscribe(`bbo ${coin}`, () => message('subscribe', { type: 'bbo', coin }));
      }
    },
    followAccount(session) {
      followed.set(session.user, session);
      for (const [key, subscription] of account(session))
        socket.subscribe(key, () => message('subscribe', subscription));
    },
    leaveAccount(session) {
      followed.delete(session.user);
      for (const [key, subscription] of account(session))
        socket.unsubscribe(key, message('unsubscribe', subscription));
    },
    reconnect: (reason) => socket.reconnect(reason),
    close() {
      stopWaiting();
      socket.close();
    },
    get up() {
      return socket.up;
    },
    get generation() {
      return socket.generation;
    },
  };
}

interface BestMessage {
  readonly data?: {
    readonly coin?: unknown;
    readonly bbo?: readonly ({ readonly px: string } | null | undefined)[];
  };
}

function isPrice(level: { readonly px: unknown } | null | undefined): boolean {
  return (
    level === null ||
    level === undefined ||
    (typeof level.px === 'string' && /^\d{1,20}(\.\d{1,20})?$/.test(level.px))
  );
}
