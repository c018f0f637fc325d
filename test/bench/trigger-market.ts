/** A market of 300 instruments that walks at random, and triggers on baskets of it, every basket different. */
import type { ArmedTrigger } from '../../gateway/engine/resting/trigger-index/armed-trigger.ts';
import { seededRandom } from './basket-requests.ts';

const INSTRUMENTS = 300;
/** Standard deviation of one tick: 2 basis points, what an instrument of 60 % a year moves in four seconds. */
const TICK_SIGMA = 0.0002;
/** Distance of the levels from the ratio at the start, as logs, evenly spread between these. */
const NEAREST = 0.01;
const FARTHEST = 0.2;
export const CONNECTOR = 'paper';

export interface Tick {
  readonly instrument: number;
  readonly price: string;
}

export interface TickingMarket {
  readonly symbols: readonly string[];
  /** Of the last tick made. */
  readonly prices: readonly string[];
  ticks(count: number): readonly Tick[];
}

/** One trigger in floats, for a scan. */
export interface WeighedTrigger {
  readonly instruments: readonly number[];
  readonly exponents: readonly number[];
  readonly isAbove: boolean;
  readonly logLevel: number;
}

export function tickingMarket(seed: number): TickingMarket {
  const random = seededRandom(seed);
  const symbols = Array.from({ length: INSTRUMENTS }, (_, at) => `COIN${at}-PERP`);
  // From about 0.05 to 60,000 USD.
  const walk = symbols.map(() => Math.exp(random() * 14 - 3));
  const prices = walk.map(priceText);
  return {
    symbols,
    prices,
    ticks: (count) =>
      Array.from({ length: count }, () => {
        const instrument = Math.floor(random() * INSTRUMENTS);
        const price = (walk[instrument] ?? 1) * Math.exp(normal(random) * TICK_SIGMA);
        walk[instrument] = price;
        prices[instrument] = priceText(price);
        return { instrument, price: priceText(price) };
      }),
  };
}

/** `count` triggers on weighted ratios of 2 to 5 legs, with weights of whole dollars; the same ones for the same seed. */
export function* weighedTriggers(
  market: TickingMarket,
  count: number,
  seed: number,
): Generator<WeighedTrigger> {
  const random = seededRandom(seed);
  const logs = market.prices.map((price) => Math.log(Number(price)));
  for (let made = 0; made < count; made += 1) {
    const chosen = new Set<number>();
    const size = 2 + Math.floor(random() * 4);
    while (chosen.size < size) chosen.add(Math.floor(random() * INSTRUMENTS));
    const instruments = [...chosen];
    const dollars = instruments.map(() => 50 + Math.floor(random() * 950));
    const gross = dollars.reduce((total, usd) => total + usd);
    const exponents = dollars.map((usd, leg) => (leg % 2 === 0 ? usd : -usd) / gross);
    const log = instruments.reduce((sum, at, leg) => sum + (exponents[leg] ?? 0) * (logs[at] ?? 0), 0);
    const distance = NEAREST + random() * (FARTHEST - NEAREST);
    const isAbove = random() < 0.5;
    yield { instruments, exponents, isAbove, logLevel: log + (isAbove ? distance : -distance) };
  }
}

/** The same triggers for the index: exponents of 18 decimals as the gateway keeps weights, levels of 10 figures. */
export function* armedTriggers(market: TickingMarket, count: number, seed: number): Generator<ArmedTrigger> {
  let made = 0;
  for (const { instruments, exponents, isAbove, logLevel } of weighedTriggers(market, count, seed)) {
    made += 1;
    yield {
      id: `0198f0a0-0000-7000-8000-${String(made).padStart(12, '0')}`,
      connector: CONNECTOR,
      measure: {
        kind: 'power',
        source: 'MARK',
        terms: instruments.map((at, leg) => ({
          symbol: market.symbols[at] ?? '',
          exponent: (exponents[leg] ?? 0).toFixed(18),
        })),
      },
      direction: isAbove ? 'MORE_THAN' : 'LESS_THAN',
      level: decimalText(Math.exp(logLevel), 10),
    };
  }
}

/** Five significant figures, as the on-chain style of venue has them. */
function priceText(price: number): string {
  return decimalText(price, 5);
}

function decimalText(value: number, figures: number): string {
  const decimals = figures - 1 - Math.floor(Math.log10(value));
  return value.toFixed(Math.min(Math.max(decimals, 0), 18));
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
