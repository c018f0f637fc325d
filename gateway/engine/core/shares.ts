/** Shares of holders that may only touch their own holdings, and the effects on their orders. */
import type { Placed } from '../../domain/authority.ts';
import { type Decimal, type DecimalString, dec, sum, text } from '../../domain/decimal.ts';
import type { BrokenLimit } from '../../domain/mandate.ts';
import { asksAboutOrders, asksToLoosen, sharedProblem } from '../../domain/mandate-judgement.ts';
import type { Execution, Position, PositionLeg, TradeAccount } from '../../domain/model.ts';
import type { Owned } from '../../domain/ownership.ts';
import type { BoundMandate, MandateBook } from '../ports/mandate-book.ts';
import type { ActsOn, Asked, Loss } from './asked.ts';
import { isHis, keysOf } from './holder-usage.ts';
import type { Holdings } from './holdings.ts';
import type { LiveState } from './live-state.ts';

interface ShareDeps {
  readonly book: Pick<MandateBook, 'of'>;
  readonly state: Pick<LiveState, 'positions' | 'leverage' | 'unassigned' | 'underWay'>;
  readonly holdings: Holdings;
}

export class Shares {
  readonly #deps: ShareDeps;

  constructor(deps: ShareDeps) {
    this.#deps = deps;
  }

  /** Holder's part of the whole that a request acts on. ALL also if nothing is held. */
  owned(bound: BoundMandate, { id }: Pick<TradeAccount, 'id'>, actsOn: ActsOn | null = null): Owned {
    if (actsOn === null) return 'ALL';
    const keys = keysOf(bound);
    const { holdings, state } = this.#deps;
    if ('position' in actsOn) return holdings.ownership(keys, actsOn.position);
    const owned = holdings.ownershipOf(keys, state.positions.of(id), actsOn.symbol);
    if (owned !== 'ALL') return owned;
    // Holdings outside baskets belong to the user.
    const isShared =
      state.unassigned.of(id, actsOn.symbol).length > 0 ||
      state.underWay.of(id, actsOn.symbol).some((placed) => !isHis(bound, placed));
    return isShared ? 'PART' : 'ALL';
  }

  /** Holder's part of the target of an order, including its losses and everything that shares its isolated margin. */
  askedOf(bound: BoundMandate, { account, actsOn, effect, trades, loosens = [] }: Asked): Owned {
    if (!this.#ownsLost(bound, loosens)) return 'PART';
    const owned = this.owned(bound, account, actsOn);
    if (owned !== 'ALL' || effect !== 'OPENS' || bound.mandate.manage !== 'OWN') return owned;
    const { leverage } = this.#deps.state;
    // The venue margins an isolated instrument as one: opening and closing it takes margin from others' shares.
    for (const { legs } of trades)
      for (const { symbol } of legs) {
        if (leverage.get(account.id, symbol)?.marginMode !== 'isolated') continue;
        const part = this.owned(bound, account, { symbol });
        if (part !== 'ALL') return part;
      }
    return 'ALL';
  }

  /**
   * The request with its loss of others' isolated margin, where its holder may not take margin out: what it opens brings
   * the least margin, and closing it again takes a part of theirs out.
   */
  withMarginLosses(bound: BoundMandate, asked: Asked): Asked {
    const shared = this.marginSharedBy(bound, asked);
    if (shared.length === 0) return asked;
    const words = `Isolated margin of ${[...new Set(shared)].join(', ')} shared with what it opens`;
    return { ...asked, loosens: [...(asked.loosens ?? []), { words }] };
  }

  /** Instruments with isolated margin of others that an opening would share unasked. */
  marginSharedBy(
    bound: BoundMandate,
    { account, effect, trades }: Pick<Asked, 'account' | 'effect' | 'trades'>,
  ): readonly string[] {
    if (effect !== 'OPENS' || !asksToLoosen(bound.mandate)) return [];
    const { leverage } = this.#deps.state;
    return trades
      .flatMap(({ legs }) => legs.map(({ symbol }) => symbol))
      .filter((symbol) => leverage.get(account.id, symbol)?.marginMode === 'isolated')
      .filter((symbol) => this.owned(bound, account, { symbol }) !== 'ALL');
  }

  /**
   * Limit that a change of leverage breaks; null: none. A higher leverage brings the liquidation of what is held nearer:
   * of others' part, or of all of it where the user is asked about orders.
   */
  leverageProblem(bound: BoundMandate, account: TradeAccount, symbol: string): BrokenLimit | null {
    const shared = sharedProblem(bound.mandate, this.owned(bound, account, { symbol }));
    if (shared !== null || !asksAboutOrders(bound.mandate) || !this.isHeld(account, symbol)) return shared;
    return { limit: 'changeLeverage', allowed: null, used: null, asked: null };
  }

  /** True: the account holds some of the instrument, in baskets or outside them, or an order may open it. */
  isHeld({ id }: Pick<TradeAccount, 'id'>, symbol: string): boolean {
    const { positions, unassigned, underWay } = this.#deps.state;
    const inBaskets = positions.of(id).some(({ legs }) => legs.some((leg) => leg.symbol === symbol));
    return inBaskets || unassigned.of(id, symbol).length > 0 || underWay.of(id, symbol).length > 0;
  }

  /**
   * Base units of a leg that an execution may close; null: no mandate limits it to a share. One that no longer has the
   * account is limited as one that manages its own. Brackets belong to the position and close all of it. An order
   * placed before its holder had a mandate has no share and no limit.
   */
  closableBy(execution: Execution, positionId: string, symbol: string): Decimal | null {
    const { book, holdings } = this.#deps;
    const bound = execution.origin === 'BRACKET' ? null : book.of(execution);
    if (bound === null) return null;
    const { manage, accounts } = bound.mandate;
    if (manage === 'ALL' && accounts.includes(execution.tradeAccountId)) return null;
    const keys = keysOf(bound);
    return holdings.isHeldBy(keys, positionId) ? holdings.shareOf(keys, positionId, symbol) : null;
  }

  /**
   * Limit that making a position of the user's outside trades breaks; null: none. Added to an open one, or joined by a
   * waiting order, they change what brackets close, what rebalancing trades, and a hedge.
   */
  attributionProblem(placed: Placed): BrokenLimit | null {
    const bound = this.#deps.book.of(placed);
    if (bound?.mandate.manage === 'OWN') return { limit: 'manage', allowed: 'OWN', used: null, asked: 'ALL' };
    if (bound === null || this.mayLoosen(placed)) return null;
    return { limit: 'attributeTrades', allowed: null, used: null, asked: null };
  }

  /**
   * True: the holder's orders may loosen protection without approval, and the holder is not suspended.
   * @param lost what would be lost; default nothing that belongs to others
   */
  mayLoosen(placed: Placed, lost: readonly Loss[] = []): boolean {
    const bound = this.#deps.book.of(placed);
    if (bound === null) return true;
    if (bound.mandate.manage === 'OWN' && !this.#ownsLost(bound, lost)) return false;
    return bound.suspended === null && !asksToLoosen(bound.mandate);
  }

  /**
   * True: the holder has set all that would be lost. One that its user has set stays the user's, also once
   * the position is the holder's alone: the user may come back to it.
   */
  #ownsLost(bound: BoundMandate, lost: readonly Loss[]): boolean {
    return lost.every(({ owner }) => owner === undefined || isHis(bound, owner));
  }

  /**
   * True: the holder's trades must not move the stop-loss of a position further away, because less protection needs
   * approval or because others own part of the position. @param position null: the order opens one
   */
  keepsStopNear(placed: Placed, position: Position | null): boolean {
    const bound = this.#deps.book.of(placed);
    if (bound === null || position === null) return false;
    if (!this.mayLoosen(placed)) return true;
    return bound.mandate.manage === 'OWN' && !this.#isWhole(bound, position);
  }

  /** True: others own part of the position, and the holder's trades must keep its requested weights. */
  isGuest(placed: Placed, position: Position): boolean {
    const bound = this.#deps.book.of(placed);
    return bound !== null && this.keepsStopNear(placed, position) && !this.#isWhole(bound, position);
  }

  /** Base units of a leg that do not belong to a guest. */
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
