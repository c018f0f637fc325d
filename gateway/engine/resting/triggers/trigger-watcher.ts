/**
 * Watches the market for ACTIVE triggers: reports met conditions, follows the peaks of trailing brackets, and reports
 * feeds that went stale and came back. The watcher changes no trigger: its listener does.
 *
 * The values of one update of a connector are stored together, and every condition is checked once. A condition that is
 * met after a gap in watching (a start, sleep, a stale feed) or a pause is reported as late if the trigger fires late;
 * otherwise the trigger waits until its condition was seen unmet.
 */
import type { Measure } from '../../../domain/measure.ts';
import { followPeak, isPeakWorthKeeping } from '../../../domain/trailing.ts';
import { type Late, type Trigger, type WatchedTrigger, whenWatchedAgain } from '../../../domain/trigger.ts';
import type { OpenPositions } from '../../core/open-positions.ts';
import type { MarketData, MarketTick } from '../../ports/market.ts';
import type { Clock, Logger, Unsubscribe } from '../../ports/system.ts';
import type { TrailingPeak } from '../../ports/unit-of-work.ts';
import type { Feed, FeedValue, Firing } from '../trigger-index/armed-trigger.ts';
import { TriggerIndex } from '../trigger-index/trigger-index.ts';
import {
  feedsOf,
  firingForm,
  formBeforeReturn,
  formOf,
  measureOf,
  peakForm,
  peakId,
  returnForm,
  returnId,
  transformOf,
} from './armed-forms.ts';
import { keyOf, nameOf, pushPrices, SOURCES } from './feed-values.ts';
import { type FirstLook, lateOf } from './first-look.ts';
import type { LiveTriggers } from './live-triggers.ts';
import { MovingLevels } from './moving-levels.ts';
import { type Observation, seenOfBracket } from './observation.ts';
import type { RatioWindows } from './ratio-windows.ts';

const REVIEW_EVERY_MS = 1_000;
/** A longer time without an update is a gap in watching: connectors repeat unchanged values every few seconds. */
const GAP_MS = 8_000;
/** After a gap in watching, every price has arrived again within this time. */
const CATCHING_UP_MS = 3_000;

export interface MetCondition {
  readonly id: string;
  readonly value: string;
  /** The condition may have been met for some time; null: it was met just now. */
  readonly late: Late | null;
}

export interface WatcherListener {
  /** Conditions met at the same time, in the order of arming. Their triggers are no longer watched. */
  met(conditions: readonly MetCondition[]): void;
  /** A feed of these triggers is stale; they are not checked until it is back. */
  stale(ids: readonly string[]): void;
  /**
   * All feeds of these triggers are back. The triggers are watched only after they have been passed to `watch` again.
   */
  back(ids: readonly string[]): void;
  /** Peaks that moved far enough to be stored. */
  peaks(peaks: readonly TrailingPeak[]): void;
  /** All triggers on transformed ratios that cannot fire now; called every minute. */
  blind(ids: readonly string[]): void;
}

interface Watched {
  readonly symbols: Set<string>;
  /** Feeds other than prices, by name. */
  readonly feeds: Map<string, Feed>;
}

export interface WatcherDeps {
  readonly market: Pick<MarketData, 'quote' | 'feed' | 'isStale' | 'isFeedStale' | 'onTick'>;
  readonly clock: Clock;
  readonly positions: Pick<OpenPositions, 'get'>;
  readonly live: LiveTriggers;
  readonly logger: Logger;
  readonly windows: RatioWindows;
}

export class TriggerWatcher {
  readonly #deps: WatcherDeps;
  readonly #listener: WatcherListener;
  readonly #index = new TriggerIndex();
  readonly #levels: MovingLevels;
  readonly #watched = new Map<string, Watched>();
  /** `<connector> <name>` of the stale feeds. */
  readonly #silent = new Set<string>();
  /** Trailing brackets, each with its measure and the peak last stored. */
  readonly #trailing = new Map<string, { readonly measure: Measure; kept: string | null }>();
  /** Triggers that ignore a crossing missed during a gap. The form in which each is armed is in the trigger index. */
  readonly #skipping = new Set<string>();
  readonly #mayBeArmedAgain = (armedId: string) =>
    this.#skipping.size > 0 && this.#skipping.has(formOf(armedId).id);
  readonly #lastTickAt = new Map<string, number>();
  readonly #catchingUpUntil = new Map<string, number>();
  #isStarted = false;
  #isReviewing = false;
  #unsubscribe: Unsubscribe = () => {};
  #cancelReview: Unsubscribe = () => {};

  constructor(deps: WatcherDeps, listener: WatcherListener) {
    this.#deps = deps;
    this.#listener = listener;
    this.#levels = new MovingLevels(deps.windows, deps, {
      moved: (id, level) => {
        this.#index.replace(id, level);
        this.#index.replace(returnId(id), level);
      },
      look: (id, late) => {
        const connector = this.#deps.live.get(id)?.connector ?? '';
        const isCatchingUp = this.#isCatchingUpNow(connector, this.#deps.clock.now());
        this.#lookAt(id, late ?? (isCatchingUp ? 'gap' : null));
      },
      blind: (ids) => this.#listener.blind(ids),
    });
  }

  /** Number of armed triggers, for the log and the metrics. */
  get size(): number {
    return this.#index.size;
  }

  /** Reserves memory for this many triggers. */
  reserve(triggers: number): void {
    this.#index.reserve(triggers);
  }

  /** Checks all watched triggers at current prices, and follows the market from then on. */
  start(): void {
    this.#isStarted = true;
    for (const connector of this.#watched.keys()) this.#lookAtAll(connector);
    this.#unsubscribe = this.#deps.market.onTick((tick) => this.#onTick(tick));
    this.#levels.start();
    this.#scheduleReview();
  }

  stop(): void {
    this.#unsubscribe();
    this.#levels.stop();
    this.#cancelReview();
  }

  /**
   * Watches a trigger as its record says; a watched trigger is armed again. False: a feed of the trigger is stale; the
   * trigger is stopped until the feed is back, and `back` is called.
   */
  watch(trigger: WatchedTrigger, firstLook: FirstLook): boolean {
    const { id, connector } = trigger;
    this.unwatch(id);
    const legs = trigger.positionId === null ? undefined : this.#deps.positions.get(trigger.positionId)?.legs;
    const measure = measureOf(trigger, legs);
    // The position is about to close, or lacks a leg that it needs: its next change calls this method again.
    if (measure === null) return true;
    const feeds = feedsOf(connector, measure);
    const watched = this.#watched.get(connector);
    // Reviews of stale feeds do not run without an armed trigger, so stale feeds are checked here.
    if (watched !== undefined && this.#isStarted && !this.#isReviewing) this.#review(connector, watched);
    for (const feed of feeds) this.#noteFeed(connector, feed);
    const firing = firingForm(trigger, measure);
    const terms = transformOf(trigger);
    if (firing !== null && terms !== null) {
      // Nothing was watched before the start: the first check is one after a gap.
      const late = this.#isStarted ? lateOf(firstLook) : 'gap';
      const { direction } = firing;
      const level = this.#levels.watch({ id, connector, measure, direction, terms, late });
      this.#index.arm({ ...firing, level });
      if (trigger.onMissed === 'SKIP') this.#skipping.add(id);
    } else if (firing !== null) {
      this.#index.arm(firing);
      if (trigger.onMissed === 'SKIP') this.#skipping.add(id);
    }
    const peak = peakForm(trigger, measure);
    if (peak !== null) {
      this.#trailing.set(id, { measure, kept: trigger.armed?.peak ?? null });
      this.#index.arm(peak);
    }
    this.#scheduleReview();
    if (this.#silent.size > 0 && feeds.some((feed) => this.#silent.has(keyOf(connector, nameOf(feed))))) {
      this.#listener.stale([id]);
      return false;
    }
    if (firstLook !== 'next_tick') this.#lookAt(id, lateOf(firstLook));
    return true;
  }

  unwatch(id: string): void {
    this.#index.disarm(id);
    this.#levels.drop(id);
    if (this.#trailing.delete(id)) this.#index.disarm(peakId(id));
    if (this.#skipping.delete(id)) this.#index.disarm(returnId(id));
  }

  /** False: its condition was met, or it was never watched. */
  isWatching(id: string): boolean {
    return this.#index.has(id) || this.#index.has(returnId(id));
  }

  /** undefined: the trigger has ended, or fired. */
  observation(id: string): Observation | undefined {
    const live = this.#deps.live.get(id);
    if (live === undefined || live.status === 'TRIGGERED') return undefined;
    const [reading = null] = [id, peakId(id), returnId(id)].flatMap((one) => this.#index.reading(one) ?? []);
    // A stand-in loss is in another unit than the level.
    const isShown = reading !== null && live.record?.armed?.standIn === undefined;
    return {
      value: isShown ? this.#levels.shown(id, reading.value) : null,
      window: this.#levels.window(id),
      at: reading === null ? null : (this.#lastTickAt.get(live.connector) ?? null),
      ...seenOfBracket(live.record),
    };
  }

  #onTick(tick: MarketTick): void {
    const { connector } = tick;
    const now = this.#deps.clock.now();
    const late = this.#isCatchingUp(connector, now) ? 'gap' : null;
    this.#lastTickAt.set(connector, now);
    const watched = this.#watched.get(connector);
    if (watched === undefined) return;
    if (this.#silent.size > 0) this.#review(connector, watched);
    this.#levels.beforeTick();
    const values: FeedValue[] = [];
    for (const quote of tick.quotes) {
      if (watched.symbols.has(quote.id)) pushPrices(values, connector, quote);
    }
    for (const { name, value } of tick.feeds) {
      const feed = watched.feeds.get(name);
      if (feed !== undefined) values.push({ feed, value });
    }
    this.#take(this.#index.onValues(values, this.#mayBeArmedAgain), late);
  }

  #isCatchingUp(connector: string, now: number): boolean {
    const last = this.#lastTickAt.get(connector);
    if (last !== undefined && now - last > GAP_MS) this.#catchingUpUntil.set(connector, now + CATCHING_UP_MS);
    return this.#isCatchingUpNow(connector, now);
  }

  #isCatchingUpNow(connector: string, now: number): boolean {
    return now < (this.#catchingUpUntil.get(connector) ?? Number.NEGATIVE_INFINITY);
  }

  /** First check after a start. Feeds that are stale by then are reported as stale. */
  #lookAtAll(connector: string): void {
    const { market } = this.#deps;
    const watched = this.#watched.get(connector);
    if (watched === undefined) return;
    this.#review(connector, watched);
    const values: FeedValue[] = [];
    for (const symbol of watched.symbols) {
      const quote = market.quote(connector, symbol);
      if (quote !== undefined) pushPrices(values, connector, quote);
    }
    for (const [name, feed] of watched.feeds) {
      const value = market.feed(connector, name)?.value;
      if (value !== undefined) values.push({ feed, value });
    }
    this.#take(this.#index.onValues(values, this.#mayBeArmedAgain), 'gap');
    this.#lastTickAt.set(connector, this.#deps.clock.now());
  }

  /** Checks one trigger that was just passed in. */
  #lookAt(id: string, late: Late | null): void {
    const firings: Firing[] = [];
    for (const armedId of [peakId(id), id, returnId(id)]) {
      const reading = this.#index.reading(armedId);
      if (reading === null || !reading.holds) continue;
      const form = this.#index.form(armedId);
      if (form === null) continue;
      this.#index.disarm(armedId);
      firings.push({ id: armedId, value: reading.value, form });
    }
    this.#take(firings, late);
  }

  #take(firings: readonly Firing[], late: Late | null): void {
    const met: MetCondition[] = [];
    const peaks: TrailingPeak[] = [];
    for (const firing of firings) {
      const { id, form } = formOf(firing.id);
      if (form === 'peak') this.#follow(id, firing.value, peaks);
      else if (form === 'return') this.#countAgain(firing);
      else if (late === null || this.#firesLate(firing))
        met.push({ id, value: this.#levels.shown(id, firing.value) ?? firing.value, late });
    }
    for (const { id } of met) this.unwatch(id);
    if (peaks.length > 0) this.#listener.peaks(peaks);
    if (met.length > 0) this.#listener.met(met);
  }

  /** False: a crossing during a gap in watching is skipped, and the next one counts. */
  #firesLate({ id, form }: Firing): boolean {
    const onMissed = this.#skipping.has(id) ? 'SKIP' : 'FIRE';
    if (whenWatchedAgain({ onMissed }, true) === 'fire_late') return true;
    if (form !== undefined) this.#index.arm(returnForm(form));
    return false;
  }

  #countAgain({ form }: Firing): void {
    if (form !== undefined) this.#index.arm(formBeforeReturn(form));
  }

  #follow(id: string, value: string, peaks: TrailingPeak[]): void {
    const trailing = this.#trailing.get(id);
    const record = this.#deps.live.get(id)?.record ?? null;
    if (trailing === undefined || record === null || record.condition !== null) return;
    const armed = followPeak(record.bracketType, record.armed, value);
    this.#deps.live.follow(id, armed);
    const followed: Trigger = { ...record, armed };
    const firing = firingForm(followed, trailing.measure);
    if (firing !== null && !this.#index.replace(id, firing.level)) this.#index.arm(firing);
    const next = peakForm(followed, trailing.measure);
    if (next !== null) this.#index.arm(next);
    if (armed.peak === null || !isPeakWorthKeeping(trailing.kept, armed)) return;
    trailing.kept = armed.peak;
    peaks.push({ triggerId: id, peak: armed.peak, seenAt: this.#deps.clock.now() });
  }

  /** Feeds the values into the trigger index from now on, starting with the current value. */
  #noteFeed(connector: string, feed: Feed): void {
    const { market } = this.#deps;
    let watched = this.#watched.get(connector);
    if (watched === undefined) {
      watched = { symbols: new Set(), feeds: new Map() };
      this.#watched.set(connector, watched);
    }
    const values: FeedValue[] = [];
    if (feed.kind === 'price') {
      if (watched.symbols.has(feed.symbol)) return;
      watched.symbols.add(feed.symbol);
      const quote = market.quote(connector, feed.symbol);
      if (quote !== undefined) pushPrices(values, connector, quote);
    } else {
      const name = nameOf(feed);
      if (watched.feeds.has(name)) return;
      watched.feeds.set(name, feed);
      const value = market.feed(connector, name)?.value;
      if (value !== undefined) values.push({ feed, value });
    }
    // No armed trigger reads this feed yet, so its values cannot fire anything. Before `start` no value goes in;
    // `start` adds the current ones.
    if (this.#isStarted) {
      this.#index.onValues(values);
      if (!this.#lastTickAt.has(connector)) this.#lastTickAt.set(connector, this.#deps.clock.now());
    }
    this.#reviewFeed(connector, feed);
  }

  /** Compares the stale feeds with those of the previous review, and reports changes to the listener. */
  #review(connector: string, watched: Watched): void {
    const stale = new Set<string>();
    const back = new Set<string>();
    const look = (feed: Feed) => {
      const found = this.#reviewFeed(connector, feed);
      for (const id of found.stale) stale.add(formOf(id).id);
      for (const id of found.back) back.add(formOf(id).id);
    };
    for (const symbol of watched.symbols) look({ kind: 'price', connector, symbol, source: 'MARK' });
    for (const feed of watched.feeds.values()) look(feed);
    for (const id of back) this.unwatch(id);
    if (stale.size > 0) this.#listener.stale([...stale]);
    if (back.size > 0) this.#listener.back([...back]);
  }

  #reviewFeed(
    connector: string,
    feed: Feed,
  ): { readonly stale: readonly string[]; readonly back: readonly string[] } {
    const { market } = this.#deps;
    const name = nameOf(feed);
    const key = keyOf(connector, name);
    const isStale =
      feed.kind === 'price' ? market.isStale(connector, feed.symbol) : market.isFeedStale(connector, name);
    if (isStale === this.#silent.has(key)) return NOTHING;
    // One quote carries the prices of all sources, so they become stale together.
    const feeds: readonly Feed[] =
      feed.kind === 'price' ? SOURCES.map((source) => ({ ...feed, source })) : [feed];
    if (isStale) {
      this.#silent.add(key);
      return { stale: feeds.flatMap((one) => this.#index.silence(one)), back: [] };
    }
    this.#silent.delete(key);
    return { stale: [], back: feeds.flatMap((one) => this.#index.revive(one)) };
  }

  /** Reviews run only while a trigger is watched: a gateway without triggers has no such timer. */
  #scheduleReview(): void {
    if (this.#isReviewing || !this.#isStarted || this.#index.size === 0) return;
    this.#isReviewing = true;
    this.#cancelReview = this.#deps.clock.after(REVIEW_EVERY_MS, () => {
      this.#isReviewing = false;
      for (const [connector, watched] of this.#watched) this.#review(connector, watched);
      this.#scheduleReview();
    });
  }
}

const NOTHING = { stale: [], back: [] } as const;
