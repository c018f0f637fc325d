/** Open positions, by id and by basket. Closed ones are read from the store. */
import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import type { BracketRecord } from '../../domain/bracket-rounds.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { Position } from '../../domain/model.ts';

export class OpenPositions {
  readonly #byId = new Map<string, Position>();
  /** Account → basket key → position. Two keys, because a combined text would be hashed again for each order. */
  readonly #byBasket = new Map<string, Map<string, string>>();
  /** Serialises read-change-commit of one position. */
  readonly queue = new KeyedQueue();
  /** Take-profit and stop-loss of a position that have not ended; the triggers' services set this function. */
  bracketsOf: (positionId: string) => readonly BracketRecord[] = () => [];
  /** Rebalance configuration of a position that has not ended; the rebalancer sets this function. */
  rebalanceOf: (positionId: string) => AutoRebalance | undefined = () => undefined;

  get(id: string): Position | undefined {
    return this.#byId.get(id);
  }

  ofBasket(tradeAccountId: string, basketKey: string): Position | undefined {
    const id = this.#byBasket.get(tradeAccountId)?.get(basketKey);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  of(tradeAccountId: string): readonly Position[] {
    return [...this.#byId.values()].filter((position) => position.tradeAccountId === tradeAccountId);
  }

  /** Open positions, by account. Accounts without any are left out. */
  byAccount(): ReadonlyMap<string, readonly Position[]> {
    const all = new Map<string, Position[]>();
    for (const position of this.#byId.values()) {
      const own = all.get(position.tradeAccountId);
      if (own === undefined) all.set(position.tradeAccountId, [position]);
      else own.push(position);
    }
    return all;
  }

  /** Takes in a position as it is on disk; a closed one is forgotten. */
  put(position: Position): void {
    const { id, tradeAccountId, basketKey } = position;
    const baskets = this.#byBasket.get(tradeAccountId);
    if (position.status === 'OPEN') {
      this.#byId.set(id, position);
      if (baskets === undefined) this.#byBasket.set(tradeAccountId, new Map([[basketKey, id]]));
      else baskets.set(basketKey, id);
    } else {
      this.#byId.delete(id);
      if (baskets?.get(basketKey) === id) baskets.delete(basketKey);
    }
  }
}
