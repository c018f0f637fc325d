/** Open positions, by id and by basket. Closed ones are read from the store. */
import type { BracketRecord } from '../../domain/bracket-rounds.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { Position } from '../../domain/model.ts';

export class OpenPositions {
  readonly #byId = new Map<string, Position>();
  readonly #byBasket = new Map<string, string>();
  /** Serialises read-change-commit of one position. */
  readonly queue = new KeyedQueue();
  /** Take-profit and stop-loss of a position that have not ended; the triggers' services set this function. */
  bracketsOf: (positionId: string) => readonly BracketRecord[] = () => [];

  get(id: string): Position | undefined {
    return this.#byId.get(id);
  }

  ofBasket(tradeAccountId: string, basketKey: string): Position | undefined {
    const id = this.#byBasket.get(basketId(tradeAccountId, basketKey));
    return id === undefined ? undefined : this.#byId.get(id);
  }

  of(tradeAccountId: string): readonly Position[] {
    return [...this.#byId.values()].filter((position) => position.tradeAccountId === tradeAccountId);
  }

  /** Takes in a position as it is on disk; a closed one is forgotten. */
  put(position: Position): void {
    const key = basketId(position.tradeAccountId, position.basketKey);
    if (position.status === 'OPEN') {
      this.#byId.set(position.id, position);
      this.#byBasket.set(key, position.id);
    } else {
      this.#byId.delete(position.id);
      if (this.#byBasket.get(key) === position.id) this.#byBasket.delete(key);
    }
  }
}

export function basketId(tradeAccountId: string, basketKey: string): string {
  return `${tradeAccountId} ${basketKey}`;
}
