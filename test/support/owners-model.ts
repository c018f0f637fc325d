/**
 * Owners' parts of a position, by the rule alone and in fractions of whole numbers: nothing is rounded, and nothing is
 * shared with the gateway's arithmetic.
 */

/** A fraction; `below` > 0. */
export interface Part {
  readonly above: bigint;
  readonly below: bigint;
}

export const NONE: Part = { above: 0n, below: 1n };

function common(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

function reducedTo(above: bigint, below: bigint): Part {
  const by = common(above, below);
  return { above: above / by, below: below / by };
}

export function part(text: string): Part {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) throw new Error(`not a decimal: ${text}`);
  const [, sign, whole = '0', decimals = ''] = found;
  const above = BigInt(whole + decimals);
  return reducedTo(sign === '-' ? -above : above, 10n ** BigInt(decimals.length));
}

export const plus = (a: Part, b: Part) => reducedTo(a.above * b.below + b.above * a.below, a.below * b.below);
export const minus = (a: Part, b: Part) => plus(a, { ...b, above: -b.above });
export const times = (a: Part, b: Part) => reducedTo(a.above * b.above, a.below * b.below);
export const over = (a: Part, b: Part) =>
  b.above < 0n
    ? reducedTo(-a.above * b.below, a.below * -b.above)
    : reducedTo(a.above * b.below, a.below * b.above);
export const isBelow = (a: Part, b: Part) => a.above * b.below < b.above * a.below;
const least = (a: Part, b: Part) => (isBelow(a, b) ? a : b);
export const isNone = ({ above }: Part) => above === 0n;

export interface Owned {
  readonly quantity: Part;
  readonly cost: Part;
  readonly realised: Part;
  readonly fees: Part;
  readonly funding: Part;
}

const NOTHING: Owned = { quantity: NONE, cost: NONE, realised: NONE, fees: NONE, funding: NONE };

/** One instrument of one position. */
export class OwnersModel {
  readonly #isLong: boolean;
  readonly #owners: readonly string[];
  readonly #owned = new Map<string, Owned>();

  /** @param owners everybody who can own, the user among them */
  constructor(isLong: boolean, owners: readonly string[]) {
    this.#isLong = isLong;
    this.#owners = owners;
  }

  of(owner: string): Owned {
    return this.#owned.get(owner) ?? NOTHING;
  }

  quantity(): Part {
    return this.#owners.reduce((all, owner) => plus(all, this.of(owner).quantity), NONE);
  }

  /** The owner that adds owns the added part, and pays for it. */
  add(owner: string, quantity: Part, price: Part, fee: Part): void {
    const before = this.of(owner);
    this.#owned.set(owner, {
      ...before,
      quantity: plus(before.quantity, quantity),
      cost: plus(before.cost, times(quantity, price)),
      fees: plus(before.fees, fee),
    });
  }

  /** The own share first, then everybody else's in proportion. @param owner null: nobody asked for it */
  reduce(owner: string | null, quantity: Part, price: Part, fee: Part): void {
    if (owner !== null) {
      const before = this.of(owner);
      this.#owned.set(owner, { ...before, fees: plus(before.fees, fee) });
    }
    const own = owner === null ? NONE : least(this.of(owner).quantity, quantity);
    const rest = minus(quantity, own);
    const others = this.#owners.filter((one) => one !== owner);
    const theirs = others.reduce((all, one) => plus(all, this.of(one).quantity), NONE);
    const shares = others.map((one) =>
      isNone(rest) ? NONE : over(times(rest, this.of(one).quantity), theirs),
    );
    if (owner !== null) this.#give(owner, own, price);
    others.forEach((one, index) => {
      this.#give(one, shares[index] ?? NONE, price);
    });
  }

  /** Everybody's, in proportion. @param paid positive: paid */
  fund(paid: Part): void {
    const all = this.quantity();
    if (isNone(all)) return;
    for (const owner of this.#owners) {
      const before = this.of(owner);
      const share = over(times(paid, before.quantity), all);
      this.#owned.set(owner, { ...before, funding: plus(before.funding, share) });
    }
  }

  #give(owner: string, quantity: Part, price: Part): void {
    if (isNone(quantity)) return;
    const before = this.of(owner);
    const cost = over(times(before.cost, quantity), before.quantity);
    const worth = times(quantity, price);
    const won = this.#isLong ? minus(worth, cost) : minus(cost, worth);
    this.#owned.set(owner, {
      ...before,
      quantity: minus(before.quantity, quantity),
      cost: minus(before.cost, cost),
      realised: plus(before.realised, won),
    });
  }
}
