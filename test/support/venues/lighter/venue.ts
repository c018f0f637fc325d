/** The venue as its routes and sockets see it. */
import type { Account } from './state/accounts.ts';
import { invalidAuth, invalidParam, type Refusal } from './state/refusals.ts';
import { Sequencer } from './state/sequencer.ts';
import type { World } from './state/world.ts';
import { readToken } from './wire/auth-token.ts';

const LONGEST_S = 8 * 3600;
const EMPTY = 'auth query param and Authorization header are empty';

export class Venue {
  readonly world: World;
  readonly sequencer: Sequencer;
  /** Longest validity of a token for reading that an account's key signs, seconds. */
  readonly longestTokenS = LONGEST_S;

  constructor(world: World) {
    this.world = world;
    this.sequencer = new Sequencer(world);
  }

  /** The account that a token lets its bearer read; `mayAct`: a token of the list of tokens is not enough. */
  authorised(account: number, token: string | null, mayAct = false): Account | Refusal {
    if (token === null || token === '') return invalidParam(EMPTY);
    const asked = this.world.find(account);
    if (token.startsWith('ro:')) return this.#byApiToken(asked, token, mayAct);
    const read = readToken(token);
    if (read === null) return invalidAuth('invalid auth string');
    const nowS = this.world.now() / 1000;
    if (read.deadline <= nowS || read.deadline > nowS + LONGEST_S) return invalidAuth('invalid deadline');
    const key = this.world.find(read.account)?.keys.get(read.apiKey);
    if (key === undefined) return invalidAuth("couldn't find account api key for auth string");
    if (!read.isSignedBy(Buffer.from(key.publicKey, 'hex'))) return invalidAuth('invalid signature');
    if (asked === undefined || read.account !== account) return invalidAuth('account mismatch');
    return asked;
  }

  /** Account of a token without looking at what it signs; null: it names none. */
  accountOf(token: string | null): number | null {
    return readToken(token ?? '')?.account ?? null;
  }

  #byApiToken(asked: Account | undefined, token: string, mayAct: boolean): Account | Refusal {
    const owner = this.world.accounts().find(({ tokens }) => tokens.some((one) => one.token === token));
    const known = owner?.tokens.find((one) => one.token === token);
    if (mayAct || owner === undefined || known === undefined) return invalidAuth('invalid auth string');
    if (known.expiry <= this.world.now() / 1000) return invalidAuth('invalid deadline');
    const isOwn = asked === owner || (known.subAccounts && asked?.l1Address === owner.l1Address);
    return isOwn && asked !== undefined ? asked : invalidAuth('account mismatch');
  }
}

export function isRefusal(given: Account | Refusal): given is Refusal {
  return 'code' in given;
}
