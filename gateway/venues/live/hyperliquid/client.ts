/**
 * Requests to Hyperliquid's two endpoints, within its limits: 1,200 of weight a minute for an address of the network, and
 * a number of requests for each account that grows with what it trades. Source of the weights: its documentation, page
 * "rate limits and user limits".
 */
import type { z } from 'zod';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock, Logger } from '../../../engine/ports/system.ts';
import type { VenueError } from '../../../engine/ports/venue.ts';
import { type Budget, bucketOf, createBudget, type Lane } from '../kit/budget.ts';
import { createHttpChannel, type HttpChannel } from '../kit/http-channel.ts';
import { read } from '../kit/wire.ts';
import { sentenceOfStatus } from '../kit/words.ts';
import { createRequestLimits, type RequestLimits } from './request-limits.ts';
import { requestLimit } from './wire.ts';

const IP = 'ip';
const IP_LIMIT = 1_200;
const IP_WINDOW_MS = 60_000;
/**
 * Maximum rows of answers that weigh one more for each twenty rows. The number of rows is known only afterwards. Gaps
 * of a stream are read without that weight, one request at a time, and paid for later. Histories that had to save for
 * 2,000 rows were not read while little weight was left: they kept all others waiting, and nobody learnt the outcome of
 * orders. The share of the orders can bear that much. If there is enough, and for requests that can wait, the weight of
 * all rows is taken before, and the unused part is given back.
 */
const MOST_ROWS: Readonly<Record<string, number>> = {
  userFills: 2_000,
  userFillsByTime: 2_000,
  historicalOrders: 2_000,
  userFunding: 500,
};
const weightOfRows = (rows: number) => Math.ceil(rows / 20);
/** Rows of a list as the venue sent it, with those that could not be read. */
const rowsIn = (list: unknown) =>
  list instanceof Object && 'length' in list && typeof list.length === 'number' ? list.length : 0;
/** Weights of requests; unnamed ones weigh 20. */
const LIGHT: Readonly<Record<string, number>> = {
  l2Book: 2,
  allMids: 2,
  clearinghouseState: 2,
  orderStatus: 2,
  spotClearinghouseState: 2,
  exchangeStatus: 2,
  userRole: 60,
};
const INFO_DEADLINE_MS = 10_000;
/** Longest wait for an estimate or a viewed book. */
const PREVIEW_DEADLINE_MS = 900;
const PREVIEWS_AT_ONCE = 8;
const LOOKS_AT_ONCE = 4;
const PREVIEW_IDLE_MS = 10_000;
/**
 * Longest wait of a request for its turn. Nobody trades on the answers of the slowest lane. A check of credentials that
 * gave up halfway would have spent what the next one needs, as would the readings that resolve an unknown order.
 */
const patienceMs = (lane: Lane, isList: boolean) =>
  ['history', 'recovery'].includes(lane) || (isList && lane !== 'lookup')
    ? 30_000
    : isOfBooks(lane)
      ? 500
      : 8_000;
const isOfBooks = (lane: Lane) => lane === 'preview' || lane === 'look';
/** Share of the weight at once that opening orders leave to closing ones, and that readings leave to all orders. */
const KEPT_FROM_OPENS = 0.1;
const KEPT_FROM_READINGS = 0.2;
/** Share of the weight at once below which readings are made less often. */
const SCARCE = 0.6;
/** Time after "too many requests" until openings are tried again. */
const OPENS_AGAIN_MS = 18_000;
/** Default retry delay, short enough that a closing order is tried twice more before it ends as not sent. */
const THROTTLED_MS = 4_000;
/** Shortest time between two requests after the venue has said "too many". */
const TOO_MANY_MS = 1_000;

/** Result of an action: the venue's answer, or whether the venue can have it. */
export type ActionAnswer =
  | { readonly kind: 'answer'; readonly body: string }
  | { readonly kind: 'not_sent'; readonly message: string; readonly retryAt: number }
  | { readonly kind: 'unknown'; readonly message: string };

export interface ActionSize {
  /** Orders or cancels in it. */
  readonly legs: number;
  /** Account whose request limit it uses; null: none that trades here. */
  readonly user: string | null;
}

export interface Client {
  /** Never throws. `throttled` and `unknown` are the errors. */
  info<S extends z.ZodType>(
    lane: Lane,
    question: { readonly type: string; readonly [field: string]: unknown },
    schema: S,
  ): Promise<Result<z.output<S>, VenueError>>;
  /**
   * Posts a signed action. `body` is asked for when its turn has come.
   * @param until epoch ms of this machine's clock at which waiting for a turn ends
   */
  exchange(
    lane: Lane,
    size: ActionSize,
    until: number,
    body: () => Promise<string | null>,
  ): Promise<ActionAnswer>;
  /** Hears every question and its answer until the returned function is called. */
  record(listener: (question: string, answer: string) => void): () => void;
  /** Weight of this machine's address, `ip`, and requests of each account. */
  readonly budget: Pick<Budget, 'take' | 'level'>;
  /** Epoch ms at which the venue will accept openings again after too many requests; null: it accepts them. */
  readonly opensAgainAt: () => number | null;
  /** True: less than 60 % is left of the weight that this machine may use at once. */
  readonly isScarce: () => boolean;
  readonly limits: Pick<RequestLimits, 'follow' | 'lacking' | 'shortage'>;
  readonly channel: HttpChannel;
  close(): void;
}

export function createClient(options: {
  readonly origin: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Weight that the venue allows a minute. Default 1,200; an emulator may allow more. */
  readonly weightPerMinute?: number;
  /** Called when the venue accepts no more requests until this time, epoch ms. */
  readonly onThrottled?: (until: number) => void;
  readonly ca?: string;
  readonly tap?: (bytes: Buffer) => void;
}): Client {
  const { origin, clock, ca, tap } = options;
  const budget = createBudget(clock);
  const perAddress = bucketOf(options.weightPerMinute ?? IP_LIMIT, IP_WINDOW_MS);
  const channel = createHttpChannel({
    origin,
    clock,
    idleMs: 30_000,
    keepWarm: {
      method: 'POST',
      path: '/info',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"exchangeStatus"}',
    },
    onKeptWarm: () => budget.giveBack(IP, -(LIGHT['exchangeStatus'] ?? 0)),
    ...(ca === undefined ? {} : { ca }),
    ...(tap === undefined ? {} : { tap }),
  });
  // Separate connections: estimates never take the open ones from orders, nor viewers from estimates.
  const channelOfBooks = (maxInFlight: number) =>
    createHttpChannel({
      ...{ origin, clock, idleMs: PREVIEW_IDLE_MS, maxInFlight },
      ...(ca === undefined ? {} : { ca }),
      ...(tap === undefined ? {} : { tap }),
    });
  const previews = channelOfBooks(PREVIEWS_AT_ONCE);
  const looks = channelOfBooks(LOOKS_AT_ONCE);
  const post = (path: '/info' | '/exchange', body: string, deadlineMs: number, by = channel) =>
    by.call({
      method: 'POST',
      path,
      isUrgent: path === '/exchange',
      headers: { 'content-type': 'application/json' },
      body,
      deadlineMs,
    });
  // One bucket for both: readings use the weight that orders leave.
  let opensAt = Number.NEGATIVE_INFINITY;
  budget.addBucket(IP, {
    ...perAddress,
    keptForCloses: perAddress.capacity * KEPT_FROM_OPENS,
    /** After "too many requests" it is saved up again bit by bit: lookups of orders come first, openings wait. */
    get keptForOrders() {
      const saved = Math.min(1, Math.max(0, (clock.now() - opensAt) / IP_WINDOW_MS));
      return perAddress.capacity * KEPT_FROM_READINGS * saved;
    },
  });
  /**
   * Empties the bucket, because the venue names no time: only weight that comes back is left, for closes first.
   * @returns time of the retry, epoch ms
   */
  const hadTooMany = () => {
    const now = clock.now();
    budget.observe(IP, perAddress.limit);
    budget.ban(now + TOO_MANY_MS);
    opensAt = now + OPENS_AGAIN_MS;
    options.onThrottled?.(opensAt);
    return now + TOO_MANY_MS;
  };

  const limits = createRequestLimits({
    budget,
    clock,
    ask: async (user) => {
      const told = await info('history', { type: 'userRateLimit', user }, requestLimit);
      return told.ok ? { used: told.value.nRequestsUsed, cap: told.value.nRequestsCap } : null;
    },
  });

  const recorders = new Set<(question: string, answer: string) => void>();
  const isScarce = () => (budget.level(IP) ?? 0) < perAddress.capacity * SCARCE;
  let payingLater: Promise<unknown> | null = null;
  const info: Client['info'] = async (lane, question, schema) => {
    const mostRows = MOST_ROWS[question.type];
    if (mostRows === undefined) return ask(lane, question, schema, null);
    // A lookup asks for the fills since its order was sent, which are few.
    if (lane === 'lookup') return ask(lane, question, schema, 0);
    if (lane !== 'recovery') return ask(lane, question, schema, mostRows);
    while (payingLater !== null) {
      if (!isScarce()) return ask(lane, question, schema, mostRows);
      await payingLater;
    }
    const asked = ask(lane, question, schema, 0);
    payingLater = asked.finally(() => {
      payingLater = null;
    });
    return asked;
  };

  /** @param paidBefore rows whose weight is taken before the answer; null: rows of this request have no weight */
  async function ask<S extends z.ZodType>(
    lane: Lane,
    question: { readonly type: string; readonly [field: string]: unknown },
    schema: S,
    paidBefore: number | null,
  ): Promise<Result<z.output<S>, VenueError>> {
    const ofRows = weightOfRows(paidBefore ?? 0);
    const weight = (LIGHT[question.type] ?? 20) + ofRows;
    const cost = { [IP]: weight };
    const granted = await budget.take(lane, cost, clock.now() + patienceMs(lane, paidBefore !== null));
    if (!granted.granted) {
      const retryAt = granted.retryAt ?? clock.now() + THROTTLED_MS;
      return fail({ kind: 'throttled', message: 'the rate limit leaves no room', retryAt });
    }
    const answer = await (isOfBooks(lane)
      ? post('/info', JSON.stringify(question), PREVIEW_DEADLINE_MS, lane === 'look' ? looks : previews)
      : post('/info', JSON.stringify(question), INFO_DEADLINE_MS));
    const value = answer.kind === 'answer' && answer.status === 200 ? read(schema, answer.body) : null;
    // A lost or refused answer brought no rows.
    if (paidBefore !== null)
      budget.giveBack(IP, ofRows - weightOfRows(value?.ok === true ? rowsIn(value.value) : 0));
    if (answer.kind !== 'answer') return fail({ kind: 'unknown', message: answer.reason });
    for (const tell of recorders) tell(JSON.stringify(question), answer.body);
    if (answer.status === 429)
      return fail({ kind: 'throttled', message: 'too many requests', retryAt: hadTooMany() });
    if (value === null) return fail({ kind: 'unknown', message: sentenceOfStatus(answer.status) });
    if (value.ok) return ok(value.value);
    return fail({ kind: 'unknown', message: `its answer to ${question.type} is ${value.error.message}` });
  }

  return {
    budget,
    opensAgainAt: () => (opensAt > clock.now() ? opensAt : null),
    isScarce,
    limits,
    channel,
    record(listener) {
      recorders.add(listener);
      return () => recorders.delete(listener);
    },
    close() {
      channel.close();
      previews.close();
      looks.close();
    },
    info,

    async exchange(lane, { legs, user }, until, body) {
      const weight = 1 + Math.floor(legs / 40);
      const cost = { [IP]: weight, ...limits.costOf(lane, user, legs) };
      const granted = await budget.take(lane, cost, until);
      if (!granted.granted) {
        if (user !== null) limits.lacking(user);
        const retryAt = granted.retryAt ?? clock.now() + THROTTLED_MS;
        return { kind: 'not_sent', message: 'the rate limit leaves no room', retryAt };
      }
      limits.sent(lane, user, legs);
      const text = await body();
      const soon = clock.now() + 250;
      if (text === null)
        return { kind: 'not_sent', message: 'no nonce could be kept, so nothing was signed', retryAt: soon };
      const answer = await post('/exchange', text, Math.max(1_000, until - clock.now()));
      if (recorders.size > 0) {
        const said = answer.kind === 'answer' ? answer.body : answer.reason;
        // The action alone: transcripts leave out the proof of its sender.
        for (const tell of recorders) tell(JSON.stringify(JSON.parse(text).action), said);
      }
      if (answer.kind === 'not_sent') return { kind: 'not_sent', message: answer.reason, retryAt: soon };
      if (answer.kind === 'unknown') return { kind: 'unknown', message: answer.reason };
      if (answer.status === 429)
        return { kind: 'not_sent', message: 'too many requests', retryAt: hadTooMany() };
      if (answer.status !== 200) return { kind: 'unknown', message: sentenceOfStatus(answer.status) };
      return { kind: 'answer', body: answer.body };
    },
  };
}
