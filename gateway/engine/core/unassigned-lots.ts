/** Lots that belong to no basket and are not used up, in memory. Never ahead of the disk. */
import { type HeldLot, isHeld, type UnassignedLot } from '../../domain/unassigned.ts';

export class UnassignedLots {
  /** Account and instrument → promise of the latest work on their lots. */
  readonly #tails = new Map<string, Promise<void>>();
  /** Account → instrument → fill → lot, oldest first. */
  readonly #lots = new Map<string, Map<string, Map<string, UnassignedLot>>>();

  /** Takes in lots as they are on disk; a lot with quantity 0 is forgotten. */
  put(lots: readonly UnassignedLot[]): void {
    for (const lot of lots) {
      const bySymbol = this.#lots.get(lot.tradeAccountId) ?? new Map<string, Map<string, UnassignedLot>>();
      this.#lots.set(lot.tradeAccountId, bySymbol);
      const byId = bySymbol.get(lot.symbol) ?? new Map<string, UnassignedLot>();
      bySymbol.set(lot.symbol, byId);
      if (lot.quantity === '0') byId.delete(lot.id);
      else byId.set(lot.id, lot);
      if (byId.size === 0) bySymbol.delete(lot.symbol);
      if (bySymbol.size === 0) this.#lots.delete(lot.tradeAccountId);
    }
  }

  /** True: work on the lots of one of the instruments is under way. */
  isBusy(tradeAccountId: string, symbols: readonly string[]): boolean {
    return symbols.some((symbol) => this.#tails.has(`${tradeAccountId} ${symbol}`));
  }

  /**
   * Runs work that reads lots, commits them with their rests and puts them here, alone on their instruments: two
   * closing executions must not both take the same lot. All instruments are reserved at once, so that two such calls
   * cannot wait for each other; where no other work is before it, the work begins at once.
   */
  alone<T>(tradeAccountId: string, symbols: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = [...new Set(symbols)].map((symbol) => `${tradeAccountId} ${symbol}`);
    const before = keys.flatMap((key) => this.#tails.get(key) ?? []);
    const result = before.length === 0 ? work() : Promise.all(before).then(work);
    const release = () => {
      for (const key of keys) if (this.#tails.get(key) === tail) this.#tails.delete(key);
    };
    const tail: Promise<void> = result.then(release, release);
    for (const key of keys) this.#tails.set(key, tail);
    return result;
  }

  /** Lots of one instrument, oldest first. */
  of(tradeAccountId: string, symbol: string): readonly UnassignedLot[] {
    const lots = [...(this.#lots.get(tradeAccountId)?.get(symbol)?.values() ?? [])];
    return lots.sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1));
  }

  /** Lots that one account holds, by instrument, oldest first. */
  ofAccount(tradeAccountId: string): readonly HeldLot[] {
    return this.everyLot(tradeAccountId).filter(isHeld);
  }

  /** All lots of an account, including adjustments that no fill has explained yet. */
  everyLot(tradeAccountId: string): readonly UnassignedLot[] {
    const symbols = [...(this.#lots.get(tradeAccountId)?.keys() ?? [])].sort();
    return symbols.flatMap((symbol) => this.of(tradeAccountId, symbol));
  }

  /** Ids of the accounts that have lots. */
  accounts(): Iterable<string> {
    return this.#lots.keys();
  }

  lot(tradeAccountId: string, symbol: string, id: string): UnassignedLot | undefined {
    return this.#lots.get(tradeAccountId)?.get(symbol)?.get(id);
  }
}
