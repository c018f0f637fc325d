/**
 * Prediction markets that never close. The log odds of each outcome follow an Ornstein-Uhlenbeck process, x(t + dt) = m
 * + (x(t) − m) e^(−dt/τ) + s √(1 − e^(−2dt/τ)) N(0, 1), so a probability wanders about a level of its own and never
 * reaches 0 or 100 %.
 *
 * The noise of a second is seeded by (seed, second), as that of prices is by minute: venues of one seed have the same
 * odds.
 */
import type { PredictionMarket } from '../../../domain/feed.ts';
import { hash32, hashText, Random } from './random.ts';

interface SimulatedMarket extends PredictionMarket {
  /** Log odds around which the market moves, and their standard deviation. */
  readonly level: number;
  readonly deviation: number;
}

const SOURCE = 'paper-predictions';
const market = (
  marketKey: string,
  question: string,
  percent: number,
  deviation: number,
): SimulatedMarket => ({
  source: SOURCE,
  marketKey,
  question,
  level: Math.log(percent / (100 - percent)),
  deviation,
});

/** No question names a date or a number that would become outdated. */
const MARKETS: readonly SimulatedMarket[] = [
  market('btc-all-time-high-this-quarter', 'Will Bitcoin reach a new all-time high this quarter?', 42, 0.9),
  market('eth-outperforms-btc-this-month', 'Will Ether outperform Bitcoin this month?', 48, 0.7),
  market('fed-cut-next-meeting', 'Will the Federal Reserve cut rates at its next meeting?', 64, 0.8),
  market('us-recession-within-a-year', 'Will the United States enter a recession within a year?', 27, 0.6),
  market(
    'altcoin-spot-fund-this-quarter',
    'Will another altcoin get a spot fund in the United States this quarter?',
    71,
    0.8,
  ),
  market(
    'stablecoin-loses-peg-this-year',
    'Will a top-five stablecoin trade below 0.95 USD this year?',
    6,
    0.7,
  ),
];

export const PREDICTION_MARKETS: readonly PredictionMarket[] = MARKETS.map(
  ({ source, marketKey, question }) => ({ source, marketKey, question }),
);

const STREAM = hashText('predictions');
const JUMP_STREAM = hashText('prediction jumps');
const SECOND_MS = 1_000;
const MEMORY_SECONDS = 10 * 86_400;
const KEPT_PER_SECOND = Math.exp(-1 / MEMORY_SECONDS);
/** Bound of the log odds (about 1 : 1100): beyond it real markets are settled; simulated ones never are. */
const MAX_LOG_ODDS = 7;

export class PredictionProcess {
  private seed: number;
  private readonly random: Random;
  private readonly logOdds: Float64Array;

  constructor(seed: number) {
    this.seed = seed;
    this.random = new Random(seed, STREAM);
    this.logOdds = firstLogOdds(seed);
  }

  /** Moves the odds over the second that ends at market time `at`. */
  second(at: number): void {
    this.random.reseed(this.seed, hash32(STREAM, at / SECOND_MS));
    this.move(KEPT_PER_SECOND);
  }

  /** Moves the odds over a whole stretch in one draw. */
  jump(from: number, to: number): void {
    this.random.reseed(this.seed, hash32(JUMP_STREAM, to));
    this.move(KEPT_PER_SECOND ** ((to - from) / SECOND_MS));
  }

  /** Probability of an outcome, per cent. */
  percent(i: number): number {
    return 100 / (1 + Math.exp(-(this.logOdds[i] ?? 0)));
  }

  /** Multiplies the odds of an outcome. */
  shock(i: number, factor: number): void {
    this.logOdds[i] = bounded((this.logOdds[i] ?? 0) + Math.log(factor));
  }

  state(): readonly number[] {
    return [...this.logOdds];
  }

  /** @param logOdds null: odds as in a new process of the seed */
  restore(seed: number, logOdds: readonly number[] | null): void {
    this.seed = seed;
    this.logOdds.set(logOdds ?? firstLogOdds(seed));
  }

  private move(kept: number): void {
    const fresh = Math.sqrt(1 - kept * kept);
    for (const [i, { level, deviation }] of MARKETS.entries()) {
      const away = ((this.logOdds[i] ?? 0) - level) * kept;
      this.logOdds[i] = bounded(level + away + deviation * fresh * this.random.normal());
    }
  }
}

function firstLogOdds(seed: number): Float64Array {
  const random = new Random(seed, STREAM);
  return Float64Array.from(MARKETS, ({ level, deviation }) => bounded(level + deviation * random.normal()));
}

function bounded(logOdds: number): number {
  return Math.max(-MAX_LOG_ODDS, Math.min(MAX_LOG_ODDS, logOdds));
}
