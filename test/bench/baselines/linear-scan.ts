/**
 * Triggers without an index, at their best: floats only, logarithms of prices kept, triggers that do not read the
 * instrument passed over.
 */
import type { TickingMarket, WeighedTrigger } from '../trigger-market.ts';

export class LinearScan {
  readonly #armed: WeighedTrigger[];
  readonly #logs: number[];

  constructor(market: TickingMarket, triggers: Iterable<WeighedTrigger>) {
    this.#logs = market.prices.map((price) => Math.log(Number(price)));
    this.#armed = [...triggers];
  }

  /** How many fired. */
  onTick(instrument: number, price: string): number {
    const logs = this.#logs;
    logs[instrument] = Math.log(Number(price));
    let fired = 0;
    for (const { instruments, exponents, isAbove, logLevel } of this.#armed) {
      if (!instruments.includes(instrument)) continue;
      let log = 0;
      for (let leg = 0; leg < instruments.length; leg += 1) {
        log += (exponents[leg] ?? 0) * (logs[instruments[leg] ?? 0] ?? 0);
      }
      if (isAbove ? log > logLevel : log < logLevel) fired += 1;
    }
    return fired;
  }
}
