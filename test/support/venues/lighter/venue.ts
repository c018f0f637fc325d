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

  constructor(world: World) {
    this.world = world;
    this.sequencer = new Sequencer(world);
  }

  /** The account that a token lets its bearer read. */
  authorised(account: number, token: string | null): Account | Refusal {
    if (token === null || token === '') return invalidParam(EMPTY);
    const asked = this.world.find(account);
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
}

export function isRefusal(given: Account | Refusal): given is Refusal {
  return 'code' in given;
}
