/**
 * Levels of triggers on transformed ratios (`domain/transform.ts`). Within an hour such a level corresponds to a fixed
 * ratio, at which the trigger is armed. After the hour it is out of reach until the window has been computed again.
 * Then the trigger is armed at the new level and checked at once. So figures of a past hour decide nothing, and a scan
 * over all triggers on every tick would fire the same ones.
 */
import { INTERVAL_MS } from '../../../domain/candle-intervals.ts';
import type { DecimalString } from '../../../domain/decimal.ts';
import type { Direction, Measure } from '../../../domain/measure.ts';
import {
  isDefined,
  neededHours,
  ratioLevel,
  type TransformTerms,
  transformed,
  type WindowFigures,
} from '../../../domain/transform.ts';
import type { Late } from '../../../domain/trigger.ts';
import type { Clock, Logger, Unsubscribe } from '../../ports/system.ts';
import { OUT_OF_REACH } from './armed-forms.ts';
import type { RatioWindows } from './ratio-windows.ts';

const TRY_AGAIN_MS = 1_000;
/** Interval of checks for the end of the hour, ms: times can be set, and machines sleep. */
const LOOK_EVERY_MS = 60_000;

interface Moving {
  readonly id: string;
  readonly connector: string;
  readonly measure: Measure;
  readonly direction: Direction;
  readonly terms: TransformTerms;
  figures: WindowFigures | null;
  /** Number of failed readings of its window in a row. */
  failures: number;
  /** Reason why a condition met at the first check is late; null: it is not. */
  late: Late | null;
}

/** Window with which a transform is compared. */
export interface SeenWindow {
  readonly until: number;
  readonly observations: number;
  readonly needed: number;
  readonly ratioLevel: DecimalString | null;
}

export interface LevelListener {
  /** Called when the trigger gets a new level. */
  moved(id: string, level: DecimalString): void;
  /** Called when the trigger must be checked now. */
  look(id: string, late: Late | null): void;
  /** Called every minute while anything is watched, and once after. @param ids those whose window has no value now */
  blind(ids: readonly string[]): void;
}

export class MovingLevels {
  readonly #windows: RatioWindows;
  readonly #deps: { readonly clock: Clock; readonly logger: Logger };
  readonly #listener: LevelListener;
  readonly #moving = new Map<string, Moving>();
  #hour = 0;
  #isStarted = false;
  /** Connectors whose windows are being read. */
  readonly #working = new Set<string>();
  #cancelTimer: Unsubscribe = () => {};
  #isTimed = false;

  constructor(
    windows: RatioWindows,
    deps: { readonly clock: Clock; readonly logger: Logger },
    listener: LevelListener,
  ) {
    this.#windows = windows;
    this.#deps = deps;
    this.#listener = listener;
  }

  start(): void {
    this.#isStarted = true;
    this.#work();
    this.#setTimer();
  }

  stop(): void {
    this.#isStarted = false;
    this.#isTimed = false;
    this.#cancelTimer();
  }

  /** Current level for arming the trigger: out of reach while its window is unknown. */
  watch(
    trigger: Pick<Moving, 'id' | 'connector' | 'measure' | 'direction' | 'terms' | 'late'>,
  ): DecimalString {
    const figures = this.#windows.known({ ...trigger, lookback: trigger.terms.lookback }) ?? null;
    if (this.#moving.size === 0) this.#hour = this.#windows.hour;
    const moving = { ...trigger, figures, failures: 0 };
    this.#moving.set(trigger.id, moving);
    if (figures === null) this.#work();
    // A running timer is kept: restarted by every watched trigger, every few seconds, it would never end.
    if (!this.#isTimed) this.#setTimer();
    return levelOf(moving) ?? OUT_OF_REACH[trigger.direction];
  }

  drop(id: string): void {
    this.#moving.delete(id);
  }

  /** Value that the trigger compares, for a value of its ratio; null: its window is unknown. */
  shown(id: string, ratio: DecimalString): DecimalString | null {
    const moving = this.#moving.get(id);
    if (moving === undefined) return ratio;
    const { figures, terms } = moving;
    return figures !== null && isKnown(moving) ? transformed(terms.transform, ratio, figures) : null;
  }

  window(id: string): SeenWindow | null {
    const moving = this.#moving.get(id);
    if (moving === undefined || moving.figures === null) return null;
    const { until, observations } = moving.figures;
    return {
      until,
      observations,
      needed: neededHours(moving.terms.lookback),
      ratioLevel: levelOf(moving),
    };
  }

  /** Notices a new hour. To be called before values are decided on. */
  beforeTick(): void {
    if (this.#moving.size > 0 && this.#windows.hour !== this.#hour) this.#nextHour();
  }

  #nextHour(): void {
    this.#hour = this.#windows.hour;
    this.#windows.forgetPast();
    for (const moving of this.#moving.values()) {
      moving.figures = null;
      this.#listener.moved(moving.id, OUT_OF_REACH[moving.direction]);
    }
    this.#work();
  }

  #work(): void {
    if (!this.#isStarted) return;
    for (const { connector, figures } of this.#moving.values())
      if (figures === null && !this.#working.has(connector)) void this.#workOff(connector);
  }

  /**
   * Computes unknown windows of a connector, one after the other, so that reads of candles never crowd out other reads.
   * Connectors do not wait for each other, nor windows for one that cannot be read.
   */
  async #workOff(connector: string): Promise<void> {
    this.#working.add(connector);
    for (let moving = this.#next(connector); moving !== undefined; moving = this.#next(connector)) {
      const { measure, terms } = moving;
      try {
        const figures = await this.#windows.load({ connector, measure, lookback: terms.lookback });
        this.#take(moving, figures);
      } catch (error) {
        moving.failures += 1;
        this.#deps.logger.error({ err: error, connector }, 'a window of hours was not computed');
        await this.#deps.clock.sleep(TRY_AGAIN_MS);
      }
    }
    this.#working.delete(connector);
  }

  /** Unknown window of the connector with the fewest failures. */
  #next(connector: string): Moving | undefined {
    if (!this.#isStarted) return undefined;
    let found: Moving | undefined;
    for (const moving of this.#moving.values()) {
      if (moving.connector !== connector || moving.figures !== null) continue;
      if (found === undefined || moving.failures < found.failures) found = moving;
    }
    return found;
  }

  #take(moving: Moving, figures: WindowFigures): void {
    // The hour may have ended, or the trigger may have changed, while candles were read.
    if (this.#moving.get(moving.id) !== moving || figures.until !== this.#windows.hour) return;
    moving.figures = figures;
    moving.failures = 0;
    const { late } = moving;
    moving.late = null;
    const level = levelOf(moving);
    if (level === null) return;
    this.#listener.moved(moving.id, level);
    this.#listener.look(moving.id, late);
  }

  #setTimer(): void {
    this.#cancelTimer();
    this.#isTimed = this.#isStarted && this.#moving.size > 0;
    if (!this.#isTimed) return;
    const hourMs = INTERVAL_MS['1h'];
    const now = this.#deps.clock.now();
    this.#cancelTimer = this.#deps.clock.after(Math.min(hourMs - (now % hourMs), LOOK_EVERY_MS), () => {
      this.beforeTick();
      this.#listener.blind([...this.#moving.values()].filter((one) => !isKnown(one)).map(({ id }) => id));
      this.#setTimer();
    });
  }
}

/** True: the transform has a value in its window. */
function isKnown({ figures, terms }: Moving): boolean {
  return figures !== null && isDefined(terms.transform, terms.lookback, figures);
}

/** Ratio level of the trigger; null: unknown, or no ratio reaches it. */
function levelOf(moving: Moving): DecimalString | null {
  const { figures, terms } = moving;
  return figures !== null && isKnown(moving) ? ratioLevel(terms.transform, terms.level, figures) : null;
}
