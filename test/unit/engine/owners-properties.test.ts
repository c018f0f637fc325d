/**
 * Owners' parts of a basket, whatever two agents, the user and the venue do to it: opened, added to, reduced,
 * rebalanced, reversed, liquidated, funded. Checked by a model with an arithmetic of its own.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Execution, Position, Side } from '../../../gateway/domain/model.ts';
import type { Holding } from '../../../gateway/domain/ownership.ts';
import { applyFills, applyFunding, newPosition } from '../../../gateway/domain/position.ts';
import { Holdings, keyOf } from '../../../gateway/engine/core/holdings.ts';
import { holderKey } from '../../../gateway/engine/core/mandate-usage.ts';
import { createIds } from '../../../gateway/system/ids.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { forAll, propertyRuns, weightedRecord } from '../../support/property-runs.ts';
import { execution } from '../../support/store-records.ts';
import { unwrap } from '../../support/unwrap.ts';

/** A fraction; `below` > 0. */
interface Part {
  readonly above: bigint;
  readonly below: bigint;
}

const NONE: Part = { above: 0n, below: 1n };

function common(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

function reducedTo(above: bigint, below: bigint): Part {
  const by = common(above, below);
  return { above: above / by, below: below / by };
}

function part(text: string): Part {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) throw new Error(`not a decimal: ${text}`);
  const [, sign, whole = '0', decimals = ''] = found;
  const above = BigInt(whole + decimals);
  return reducedTo(sign === '-' ? -above : above, 10n ** BigInt(decimals.length));
}

const plus = (a: Part, b: Part) => reducedTo(a.above * b.below + b.above * a.below, a.below * b.below);
const minus = (a: Part, b: Part) => plus(a, { ...b, above: -b.above });
const times = (a: Part, b: Part) => reducedTo(a.above * b.above, a.below * b.below);
const over = (a: Part, b: Part) =>
  b.above < 0n
    ? reducedTo(-a.above * b.below, a.below * -b.above)
    : reducedTo(a.above * b.below, a.below * b.above);
const isBelow = (a: Part, b: Part) => a.above * b.below < b.above * a.below;
const least = (a: Part, b: Part) => (isBelow(a, b) ? a : b);
const isNone = ({ above }: Part) => above === 0n;

interface Owned {
  readonly quantity: Part;
  readonly cost: Part;
  readonly realised: Part;
  readonly fees: Part;
  readonly funding: Part;
}

const NOTHING: Owned = { quantity: NONE, cost: NONE, realised: NONE, fees: NONE, funding: NONE };

/** One instrument of one position. */
class OwnersModel {
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

const RUNS = propertyRuns(150);
const SYMBOLS = ['AAA-PERP', 'BBB-PERP'] as const;
const AGENTS = ['one', 'two'] as const;
const OWNERS = [...AGENTS, 'user'] as const;
type Owner = (typeof OWNERS)[number];
/** Largest errors of sums of rounded parts: quantities are rounded at 10⁻¹⁸, amounts at 10⁻¹². */
const QUANTITY_SLACK = '0.000000000000001';
const USD_SLACK = '0.00000001';

const who = fc.constantFrom<Owner>(...OWNERS);
const quantity = fc.integer({ min: 1, max: 4_000 }).map((thousandths) => String(thousandths / 1_000));
const price = fc.integer({ min: 50, max: 20_000 }).map((cents) => (cents / 100).toFixed(2));
const fee = fc.integer({ min: -20, max: 300 }).map((cents) => (cents / 100).toFixed(2));
const leg = fc.nat(1);
const step = fc.oneof(
  weightedRecord(4, { kind: fc.constant('add' as const), who, leg, quantity, price, fee }),
  weightedRecord(4, { kind: fc.constant('reduce' as const), who, leg, quantity, price, fee }),
  weightedRecord(1, { kind: fc.constant('rebalance' as const), who, leg, quantity, price, fee }),
  weightedRecord(1, { kind: fc.constantFrom('reverse' as const, 'close' as const), who, price, fee }),
  weightedRecord(1, { kind: fc.constant('liquidate' as const), leg, quantity, price }),
  weightedRecord(1, { kind: fc.constant('fund' as const), leg, amount: fee }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function cause(by: Owner): Execution {
  return by === 'user'
    ? execution({ authorityKind: 'session', authorityId: 'user' })
    : execution({ authorityKind: 'oauth_grant', authorityId: by });
}

class World {
  readonly #clock = createFakeClock();
  readonly #ids = createIds(this.#clock);
  readonly #open = new Map<string, Position>();
  readonly holdings = new Holdings({
    clock: this.#clock,
    ids: this.#ids,
    book: { of: () => null },
    positions: { get: (id) => this.#open.get(id) },
  });
  #sides: readonly Side[] = ['BUY', 'SELL'];
  position: Position;
  models: readonly OwnersModel[];

  constructor() {
    [this.position, this.models] = this.#fresh();
  }

  #fresh(): [Position, readonly OwnersModel[]] {
    const legs = SYMBOLS.map((symbol, index) => ({
      symbol,
      side: this.#sides[index] ?? 'BUY',
      targetWeight: '0.5',
    }));
    const identity = { userId: 'user', tradeAccountId: 'account', connector: 'paper', basketKey: 'basket' };
    return [
      newPosition({ ...identity, id: this.#ids.next() }, legs, 0),
      this.#sides.map((side) => new OwnersModel(side === 'BUY', OWNERS)),
    ];
  }

  take(one: Step): void {
    switch (one.kind) {
      case 'add':
        this.#trade(one.who, one.leg, one, true);
        return;
      case 'reduce':
        this.#trade(one.who, one.leg, one, false);
        return;
      case 'rebalance':
        this.#trade(one.who, one.leg, one, false);
        this.#trade(one.who, 1 - one.leg, one, true);
        return;
      case 'liquidate':
        this.#trade(null, one.leg, { ...one, fee: '0' }, false);
        return;
      case 'close':
        this.#close(one.who, one);
        return;
      case 'reverse': {
        const held = this.position.legs.map((row) => row.quantity);
        this.#close(one.who, one);
        this.#sides = this.#sides.map((side) => (side === 'BUY' ? 'SELL' : 'BUY'));
        [this.position, this.models] = this.#fresh();
        held.forEach((amount, index) => {
          if (amount !== '0') this.#trade(one.who, index, { ...one, quantity: amount }, true);
        });
        return;
      }
      case 'fund': {
        const { symbol, quantity: held } = this.#leg(one.leg);
        if (held === '0') return;
        this.#become(applyFunding(this.position, symbol, one.amount, 0), null);
        this.models[one.leg]?.fund(part(one.amount.startsWith('-') ? one.amount.slice(1) : `-${one.amount}`));
      }
    }
  }

  #leg(index: number) {
    const found = this.position.legs[index];
    if (found === undefined) throw new Error(`no leg ${index}`);
    return found;
  }

  #close(by: Owner, how: { readonly price: string; readonly fee: string }): void {
    for (const index of [0, 1]) {
      const { quantity: held } = this.#leg(index);
      if (held !== '0') this.#trade(by, index, { ...how, quantity: held }, false);
    }
  }

  #trade(
    by: Owner | null,
    index: number,
    asked: { readonly quantity: string; readonly price: string; readonly fee: string },
    adds: boolean,
  ): void {
    if (adds && this.position.status === 'CLOSED') [this.position, this.models] = this.#fresh();
    const { symbol, side, quantity: held } = this.#leg(index);
    if (!adds && held === '0') return;
    const amount = !adds && Number(asked.quantity) > Number(held) ? held : asked.quantity;
    const opposite: Side = side === 'BUY' ? 'SELL' : 'BUY';
    const fill = {
      symbol,
      side: adds ? side : opposite,
      price: asked.price,
      quantity: amount,
      fee: asked.fee,
    };
    this.#become(unwrap(applyFills(this.position, [fill], 0)).position, by === null ? null : cause(by));
    const [size, at, paid] = [part(amount), part(asked.price), part(asked.fee)];
    if (adds && by !== null) this.models[index]?.add(by, size, at, paid);
    else this.models[index]?.reduce(by, size, at, paid);
  }

  #become(next: Position, by: Execution | null): void {
    const followUp = this.holdings.changed(next, by);
    this.last = followUp?.unit.holdings ?? [];
    followUp?.committed?.();
    this.position = next;
    if (next.status === 'CLOSED') this.#open.delete(next.id);
    else this.#open.set(next.id, next);
  }

  /** Rows that the last change has written. */
  last: readonly Holding[] = [];
}

const isNear = (text: string, wanted: Part, slack: string) => {
  const off = minus(part(text), wanted);
  const size = off.above < 0n ? { ...off, above: -off.above } : off;
  return !isBelow(part(slack), size);
};

describe('who owns what of a position', () => {
  it('is what a model says, and all owners add up to the position, whoever does what', () =>
    forAll([fc.array(step, { minLength: 1, maxLength: 25 })], RUNS, (steps) => {
      const world = new World();
      for (const one of steps) {
        world.take(one);
        const rows = world.position.status === 'CLOSED' ? world.last : world.holdings.of(world.position.id);
        world.position.legs.forEach(({ symbol, quantity: held }, index) => {
          const model = world.models[index];
          const own = rows.filter((row) => row.symbol === symbol);
          let left = part(held);
          for (const row of own) {
            const wanted = model?.of(row.holderId);
            if (wanted === undefined) throw new Error(`nobody knows ${row.holderId}`);
            const name = `${symbol} of ${row.holderId} after ${one.kind}`;
            expect(isNear(row.quantity, wanted.quantity, QUANTITY_SLACK), `${name}: quantity`).to.equal(true);
            for (const figure of ['cost', 'realised', 'fees', 'funding'] as const)
              expect(isNear(row[figure], wanted[figure], USD_SLACK), `${name}: ${figure}`).to.equal(true);
            expect(isBelow(part(row.quantity), part('0')), `${name}: below nothing`).to.equal(false);
            left = minus(left, part(row.quantity));
          }
          expect(isBelow(left, part('0')), `${symbol}: more is owned than held`).to.equal(false);
          for (const agent of AGENTS) {
            const share = world.holdings.shareOf([holderKey({ id: agent })], world.position.id, symbol);
            const row = own.find((one_) => keyOf(one_) === holderKey({ id: agent }));
            if (world.position.status === 'OPEN') expect(share.toFixed()).to.equal(row?.quantity ?? '0');
            if (row === undefined) expect(model?.of(agent).quantity.above).to.equal(0n);
          }
        });
      }
    }));
});
