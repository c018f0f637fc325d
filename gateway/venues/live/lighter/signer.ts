/** A key of an account with its nonces and its tokens. */
import type { z } from 'zod';
import type { Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { Lane } from '../kit/budget.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import type { Keys } from './access.ts';
import type { Ask, Client, LighterError, SendAnswer } from './client.ts';
import { createNonceQueue, type NonceQueue, type Nonces, type NonceUse } from './nonces.ts';
import { authToken, type LighterKey, type LighterTx, signTransaction } from './signing/signing.ts';
import { nextNonce } from './wire.ts';

/** The venue takes tokens of up to 8 hours; they are renewed well before. */
const TOKEN_S = 8 * 3_600;
const RENEW_S = 6 * 3_600;
/** Clock error, in seconds, up to which a token is not too long. */
const TOKEN_ROOM_S = 300;
const REFUSED_TOKEN = 20_013;

/** A transaction before it is signed: the signer adds account, key and nonce. */
export type UnsignedTx = LighterTx extends infer T
  ? T extends LighterTx
    ? Omit<T, 'accountIndex' | 'apiKeyIndex' | 'nonce'>
    : never
  : never;

/** @see SendAnswer; `firstNonce` of those that were signed last, null: nothing was signed */
export type SignedAnswer = SendAnswer & { readonly firstNonce: number | null };

export interface Signer {
  readonly accountIndex: number;
  readonly apiKeyIndex: number;
  readonly key: LighterKey;
  readonly nonces: NonceQueue;
  /** Token for readings of the account, which is never logged. */
  token(): string;
  /** Sends a request with the token; if the venue refuses the token, once more with a new one. */
  get<S extends z.ZodType>(ask: Omit<Ask, 'auth'>, schema: S): Promise<Result<z.output<S>, LighterError>>;
  /**
   * Signs with the next nonces and sends. If the venue refuses the nonces, it is asked for the next one and gets the
   * same transactions once more.
   * @param until epoch ms of this machine's clock after which nothing is sent any more
   */
  send(lane: Lane, until: number, transactions: readonly UnsignedTx[]): Promise<SignedAnswer>;
}

export interface SignerDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly chainId: number;
}

/** One queue for each key, for all its signers. */
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

/** @param onRefused the venue takes no token of the key */
export function createSigner(
  deps: SignerDeps,
  keys: Keys,
  nonces: NonceQueue,
  onRefused: (message: string) => void = () => {},
): Signer {
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
  ): Promise<SignedAnswer> {
    const taken: { nonces: Nonces | null } = { nonces: null };
    const answer = await client.send(lane, transactions.length, until, async () => {
      const given = await nonces.take(transactions.length, lane);
      if (given === null) return null;
      taken.nonces = given;
      // Asking which nonce is next may have taken its time.
      if (clock.now() >= until) return null;
      return transactions.map((tx, index) =>
        signTransaction(key, chainId, { ...tx, accountIndex, apiKeyIndex, nonce: given.first + index }),
      );
    });
    taken.nonces?.done(fateOf(answer));
    return { ...answer, firstNonce: taken.nonces?.first ?? null };
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
      const again = await client.get({ ...ask, auth: tokenNow() }, schema);
      if (!again.ok && again.error.code === REFUSED_TOKEN) onRefused(again.error.message);
      return again;
    },
    async send(lane, until, transactions) {
      const answer = await sendOnce(lane, until, transactions);
      const isNonce = answer.kind === 'refused' && answer.refusal.kind === 'nonce';
      if (!isNonce || clock.now() >= until) return answer;
      return sendOnce(lane, until, transactions);
    },
  };
}

/** The API's refusals leave nonces unused, except that of a wrong nonce. */
function fateOf(answer: SendAnswer): NonceUse {
  if (answer.kind === 'taken') return 'used';
  if (answer.kind === 'not_sent') return 'free';
  return answer.kind === 'refused' && answer.refusal.kind !== 'nonce' ? 'free' : 'doubtful';
}
