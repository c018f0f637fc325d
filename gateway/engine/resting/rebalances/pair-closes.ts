/**
 * Returns of instrument pairs over past candles, from which a beta is computed. The candles are the gateway's own; they
 * are read once a new one has ended, so that a decision about a position never waits for the disk.
 *
 * No return is computed across a missing candle.
 */
import { candleStart, type RebalanceTimeframe, TIMEFRAME_MS } from '../../../domain/auto-rebalance.ts';
import { BETA_WINDOW, type PairReturn, pairReturns } from '../../../domain/live-beta.ts';
import type { CandleHistory, ClosingPrices } from '../../ports/market.ts';
import type { Clock } from '../../ports/system.ts';

export interface Pair {
  /** Instrument IDs. */
  readonly long: string;
  readonly short: string;
}

interface Known {
  /** End of the latest complete candle when the closes were read. */
  readonly until: number;
  readonly returns: readonly PairReturn[];
}

export class PairCloses {
  readonly #candles: Pick<CandleHistory, 'closes'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known = new Map<string, Known>();

  constructor(candles: Pick<CandleHistory, 'closes'>, clock: Pick<Clock, 'now'>) {
    this.#candles = candles;
    this.#clock = clock;
  }

  /** Reads candles up to now; afterwards `returns` answers from memory. */
  async load(connector: string, timeframe: RebalanceTimeframe, pair: Pair): Promise<void> {
    const until = candleStart(timeframe, this.#clock.now());
    const name = nameOf(connector, timeframe, pair);
    if (this.#known.get(name)?.until === until) return;
    const step = TIMEFRAME_MS[timeframe];
    const closes = await this.#candles.closes({
      connector,
      symbols: [pair.long, pair.short],
      every: timeframe,
      // N returns need N + 1 closes. A candle that ends exactly at `from` is not included.
      from: until - (BETA_WINDOW + 1) * step,
      to: until,
    });
    this.#known.set(name, { until, returns: returnsOf(closes, step) });
  }

  /** Returns of both legs over candles with known closes, oldest first. Empty before `load`. */
  returns(connector: string, timeframe: RebalanceTimeframe, pair: Pair): readonly PairReturn[] {
    return this.#known.get(nameOf(connector, timeframe, pair))?.returns ?? [];
  }
}

function returnsOf(closes: readonly ClosingPrices[], step: number): readonly PairReturn[] {
  return closes.flatMap((close, index) => {
    const before = closes[index - 1];
    if (before === undefined || close.at - before.at !== step) return [];
    return pairReturns([before, close].map(({ prices: [long = '', short = ''] }) => ({ long, short })));
  });
}

function nameOf(connector: string, timeframe: RebalanceTimeframe, { long, short }: Pair): string {
  return `${connector} ${timeframe} ${long} ${short}`;
}
