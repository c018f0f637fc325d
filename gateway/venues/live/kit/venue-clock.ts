/**
 * The venue's time. Its distance from ours is measured by requests: the answer with the shortest round trip counts,
 * because it leaves the least doubt about the moment at which the venue read its clock.
 */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';

export interface ClockSample {
  /** Our wall clock, epoch ms, before the request and after its answer. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The venue's, epoch ms. */
  readonly serverTime: number;
}

export interface VenueClockOptions {
  readonly clock: Clock;
  /** Asks the venue for its time, epoch ms; null or a rejection: no answer. */
  readonly ask: () => Promise<number | null>;
  /** Default 10 min. */
  readonly refreshMs?: number;
  /** Called after a new measurement of the offset. */
  readonly onMeasured?: () => void;
}

export interface VenueClock {
  /** Venue time, epoch ms. Steps with our wall clock and with every measurement: ages are not measured with it. */
  now(): number;
  /** Venue time less ours, ms; 0 while nothing is known. */
  readonly offsetMs: number;
  /**
   * `unknown`: not measured yet. `stale`: our clock was set or the machine slept since, and the offset may be wrong by
   * as much; it is being measured again.
   */
  readonly state: 'unknown' | 'known' | 'stale';
  /** A moment of our wall clock as the venue's clock says it; whole ms, rounded down, as a deadline must be. */
  toVenue(at: number): number;
  /** A moment of the venue's clock as ours says it. */
  toOurs(at: number): number;
  /** Uses a sample that came by itself, as with an answer that carries the venue's time. */
  observe(sample: ClockSample): void;
  /** Measures again, as after sleep; the former offset counts until the first answer. */
  refresh(): Promise<void>;
  /** Measures now and every `refreshMs`. */
  start(): Unsubscribe;
}

const SAMPLES = 5;
const REFRESH_MS = 10 * 60_000;
/** After a measurement without any answer. */
const AGAIN_MS = 15_000;
/** Largest drift of our two clocks between measurements, unless one is set or stands still. */
const SET_MS = 1_000;

interface Measured {
  readonly roundTripMs: number;
  readonly offsetMs: number;
  /** Wall clock less uptime at the time: it changes when the wall clock is set or the machine sleeps. */
  readonly base: number;
}

export function createVenueClock(options: VenueClockOptions): VenueClock {
  const { clock } = options;
  let samples: Measured[] = [];
  let best: Measured | null = null;
  let refreshing: Promise<void> | null = null;
  let started = false;

  const base = () => clock.now() - clock.uptime();

  function take(sample: ClockSample): void {
    const roundTripMs = sample.receivedAt - sample.sentAt;
    // A clock that was set back while the answer was under way.
    if (roundTripMs < 0 || !Number.isFinite(sample.serverTime)) return;
    const offsetMs = sample.serverTime - (sample.sentAt + roundTripMs / 2);
    const now = base();
    // Samples from before the clock was set say nothing about it now.
    samples = samples.filter((one) => Math.abs(one.base - now) < SET_MS).slice(-(SAMPLES - 1));
    samples.push({ roundTripMs, offsetMs, base: now });
    best = samples.reduce((a, b) => (b.roundTripMs < a.roundTripMs ? b : a));
  }

  async function measure(): Promise<void> {
    samples = [];
    for (let asked = 0; asked < SAMPLES; asked += 1) {
      const baseBefore = base();
      const sentAt = clock.now();
      const serverTime = await options.ask().catch(() => null);
      const set = Math.abs(base() - baseBefore) >= SET_MS;
      if (serverTime !== null && !set) take({ sentAt, receivedAt: clock.now(), serverTime });
    }
    if (samples.length > 0) options.onMeasured?.();
  }

  function refresh(): Promise<void> {
    refreshing ??= measure().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  function state(): VenueClock['state'] {
    if (best === null) return 'unknown';
    if (Math.abs(base() - best.base) < SET_MS) return 'known';
    if (started) void refresh();
    return 'stale';
  }

  function offset(): number {
    state();
    return best?.offsetMs ?? 0;
  }

  return {
    now: () => clock.now() + offset(),
    get offsetMs() {
      return offset();
    },
    get state() {
      return state();
    },
    toVenue: (at) => Math.floor(at + offset()),
    toOurs: (at) => at - offset(),
    observe: take,
    refresh,
    start() {
      started = true;
      let cancel = () => {};
      const round = async () => {
        await refresh();
        if (!started) return;
        const waitMs = samples.length > 0 ? (options.refreshMs ?? REFRESH_MS) : AGAIN_MS;
        cancel = clock.after(waitMs, () => void round());
      };
      void round();
      return () => {
        started = false;
        cancel();
      };
    },
  };
}
