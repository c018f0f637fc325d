/** Lets an exchange act as time passes: advances its market ten times a second and writes checkpoints of the market. */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { OpenedExchange } from './exchange-disk.ts';

/** Wall-clock time between two ticks of the exchange. */
const TICK_MS = 100;
/** Market steps after which the market's state is written down, so that a restart simulates few steps again. */
const CHECKPOINT_STEPS = 3_000;
/** Minimum real time between two market checkpoints, however fast simulated time runs. */
const CHECKPOINT_MS = 10_000;

export class ExchangeClock {
  readonly #opened: Pick<OpenedExchange, 'exchange' | 'market' | 'journal' | 'timeline'>;
  readonly #clock: Clock;
  /** Called with the ids of instruments that moved, after the exchange has acted on them. */
  readonly #onMoved: (ids: readonly string[]) => void;
  #checkpointed: { readonly marketAt: number; readonly uptime: number };
  #isRunning = false;
  #cancelTick: Unsubscribe = () => undefined;

  constructor(
    opened: Pick<OpenedExchange, 'exchange' | 'market' | 'journal' | 'timeline'>,
    clock: Clock,
    onMoved: (ids: readonly string[]) => void,
  ) {
    this.#opened = opened;
    this.#clock = clock;
    this.#onMoved = onMoved;
    this.#checkpointed = { marketAt: opened.market.at, uptime: clock.uptime() };
  }

  /**
   * Advances the market over the time since the gateway stopped (long stretches are jumped), and writes a checkpoint.
   * Later trades are replayed from it.
   */
  catchUp(): void {
    const { market } = this.#opened;
    const wasAt = market.at;
    this.advance(market.instruments.map(({ id }) => id));
    if (market.at > wasAt) this.checkpoint();
  }

  /** Ticks on a fixed grid: ten a second, whatever a tick's own work takes. @param onTick called after each tick */
  start(onTick: () => void): void {
    this.#isRunning = true;
    this.#cancelTick = this.#clock.after(TICK_MS - (this.#clock.now() % TICK_MS), () => {
      this.#tick();
      onTick();
      if (this.#isRunning) this.start(onTick);
    });
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelTick();
  }

  /**
   * Advances the market and lets the exchange act. @param changed ids of instruments to look at in any case
   */
  advance(changed: readonly string[]): void {
    const { market, exchange, timeline } = this.#opened;
    const now = this.#clock.now();
    timeline.follow(now, market.at);
    const target = timeline.toMarket(now);
    const moved = target > market.at ? market.advanceTo(target) : [];
    const ids = changed.length === 0 ? moved : [...new Set([...moved, ...changed])];
    exchange.tick(ids, now);
    this.#onMoved(ids);
  }

  checkpoint(): void {
    const { market, journal } = this.#opened;
    this.#checkpointed = { marketAt: market.at, uptime: this.#clock.uptime() };
    journal.checkpoint({ marketAt: market.at, market: market.snapshot() });
  }

  #tick(): void {
    const { market } = this.#opened;
    this.advance([]);
    const steps = (market.at - this.#checkpointed.marketAt) / market.stepMs;
    const isDue = this.#clock.uptime() - this.#checkpointed.uptime >= CHECKPOINT_MS;
    if (steps >= CHECKPOINT_STEPS && isDue) this.checkpoint();
  }
}
