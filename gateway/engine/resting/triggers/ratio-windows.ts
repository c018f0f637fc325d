/**
 * Figures of the windows with which transformed conditions and brackets are compared (`domain/transform.ts`): read from
 * the hourly candles once after each full hour, and kept until the next one.
 *
 * A figure is valid only in the current hour. After the hour's end, or after a sleep, it is unknown until the candles
 * have been read again.
 */
import { INTERVAL_MS, intervalStart } from '../../../domain/candle-intervals.ts';
import type { Measure } from '../../../domain/measure.ts';
import { type WindowFigures, windowFigures } from '../../../domain/transform.ts';
import type { CandleHistory } from '../../ports/market.ts';
import type { Clock } from '../../ports/system.ts';

const HOUR_MS = INTERVAL_MS['1h'];

type Power = Extract<Measure, { readonly kind: 'power' }>;

export interface RatioWindow {
  readonly connector: string;
  readonly measure: Measure;
  /** Hours. */
  readonly lookback: number;
}

export class RatioWindows {
  readonly #candles: Pick<CandleHistory, 'closes'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known = new Map<string, WindowFigures>();
  readonly #asked = new Map<string, Promise<WindowFigures>>();

  constructor(candles: Pick<CandleHistory, 'closes'>, clock: Pick<Clock, 'now'>) {
    this.#candles = candles;
    this.#clock = clock;
  }

  /** End of the last full hour, epoch ms. */
  get hour(): number {
    return intervalStart('1h', this.#clock.now());
  }

  /** undefined: not read for this hour yet. */
  known(window: RatioWindow): WindowFigures | undefined {
    const found = this.#known.get(nameOf(window));
    return found?.until === this.hour ? found : undefined;
  }

  /** Reads the window up to the last full hour, once for all callers. Rejects if the candles cannot be read. */
  load(window: RatioWindow): Promise<WindowFigures> {
    const name = nameOf(window);
    const known = this.known(window);
    if (known !== undefined) return Promise.resolve(known);
    const key = `${name} ${this.hour}`;
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = this.#read(window, this.hour).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asked);
    }
    return asked;
  }

  /** Forgets the windows of past hours. */
  forgetPast(): void {
    for (const [name, { until }] of this.#known) if (until !== this.hour) this.#known.delete(name);
  }

  async #read(window: RatioWindow, until: number): Promise<WindowFigures> {
    const { connector, lookback } = window;
    const { terms } = powerOf(window.measure);
    const closes = await this.#candles.closes({
      connector,
      symbols: terms.map(({ symbol }) => symbol),
      every: '1h',
      from: until - lookback * HOUR_MS,
      to: until,
    });
    const logs = closes.map(({ prices }) =>
      terms.reduce((log, { exponent }, leg) => log + Number(exponent) * Math.log(Number(prices[leg])), 0),
    );
    const found = windowFigures(logs, until);
    this.#known.set(nameOf(window), found);
    return found;
  }
}

function nameOf({ connector, measure, lookback }: RatioWindow): string {
  const { terms } = powerOf(measure);
  return `${connector} ${lookback} ${terms.map(({ symbol, exponent }) => `${symbol}^${exponent}`).join(' ')}`;
}

function powerOf(measure: Measure): Power {
  if (measure.kind !== 'power') throw new RangeError('only a ratio can be transformed');
  return measure;
}
