/** A key of an account with what it needs to act: its nonces and its tokens. */
import type { z } from 'zod';
import type { Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { Lane } from '../kit/budget.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import type { Keys } from './access.ts';
import type { Ask, Client, LighterError, SendAnswer } from './client.ts';
import { createNonceQueue, type NonceQueue } from './nonces.ts';
import { authToken, type LighterKey, type LighterTx, signTransaction } from './signing/signing.ts';
import { nextNonce } from './wire.ts';

/** The venue takes tokens of up to 8 hours; they are renewed well before. */
const TOKEN_S = 8 * 3_600;
const RENEW_S = 6 * 3_600;
/** What a clock that is wrong by less must not make too long a token. */
const TOKEN_ROOM_S = 300;
const REFUSED_TOKEN = 20_013;

/** A transaction before it is signed: the signer adds account, key and nonce. */
export type UnsignedTx = LighterTx extends infer T
  ? T extends LighterTx
    ? Omit<T, 'accountIndex' | 'apiKeyIndex' | 'nonce'>
    : never
  : never;

export interface Signer {
  readonly accountIndex: number;
  readonly apiKeyIndex: number;
  readonly key: LighterKey;
  readonly nonces: NonceQueue;
  /** Token for readings of the account, which is never logged. */
  token(): string;
  /** Asks with the token; where the venue refuses the token, once more with a new one. */
  get<S extends z.ZodType>(ask: Omit<Ask, 'auth'>, schema: S): Promise<Result<z.output<S>, LighterError>>;
  /**
   * Signs with the next nonces and hands in; where the venue refuses the nonces it is asked for the next one and gets the
   * same transactions once more.
   * @param until epoch ms of this machine's clock after which nothing is sent any more
   */
  send(lane: Lane, until: number, transactions: readonly UnsignedTx[]): Promise<SendAnswer>;
}

export interface SignerDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly chainId: number;
}

/** One queue for each key, whoever signs with it. */
export type NonceQueues = (keys: Pick<Keys, 'accountIndex' | 'apiKeyIndex'>) => NonceQueue;

export function createNonceQueues(client: Pick<Client, 'get'>): NonceQueues {
  const queues = new Map<string, NonceQueue>();
  return ({ accountIndex, apiKeyIndex }) => {
    const name = `${accountIndex}:${apiKeyIndex}`;
    const known = queues.get(name);
    if (known !== undefined) return known;
    const made = createNonceQueue(async (lane) => {
      const query = { account_index: accountIndex, api_key_index: apiKeyIndex };
      const told = await client.get({ lane, path: '/api/v1/nextNonce', query }, nextNonce);
      return told.ok ? told.value.nonce : null;
    });
    queues.set(name, made);
    return made;
  };
}

export function createSigner(deps: SignerDeps, keys: Keys, nonces: NonceQueue): Signer {
  const { client, clock, venueClock, chainId } = deps;
  const { accountIndex, apiKeyIndex, key } = keys;
  let token: { readonly text: string; readonly madeAt: number } | null = null;
  const venueSeconds = () => Math.floor(venueClock.now() / 1_000);

  function tokenNow(): string {
    const now = venueSeconds();
    // A clock that was set back counts as well.
    if (token === null || Math.abs(now - token.madeAt) >= RENEW_S) {
      const deadline = now + TOKEN_S - TOKEN_ROOM_S;
      token = { text: authToken(key, { accountIndex, apiKeyIndex, deadline }), madeAt: now };
    }
    return token.text;
  }

  async function sendOnce(
    lane: Lane,
    until: number,
    transactions: readonly UnsignedTx[],
  ): Promise<SendAnswer> {
    let give: ((use: 'used' | 'free' | 'doubtful') => void) | null = null;
    const answer = await client.send(lane, transactions.length, until, async () => {
      const nonce = await nonces.take(transactions.length, lane);
      if (nonce === null) return null;
      give = nonce.done;
      if (clock.now() >= until) return null;
      return transactions.map((tx, index) =>
        signTransaction(key, chainId, { ...tx, accountIndex, apiKeyIndex, nonce: nonce.first + index }),
      );
    });
    const isNonce = answer.kind === 'refused' && answer.refusal.kind === 'nonce';
    const isFree = answer.kind === 'refused' || answer.kind === 'not_sent';
    (give as ((use: 'used' | 'free' | 'doubtful') => void) | null)?.(
      answer.kind === 'taken' ? 'used' : isFree && !isNonce ? 'free' : 'doubtful',
    );
    return answer;
  }

  return {
    accountIndex,
    apiKeyIndex,
    key,
    nonces,
    token() {
      return tokenNow();
    },
    async get(ask, schema) {
      const told = await client.get({ ...ask, auth: tokenNow() }, schema);
      if (told.ok || told.error.code !== REFUSED_TOKEN) return told;
      token = null;
      return client.get({ ...ask, auth: tokenNow() }, schema);
    },
    async send(lane, until, transactions) {
      const answer = await sendOnce(lane, until, transactions);
      const isNonce = answer.kind === 'refused' && answer.refusal.kind === 'nonce';
      if (!isNonce || clock.now() >= until) return answer;
      return sendOnce(lane, until, transactions);
    },
  };
}
