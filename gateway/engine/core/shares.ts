/** Shares of a holder that may only touch its own, and their consequences for its orders. */
import type { Placed } from '../../domain/authority.ts';
import { type Decimal, type DecimalString, dec, sum, text } from '../../domain/decimal.ts';
import { asksToLoosen } from '../../domain/mandate-judgement.ts';
import type { Execution, Position, PositionLeg, TradeAccount } from '../../domain/model.ts';
import type { Owned } from '../../domain/ownership.ts';
import type { BoundMandate, MandateBook } from '../ports/mandate-book.ts';
import type { ActsOn, Asked } from './asked.ts';
import { keysOf } from './holder-usage.ts';
import type { Holdings } from './holdings.ts';
import type { LiveState } from './live-state.ts';

interface ShareDeps {
  readonly book: Pick<MandateBook, 'of'>;
  readonly state: Pick<LiveState, 'positions' | 'leverage' | 'unassigned'>;
  readonly holdings: Holdings;
}

export class Shares {
  readonly #deps: ShareDeps;

  constructor(deps: ShareDeps) {
    this.#deps = deps;
  }

  /** Part of the holder in all that something acts on. ALL also where nothing is held. */
  owned(bound: BoundMandate, { id }: Pick<TradeAccount, 'id'>, actsOn: ActsOn | null = null): Owned {
    if (actsOn === null) return 'ALL';
    const keys = keysOf(bound);
    const { holdings, state } = this.#deps;
    if ('position' in actsOn) return holdings.ownership(keys, actsOn.position);
    const owned = holdings.ownershipOf(keys, state.positions.of(id), actsOn.symbol);
    // Holdings in no basket are the user's.
    return owned === 'ALL' && state.unassigned.of(id, actsOn.symbol).length > 0 ? 'PART' : owned;
  }

  /** The same of what an order acts on, together with what it is margined with. */
  askedOf(bound: BoundMandate, { account, actsOn, effect, trades }: Asked): Owned {
    const owned = this.owned(bound, account, actsOn);
    if (owned !== 'ALL' || effect !== 'OPENS' || bound.mandate.manage !== 'OWN') return owned;
    const { leverage } = this.#deps.state;
    // The venue margins an isolated instrument as one: what is opened and closed again takes margin of others with it.
    for (const { legs } of trades)
      for (const { symbol } of legs) {
        if (leverage.get(account.id, symbol)?.marginMode !== 'isolated') continue;
        const part = this.owned(bound, account, { symbol });
        if (part !== 'ALL') return part;
      }
    return 'ALL';
  }

  /** True: the account holds some of an instrument, in baskets or past them. */
  isHeld({ id }: Pick<TradeAccount, 'id'>, symbol: string): boolean {
    const { positions, unassigned } = this.#deps.state;
    const inBaskets = positions.of(id).some(({ legs }) => legs.some((leg) => leg.symbol === symbol));
    return inBaskets || unassigned.of(id, symbol).length > 0;
  }

  /**
   * Base units of a leg that an execution may close; null: no mandate limits it to a share. Brackets are the position's, and
   * close all of it. What was placed before its holder had a mandate, and so has no share, is not limited.
   */
  closableBy(execution: Execution, positionId: string, symbol: string): Decimal | null {
    const { book, holdings } = this.#deps;
    const bound = execution.origin === 'BRACKET' ? null : book.of(execution);
    if (bound === null || bound.mandate.manage !== 'OWN') return null;
    const keys = keysOf(bound);
    return holdings.isHeldBy(keys, positionId) ? holdings.shareOf(keys, positionId, symbol) : null;
  }

  /** True: the holder's orders loosen protection unasked, as nobody is asked about it and it is not suspended. */
  mayLoosen(placed: Placed): boolean {
    const bound = this.#deps.book.of(placed);
    return bound === null || (bound.suspended === null && !asksToLoosen(bound.mandate));
  }

  /**
   * True: what the holder trades moves the stop-loss of a position no further away, as a person is asked about less protection,
   * or some of the position is not the holder's. @param position null: the order opens one
   */
  keepsStopNear(placed: Placed, position: Position | null): boolean {
    const bound = this.#deps.book.of(placed);
    if (bound === null || position === null) return false;
    if (!this.mayLoosen(placed)) return true;
    return bound.mandate.manage === 'OWN' && !this.#isWhole(bound, position);
  }

  /** True: some of a position is not the holder's, and what the holder trades leaves its weights as they were asked for. */
  isGuest(placed: Placed, position: Position): boolean {
    const bound = this.#deps.book.of(placed);
    return bound !== null && this.keepsStopNear(placed, position) && !this.#isWhole(bound, position);
  }

  /** Base units of a leg that no guest holds. */
  withoutGuests(
    position: Position,
    { symbol, quantity }: Pick<PositionLeg, 'symbol' | 'quantity'>,
  ): DecimalString {
    const guests = this.#deps.holdings.of(position.id).filter((row) => {
      const placed = { authorityKind: row.holderKind, authorityId: row.holderId };
      return row.symbol === symbol && row.quantity !== '0' && this.isGuest(placed, position);
    });
    if (guests.length === 0) return quantity;
    const left = dec(quantity).minus(sum(guests.map((row) => dec(row.quantity))));
    return left.isNegative() ? '0' : text(left);
  }

  #isWhole(bound: BoundMandate, position: Position): boolean {
    return this.#deps.holdings.ownership(keysOf(bound), position) === 'ALL';
  }
}
