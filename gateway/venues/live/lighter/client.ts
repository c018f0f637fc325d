/**
 * Requests to Lighter within its limits: a standard account has 60 requests and 60 transactions a minute. Source:
 * apidocs.lighter.xyz, "Rate limits".
 */
import type { z } from 'zod';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { VenueError } from '../../../engine/ports/venue.ts';
import { type Budget, bucketOf, createBudget, type Lane } from '../kit/budget.ts';
import { type ChannelAnswer, createHttpChannel, type HttpChannel } from '../kit/http-channel.ts';
import { check, readJson } from '../kit/wire.ts';
import { sentenceOfStatus, wordsOf } from '../kit/words.ts';
import { type Refusal, refusalOf } from './refusals.ts';
import type { SignedTx } from './signing/signing.ts';
import { result, sent } from './wire.ts';

const REQUESTS = 'requests';
const TRANSACTIONS = 'transactions';
const PER_MINUTE = 60;
const WINDOW_MS = 60_000;
/** Share of each limit that new orders leave to closes and to questions about orders. */
const KEPT_FROM_OPENS = 0.3;
const READ_DEADLINE_MS = 10_000;
/** Default retry delay if the venue names none. */
const THROTTLED_MS = 10_000;
const LONGEST_BAN_MS = 10 * 60_000;
/** Shortest time between two requests after the venue has said "too many". */
const TOO_MANY_MS = 1_000;
const TOO_MANY_PENDING = 21_506;
const TOO_MANY = 23_000;
/** The venue's firewall answers an address with too many requests with HTML, and blocks it this long. */
const FIREWALL_STATUS = 405;
const FIREWALL_BAN_MS = 60_000;
const WRONG_NONCE = 21_104;
/** The venue's gateway refuses a nonce in words alone, without a code. */
const INVALID_NONCE = /\binvalid nonce\b/i;
/**
 * Share of a limit that can be taken at once; the rest comes back steadily. Baskets come together, while lookups come
 * all the time, and most of them after a start.
 */
const BURST = { [REQUESTS]: 0.4, [TRANSACTIONS]: 0.5 } as const;
/**
 * Longest wait of a request for its turn. A caller that gives up in the middle of a history, or of the readings that
 * resolve an unknown order, has spent what the next try needs.
 */
const patienceMs = (lane: Lane) => (lane === 'close' ? 8_000 : lane === 'lookup' ? 15_000 : 30_000);

/** Most transactions of one request. */
export const MOST_IN_BATCH = 15;

/** With the code of the venue's answer, if any, and the HTTP status of an answer that says nothing else. */
export type LighterError = VenueError & { readonly code?: number; readonly status?: number };

/** Result of transactions that were sent together. */
export type SendAnswer =
  /** The venue has them and will execute or refuse them; `hashes` in their order. */
  | { readonly kind: 'taken'; readonly hashes: readonly string[] }
  /** None was taken, and no nonce is used up. `retryAt`: epoch ms, where it was throttled. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly retryAt?: number }
  /** The venue cannot have them. `retryAt`: epoch ms. `wasSigned`: nonces were taken for them. */
  | {
      readonly kind: 'not_sent';
      readonly message: string;
      readonly retryAt: number;
      readonly wasSigned: boolean;
    }
  /** It may have them. */
  | { readonly kind: 'unknown'; readonly message: string };

export type Query = Readonly<Record<string, string | number | boolean>>;

export interface Ask {
  readonly lane: Lane;
  /** `/api/v1/…` */
  readonly path: string;
  /** A function is called in the request's turn within the rate limit, once for each sending. */
  readonly query?: Query | (() => Query);
  /** Token for data that only the account may read. It goes into a header, never into the address. */
  readonly auth?: string;
}

export interface Client {
  /** Never throws. A refusal by the venue is `rejected`, or `auth` where it refuses key or token; with its code. */
  get<S extends z.ZodType>(ask: Ask, schema: S): Promise<Result<z.output<S>, LighterError>>;
  /** Posts a form that is no transaction; as `get`. A repetition is another request to the venue. */
  post<S extends z.ZodType>(ask: Ask, form: Query, schema: S): Promise<Result<z.output<S>, LighterError>>;
  /**
   * Sends signed transactions, at most 15: one by `sendTx`, several by `sendTxBatch`.
   * @param size their number
   * @param until epoch ms of this machine's clock at which waiting for a turn ends
   * @param sign called in their turn, so that nonces leave in order; null: they cannot be signed now
   */
  send(
    lane: Lane,
    size: number,
    until: number,
    sign: () => Promise<readonly SignedTx[] | null>,
  ): Promise<SendAnswer>;
  /** Hears every question and its answer, without tokens and signatures, until the returned function is called. */
  record(listener: (question: string, answer: string) => void): () => void;
  /** Buckets `requests` and `transactions`. */
  readonly budget: Pick<Budget, 'take' | 'level'>;
  /** Epoch ms at which the venue will accept openings again after too many requests; null: it accepts them. */
  readonly opensAgainAt: () => number | null;
  /** True: less than a third is left of this machine's requests. */
  readonly isScarce: () => boolean;
  readonly channel: HttpChannel;
  close(): void;
}

type Answer = Extract<ChannelAnswer, { kind: 'answer' }>;

export function createClient(options: {
  readonly origin: string;
  readonly clock: Clock;
  /** Requests, and transactions, a minute. Default 60; an emulator may allow more. */
  readonly perMinute?: number;
  /** The venue takes nothing that opens until this time, epoch ms. */
  readonly onThrottled?: (until: number) => void;
  readonly ca?: string;
  readonly tap?: (bytes: Buffer) => void;
}): Client {
  const { origin, clock, ca, tap } = options;
  const budget = createBudget(clock);
  const sizeOf = (burst: number) => {
    const size = bucketOf(options.perMinute ?? PER_MINUTE, WINDOW_MS, burst);
    return { ...size, keptForCloses: size.capacity * KEPT_FROM_OPENS };
  };
  const [requests, transactions] = [sizeOf(BURST[REQUESTS]), sizeOf(BURST[TRANSACTIONS])];
  budget.addBucket(REQUESTS, requests);
  budget.addBucket(TRANSACTIONS, transactions);
  const channel = createHttpChannel({
    origin,
    clock,
    idleMs: 30_000,
    ...(ca === undefined ? {} : { ca }),
    ...(tap === undefined ? {} : { tap }),
  });
  const recorders = new Set<(question: string, answer: string) => void>();

  function tell(question: string, answer: ChannelAnswer): void {
    for (const recorder of recorders)
      recorder(question, answer.kind === 'answer' ? answer.body : answer.reason);
  }

  let opensAt = Number.NEGATIVE_INFINITY;
  /**
   * Empties the bucket: only the requests that come back from now on are left, for closes first.
   * @returns time of the retry, epoch ms
   */
  function hadTooMany(code: number, { status, headers }: Pick<Answer, 'status' | 'headers'>): number {
    const now = clock.now();
    // Transactions wait at the venue: it has not counted too many requests.
    if (code === TOO_MANY_PENDING) return now + TOO_MANY_MS;
    const seconds = Number(headers['retry-after'] ?? Number.NaN);
    const least = status === FIREWALL_STATUS ? FIREWALL_BAN_MS : 0;
    const ms = seconds >= 0 ? Math.min(seconds * 1_000, LONGEST_BAN_MS) : least;
    for (const name of [REQUESTS, TRANSACTIONS]) budget.observe(name, requests.limit);
    const askAt = now + Math.max(TOO_MANY_MS, ms);
    budget.ban(askAt);
    opensAt = Math.max(askAt, now + (transactions.keptForCloses / transactions.perSecond) * 1_000);
    options.onThrottled?.(opensAt);
    return askAt;
  }

  /** Body of an accepted answer, its refusal, or an unknown outcome. */
  function judge(
    answer: Answer,
  ):
    | { readonly kind: 'fine'; readonly json: unknown }
    | { readonly kind: 'refused'; readonly refusal: Refusal }
    | { readonly kind: 'unknown'; readonly message: string } {
    const json = readJson(answer.body);
    const told = json.ok ? check(result, json.value) : json;
    if (answer.status === FIREWALL_STATUS)
      return {
        kind: 'refused',
        refusal: refusalOf(TOO_MANY, 'the firewall of the venue holds this address'),
      };
    if (answer.status === 429)
      return {
        kind: 'refused',
        refusal: refusalOf(TOO_MANY, told.ok ? wordsOf(told.value.message ?? '') : ''),
      };
    if (answer.status !== 200 && answer.status !== 400)
      return { kind: 'unknown', message: sentenceOfStatus(answer.status) };
    if (!json.ok || !told.ok)
      return { kind: 'unknown', message: told.ok ? 'not JSON' : `its answer is ${told.error.message}` };
    const code = told.value.code ?? null;
    if (answer.status === 200 && (code === 200 || code === null)) return { kind: 'fine', json: json.value };
    if (answer.status === 400 && INVALID_NONCE.test(told.value.message ?? ''))
      return { kind: 'refused', refusal: refusalOf(WRONG_NONCE, wordsOf(told.value.message ?? '')) };
    // Without a code of the venue the cause of the refusal is unknown.
    if (code === null || code < 20_000) return { kind: 'unknown', message: sentenceOfStatus(answer.status) };
    return { kind: 'refused', refusal: refusalOf(code, wordsOf(told.value.message ?? '')) };
  }

  function errorOf(
    { kind, code, message }: Refusal,
    answer: Pick<Answer, 'status' | 'headers'>,
  ): LighterError {
    if (kind === 'throttled') return { kind: 'throttled', message, code, retryAt: hadTooMany(code, answer) };
    return { kind: kind === 'key' || kind === 'token' ? 'auth' : 'rejected', message, code };
  }

  async function ask<S extends z.ZodType>(
    { lane, path, query = {}, auth }: Ask,
    form: Query | null,
    schema: S,
  ): Promise<Result<z.output<S>, LighterError>> {
    const granted = await budget.take(lane, { [REQUESTS]: 1 }, clock.now() + patienceMs(lane));
    if (!granted.granted) {
      const retryAt = granted.retryAt ?? clock.now() + THROTTLED_MS;
      return fail({ kind: 'throttled', message: 'the rate limit leaves no room', retryAt });
    }
    const parameters = encode(typeof query === 'function' ? query() : query);
    const whole = parameters === '' ? path : `${path}?${parameters}`;
    const authorization: Record<string, string> = auth === undefined ? {} : { authorization: auth };
    const answer = await channel.call({
      path: whole,
      deadlineMs: READ_DEADLINE_MS,
      ...(form === null
        ? { method: 'GET', headers: authorization }
        : { method: 'POST', headers: { ...authorization, ...FORM }, body: encode(form) }),
    });
    tell(whole, answer);
    if (answer.kind !== 'answer') return fail({ kind: 'unknown', message: answer.reason });
    const judged = judge(answer);
    if (judged.kind === 'unknown') return fail({ ...judged, status: answer.status });
    if (judged.kind === 'refused') return fail(errorOf(judged.refusal, answer));
    const value = check(schema, judged.json);
    if (value.ok) return ok(value.value);
    return fail({ kind: 'unknown', message: `its answer to ${path} is ${value.error.message}` });
  }

  return {
    budget,
    opensAgainAt: () => (opensAt > clock.now() ? opensAt : null),
    isScarce: () => (budget.level(REQUESTS) ?? 0) < requests.capacity / 3,
    channel,
    record(listener) {
      recorders.add(listener);
      return () => recorders.delete(listener);
    },
    close: () => channel.close(),
    get: (question, schema) => ask(question, null, schema),
    post: ask,

    async send(lane, count, until, sign) {
      const granted = await budget.take(lane, { [TRANSACTIONS]: count }, until);
      if (!granted.granted) {
        const retryAt = granted.retryAt ?? clock.now() + THROTTLED_MS;
        return { kind: 'not_sent', message: 'the rate limit leaves no room', retryAt, wasSigned: false };
      }
      const signed = await sign();
      const soon = clock.now() + 250;
      if (signed === null) {
        const message = 'no nonce is known, so nothing was signed';
        return { kind: 'not_sent', message, retryAt: soon, wasSigned: false };
      }
      const [path, form] = formOf(signed);
      const answer = await channel.call({
        method: 'POST',
        path,
        headers: FORM,
        body: encode(form),
        deadlineMs: Math.max(1_000, until - clock.now()),
      });
      tell(`${path} ${signed.map(unsigned).join(' ')}`, answer);
      if (answer.kind === 'not_sent')
        return { kind: 'not_sent', message: answer.reason, retryAt: soon, wasSigned: true };
      if (answer.kind === 'unknown') return { kind: 'unknown', message: answer.reason };
      const judged = judge(answer);
      if (judged.kind === 'unknown') return judged;
      if (judged.kind === 'refused') {
        if (judged.refusal.kind !== 'throttled') return judged;
        return { ...judged, retryAt: hadTooMany(judged.refusal.code, answer) };
      }
      const told = check(sent, judged.json);
      // It is accepted all the same: we know the hashes ourselves.
      const hashes = told.ok ? [told.value.tx_hash].flat() : [];
      const own = signed.map(({ txHash }) => txHash);
      return { kind: 'taken', hashes: hashes.length === own.length ? hashes : own };
    },
  };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const;

function encode(fields: Query): string {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

function formOf(signed: readonly SignedTx[]): readonly [path: string, form: Query] {
  const [only] = signed;
  if (signed.length === 1 && only !== undefined)
    return ['/api/v1/sendTx', { tx_type: only.txType, tx_info: only.txInfo }];
  return [
    '/api/v1/sendTxBatch',
    {
      tx_types: JSON.stringify(signed.map(({ txType }) => txType)),
      tx_infos: JSON.stringify(signed.map(({ txInfo }) => txInfo)),
    },
  ];
}

/** A transaction for a transcript, without the proof of its sender. */
function unsigned({ txInfo }: SignedTx): string {
  return txInfo.replace(/"(Sig|L1Sig)":"[^"]*"/g, '"$1":""');
}
