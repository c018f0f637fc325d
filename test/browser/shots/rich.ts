/** An account that has months behind it, made once a gateway. */
import { makeRichAccount, type RichAccount } from '../../support/rich-account.ts';
import type { Proof, Shot, Stage, Step } from './shot.ts';

const made = new WeakMap<object, Promise<RichAccount>>();

export function rich({ gateway, bot }: Stage): Promise<RichAccount> {
  const known = made.get(gateway) ?? makeRichAccount(gateway, bot);
  made.set(gateway, known);
  return known;
}

/** A state of that account: `at` with the account before it. */
export function on(
  path: string | ((account: RichAccount) => string),
  name: string,
  proof: Proof,
  then: Step = async () => undefined,
  options: Pick<Shot, 'stands' | 'from' | 'clear'> = {},
): Shot {
  return {
    name,
    proof,
    async show(stage) {
      const account = await rich(stage);
      await stage.goTo(typeof path === 'string' ? path : path(account));
      await then(stage);
    },
    ...options,
  };
}
