/**
 * Rate limits of a venue: one bucket for each thing that it counts (an address, an account), filled steadily and shared
 * by priority. Answers about sent orders come before new orders: a trader who opens faster than the venue allows would
 * otherwise never learn the positions. Of the readings' part of a bucket, readings that can wait leave the last 30 %,
 * and all but balances and positions leave the last 10 %. Previews leave the last 60 %, so that an order finds headroom
 * at once, whatever their number. Looks at books leave the last 80 %, so that a trader about to order gets an estimate.
 */
import type { Clock } from '../../../engine/ports/system.ts';

/**
 * Priorities when there is not enough for all: the lower rank, then the older request. Recovery is as urgent as a
 * lookup: behind a stream of lookups it would never run, and it resolves unknown orders.
 */
const RANK = {
  close: 0,
  state: 1,
  lookup: 2,
  recovery: 2,
  open: 3,
  history: 4,
  market: 5,
  preview: 6,
  look: 7,
} as const;

/**
 * `close`: orders that close, and cancels. `state`: balances and positions, which every plan of an order needs, and
 * light requests without which a heavy reading is useless. `lookup`: outcomes of orders. `recovery`: gaps of a stream.
 * `open`: orders that open. `history`: reconciling and older history. `market`: market data. `preview`: books for an
 * estimate, which is given without them if there is no headroom. `look`: books for viewers.
 */
export type Lane = keyof typeof RANK;

/**
 * Share of the readings' part that a lane leaves to those before it. Previews leave more than openings have to leave
 * (`keptForCloses`, 30 %), and more than venues call scarce (`isScarce`).
 */
const KEPT_FROM = { lookup: 0.1, recovery: 0.1, history: 0.3, market: 0.3, preview: 0.6, look: 0.8 } as const;

/** Time until a request may be tried again that was refused because others come before it. */
const BEHIND_MS = 1_000;

export interface BucketSize {
  /** Most weight that can be taken at once. */
  readonly capacity: number;
  /** Weight that comes back every second. */
  readonly perSecond: number;
  /** Venue's own limit in its own window, to which its reported usage refers. */
  readonly limit: number;
  /** Weight that orders which open leave to those that close, and to questions about orders. Default 0. */
  readonly keptForCloses?: number;
  /** Weight that readings leave to orders, which then wait for no reading. Default: none, and they do. */
  readonly keptForOrders?: number;
}

/** Weight of a request in each bucket that counts it, by the bucket's name. */
export type Cost = Readonly<Record<string, number>>;

export type Grant =
  | { readonly granted: true }
  /** `retryAt`: epoch ms before which a retry is useless; null: this lane never gets so much of this bucket. */
  | { readonly granted: false; readonly retryAt: number | null };

export interface Budget {
  /** Adds a bucket, full; one of the same name keeps its level and gets the new size. */
  addBucket(name: string, size: BucketSize): void;
  /** Requests that wait for it are refused. */
  removeBucket(name: string): void;
  /**
   * Takes the weight, or waits for it until `waitUntil` (epoch ms) at most. Refuses at once if waiting that long would
   * be useless. A bucket that does not exist counts nothing.
   */
  take(lane: Lane, cost: Cost, waitUntil: number): Promise<Grant>;
  /** Takes the weight without asking, for requests that must not wait for this bucket. */
  count(name: string, weight: number): void;
  /** Gives back weight that was taken and not used; negative: takes more, also below 0. */
  giveBack(name: string, weight: number): void;
  /**
   * Takes the venue's reported usage. Without `limit` the level is only ever lowered, because an answer may be older
   * than the latest grants. With it, as for limits that grow with the account's trading instead of with time, the
   * bucket's capacity becomes the limit and its level the remainder.
   */
  observe(name: string, used: number, limit?: number): void;
  /** No request at all until then (epoch ms): the venue has shut us out. A ban is never shortened. */
  ban(until: number): void;
  /** Epoch ms; null: no ban. */
  readonly bannedUntil: number | null;
  /** Weight left in a bucket; null: there is none of this name. */
  level(name: string): number | null;
}

/**
 * Size of a bucket that never lets more than `limit` through in any `windowMs`: the amount taken at once and the amount
 * that comes back in the meantime add up to it.
 * @param burst share of the limit that can be taken at once, above 0 and below 1
 */
export function bucketOf(limit: number, windowMs: number, burst = 0.5): BucketSize {
  return { capacity: limit * burst, perSecond: (limit * (1 - burst) * 1000) / windowMs, limit };
}

/** Weight of a bucket that a lane must leave. */
function keptFrom(lane: Lane, { capacity, keptForCloses = 0, keptForOrders = 0 }: BucketSize): number {
  if (lane === 'close') return 0;
  if (lane === 'open') return keptForCloses;
  if (lane === 'state') return Math.max(keptForCloses, keptForOrders);
  return keptForOrders + (capacity - keptForOrders) * KEPT_FROM[lane];
}

interface Bucket {
  size: BucketSize;
  level: number;
  /** Time of the last fill by `Clock.uptime`. */
  filledAt: number;
}

interface Waiting {
  readonly lane: Lane;
  readonly cost: readonly (readonly [name: string, weight: number])[];
  /** Deadline by `Clock.uptime`: a wall clock that is set changes no wait. */
  readonly until: number;
  readonly answer: (grant: Grant) => void;
}

export function createBudget(clock: Clock): Budget {
  const buckets = new Map<string, Bucket>();
  /** In the order in which they are served: by rank, then by age. */
  const queue: Waiting[] = [];
  /** End of a ban by `Clock.uptime`. */
  let shutUntil = Number.NEGATIVE_INFINITY;
  let cancelTimer = () => {};

  const toUptime = (at: number) => clock.uptime() + (at - clock.now());
  const toEpoch = (uptime: number) => Math.ceil(clock.now() + (uptime - clock.uptime()));

  function filled(name: string): Bucket | undefined {
    const bucket = buckets.get(name);
    if (bucket === undefined) return undefined;
    const now = clock.uptime();
    const gained = ((now - bucket.filledAt) * bucket.size.perSecond) / 1000;
    bucket.level = Math.min(bucket.size.capacity, bucket.level + gained);
    bucket.filledAt = now;
    return bucket;
  }

  /** Milliseconds until the lane may take the weight from the bucket, without other requests; Infinity: never. */
  function waitFor(lane: Lane, weight: number, bucket: Bucket): number {
    const kept = keptFrom(lane, bucket.size);
    const missing = weight + kept - bucket.level;
    if (missing <= 0) return 0;
    if (weight + kept > bucket.size.capacity || bucket.size.perSecond <= 0) return Number.POSITIVE_INFINITY;
    // A whole millisecond at least: timers do not count less.
    return Math.max(1, Math.ceil((missing / bucket.size.perSecond) * 1000));
  }

  /** Time at which the request could have its weight, by `Clock.uptime`, and the buckets too low for it now. */
  function prospects(
    { lane, cost }: Pick<Waiting, 'lane' | 'cost'>,
    // One moment for all: the clock moves on while the queue is looked through.
    now: number,
  ): { at: number; short: string[] } {
    let at = Math.max(now, shutUntil);
    const short: string[] = [];
    for (const [name, weight] of cost) {
      const bucket = filled(name);
      if (bucket === undefined) continue;
      const ms = waitFor(lane, weight, bucket);
      if (ms > 0) short.push(name);
      at = Math.max(at, now + ms);
    }
    return { at, short };
  }

  function refuse(waiting: Waiting, at: number): void {
    waiting.answer({ granted: false, retryAt: Number.isFinite(at) ? toEpoch(at) : null });
  }

  /** Grants what it can, refuses requests that would wait in vain, and sets the timer for the next look. */
  function serve(): void {
    cancelTimer();
    const now = clock.uptime();
    /** Buckets that an earlier request is saving for: weight that comes back is reserved for it. */
    const saved = new Set<string>();
    /** Buckets of `saved` in which orders wait for the saving lane too. */
    const savedFromOrders = new Set<string>();
    let next = Number.POSITIVE_INFINITY;
    for (const waiting of [...queue]) {
      const { at, short } = prospects(waiting, now);
      const isOrder = waiting.lane === 'close' || waiting.lane === 'open';
      const behind = waiting.cost.some(([name]) => (isOrder ? savedFromOrders : saved).has(name));
      if (at <= now && !behind) {
        for (const [name, weight] of waiting.cost) {
          const bucket = buckets.get(name);
          if (bucket) bucket.level -= weight;
        }
        leave(waiting);
        waiting.answer({ granted: true });
      } else if (at > waiting.until || now >= waiting.until) {
        leave(waiting);
        refuse(waiting, Math.max(at, now + (behind ? BEHIND_MS : 1)));
      } else {
        for (const name of short) {
          saved.add(name);
          if (isOrder || buckets.get(name)?.size.keptForOrders === undefined) savedFromOrders.add(name);
        }
        next = Math.min(next, waiting.until, at > now ? at : Number.POSITIVE_INFINITY);
      }
    }
    if (Number.isFinite(next)) cancelTimer = clock.after(Math.max(1, Math.ceil(next - now)), serve);
  }

  function leave(waiting: Waiting): void {
    queue.splice(queue.indexOf(waiting), 1);
  }

  return {
    addBucket(name, size) {
      const bucket = filled(name);
      if (bucket === undefined) {
        buckets.set(name, { size, level: size.capacity, filledAt: clock.uptime() });
      } else {
        bucket.size = size;
        bucket.level = Math.min(bucket.level, size.capacity);
      }
      serve();
    },
    removeBucket(name) {
      buckets.delete(name);
      for (const waiting of queue.filter(({ cost }) => cost.some(([of]) => of === name))) {
        leave(waiting);
        refuse(waiting, Number.POSITIVE_INFINITY);
      }
      serve();
    },
    take(lane, cost, waitUntil) {
      return new Promise((answer) => {
        const behind = queue.findIndex((other) => RANK[other.lane] > RANK[lane]);
        const waiting: Waiting = { lane, cost: Object.entries(cost), until: toUptime(waitUntil), answer };
        queue.splice(behind < 0 ? queue.length : behind, 0, waiting);
        serve();
      });
    },
    count(name, weight) {
      const bucket = filled(name);
      if (bucket !== undefined) bucket.level = Math.max(0, bucket.level - weight);
    },
    giveBack(name, weight) {
      const bucket = filled(name);
      if (bucket === undefined) return;
      bucket.level = Math.min(bucket.size.capacity, bucket.level + weight);
      serve();
    },
    observe(name, used, limit) {
      const bucket = filled(name);
      if (bucket === undefined) return;
      if (limit === undefined) {
        bucket.level = Math.min(bucket.level, bucket.size.limit - used);
      } else {
        bucket.size = { ...bucket.size, capacity: limit, limit };
        bucket.level = Math.max(0, limit - used);
      }
      serve();
    },
    ban(until) {
      shutUntil = Math.max(shutUntil, toUptime(until));
      serve();
    },
    get bannedUntil() {
      return shutUntil > clock.uptime() ? toEpoch(shutUntil) : null;
    },
    level: (name) => filled(name)?.level ?? null,
  };
}
