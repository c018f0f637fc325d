/**
 * The private event streams of trade accounts.
 *
 * Invariants, per subscription: events arrive in rising `seq`; with `resumeFrom` R the first event is R + 1 and none is
 * missing or repeated, however publishing and replaying interleave; a stream that cannot guarantee so sends `resync`.
 * Method: from the moment of subscribing live events are set aside; the disk is read to its last event; then the newer
 * ones of the events set aside are sent and the subscription goes live, within the same turn of the event loop.
 */

import type { Money } from '../domain/money.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { StoredEvent } from '../engine/ports/unit-of-work.ts';
import type { Connection } from './connection.ts';
import { errorFrame, privateFrame, resyncFrame } from './frames.ts';

const PAGE_SIZE = 500;
/** Maximum live events set aside during a replay. Further events are read from the disk, which has them too. */
const MAX_SET_ASIDE = 1_000;
/** Number of rereads of a gap in the event numbers before the client is told to resync. */
const MAX_REREADS = 3;

export interface StreamOwner {
  readonly connection: Pick<Connection, 'isOpen' | 'send' | 'drained'>;
  /** True: the account is still the client's. Asked before each live event; false ends the subscription. */
  mayReceive(subscription: PrivateSubscription): boolean;
  /** Ends the subscription when stored events could not be read for a replay. */
  endStream(subscription: PrivateSubscription): void;
}

export interface PrivateSubscription {
  readonly owner: StreamOwner;
  readonly tradeAccountId: string;
  readonly money: Money;
  /** The last `seq` that the client has; events up to that `seq` are not sent again. */
  cursor: number;
  phase: 'starting' | 'live' | 'ended';
  setAside: StoredEvent[];
  overflowed: boolean;
}

export interface PrivateStreams {
  /**
   * Sets live events aside from this call until `start`. `after` is the last `seq` that the client has; null: the
   * client wants new events only.
   */
  open(
    owner: StreamOwner,
    account: Money & { readonly id: string },
    after: number | null,
  ): PrivateSubscription;
  /**
   * Last committed seq of the account. Later events are all delivered to a subscription that was opened before this
   * call.
   */
  position(tradeAccountId: string): number | Promise<number>;
  /** Replays the missed events if `resume`, then goes live. */
  start(subscription: PrivateSubscription, resume: boolean): void;
  end(subscription: PrivateSubscription): void;
  publish(events: readonly StoredEvent[]): void;
}

export interface PrivateStreamsOptions {
  readonly store: Pick<Store, 'events' | 'lastSeq'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly counters: { privateFrames: number };
  readonly pageSize?: number;
  readonly maxSetAside?: number;
}

export function createPrivateStreams(options: PrivateStreamsOptions): PrivateStreams {
  const { store, clock, logger, counters } = options;
  const { pageSize = PAGE_SIZE, maxSetAside = MAX_SET_ASIDE } = options;
  const byAccount = new Map<string, Set<PrivateSubscription>>();
  /** Last seq published in this run, per account. */
  const published = new Map<string, number>();

  function isActive(subscription: PrivateSubscription): boolean {
    return subscription.phase !== 'ended' && subscription.owner.connection.isOpen;
  }

  function deliver(subscription: PrivateSubscription, event: StoredEvent, frame: Buffer): void {
    subscription.cursor = event.seq;
    counters.privateFrames += 1;
    subscription.owner.connection.send(frame);
  }

  function goLive(subscription: PrivateSubscription): void {
    for (const event of subscription.setAside) {
      if (event.seq > subscription.cursor)
        deliver(subscription, event, privateFrame(event, subscription.money));
    }
    subscription.setAside = [];
    if (subscription.phase === 'starting') subscription.phase = 'live';
  }

  function resync(subscription: PrivateSubscription, lastStored: number): void {
    const seq = published.get(subscription.tradeAccountId) ?? lastStored;
    subscription.setAside = subscription.setAside.filter((event) => event.seq > seq);
    subscription.cursor = 0;
    const { tradeAccountId, money } = subscription;
    subscription.owner.connection.send(resyncFrame(tradeAccountId, seq, clock.now(), money));
    goLive(subscription);
  }

  /** Sends the events on disk after the cursor, page by page, at the client's pace. */
  async function replay(subscription: PrivateSubscription): Promise<void> {
    const { tradeAccountId, owner } = subscription;
    for (let rereads = 0; ; ) {
      // Events that overflowed before this point are on the disk before the read begins.
      if (subscription.overflowed) {
        subscription.overflowed = false;
        subscription.setAside = [];
      }
      const page = await store.events(tradeAccountId, subscription.cursor, pageSize);
      if (!isActive(subscription)) return;
      const last = Math.max(page.last, published.get(tradeAccountId) ?? 0);
      const [first] = page.events;
      const missing =
        first === undefined
          ? subscription.cursor < page.last && (page.oldest === 0 || page.oldest > subscription.cursor + 1)
          : first.seq !== subscription.cursor + 1;
      if (missing || subscription.cursor > last) {
        resync(subscription, page.last);
        return;
      }
      for (const event of page.events) deliver(subscription, event, privateFrame(event, subscription.money));
      if (page.events.length === pageSize) {
        await owner.connection.drained();
        if (!isActive(subscription)) return;
        continue;
      }
      if (subscription.overflowed) continue;
      const next = subscription.setAside.find((event) => event.seq > subscription.cursor);
      if (next !== undefined && next.seq !== subscription.cursor + 1) {
        rereads += 1;
        if (rereads <= MAX_REREADS) continue;
        logger.error({ tradeAccountId, after: subscription.cursor, next: next.seq }, 'Hole in stored events');
        resync(subscription, page.last);
        return;
      }
      goLive(subscription);
      return;
    }
  }

  return {
    open(owner, { id: tradeAccountId, mode, network }, after) {
      const subscription: PrivateSubscription = {
        owner,
        tradeAccountId,
        money: { mode, network },
        cursor: after ?? 0,
        phase: 'starting',
        setAside: [],
        overflowed: false,
      };
      let subscriptions = byAccount.get(tradeAccountId);
      if (subscriptions === undefined) {
        subscriptions = new Set();
        byAccount.set(tradeAccountId, subscriptions);
      }
      subscriptions.add(subscription);
      return subscription;
    },
    position(tradeAccountId) {
      return (
        published.get(tradeAccountId) ??
        store.events(tradeAccountId, store.lastSeq(tradeAccountId), 1).then(({ last }) => last)
      );
    },
    start(subscription, resume) {
      if (!isActive(subscription)) return;
      const [first] = subscription.setAside;
      if (!resume && subscription.overflowed && first !== undefined) {
        // Not all events since `open` were set aside: the disk is read from the first of them.
        subscription.cursor = first.seq - 1;
      } else if (!resume) {
        goLive(subscription);
        return;
      }
      replay(subscription).catch((error: unknown) => {
        logger.error({ err: error, tradeAccountId: subscription.tradeAccountId }, 'Could not replay events');
        if (!isActive(subscription)) return;
        subscription.owner.connection.send(
          errorFrame(null, 'INTERNAL_ERROR', 'Stored events could not be read'),
        );
        subscription.owner.endStream(subscription);
      });
    },
    end(subscription) {
      subscription.phase = 'ended';
      subscription.setAside = [];
      const subscriptions = byAccount.get(subscription.tradeAccountId);
      subscriptions?.delete(subscription);
      if (subscriptions?.size === 0) byAccount.delete(subscription.tradeAccountId);
    },
    publish(events) {
      for (const event of events) {
        published.set(event.tradeAccountId, event.seq);
        const subscriptions = byAccount.get(event.tradeAccountId);
        if (subscriptions === undefined) continue;
        let frame: Buffer | null = null;
        for (const subscription of subscriptions) {
          if (!subscription.owner.mayReceive(subscription) || event.seq <= subscription.cursor) continue;
          if (subscription.phase === 'live') {
            frame ??= privateFrame(event, subscription.money);
            deliver(subscription, event, frame);
          } else if (subscription.setAside.length < maxSetAside && !subscription.overflowed) {
            subscription.setAside.push(event);
          } else {
            subscription.overflowed = true;
          }
        }
      }
    },
  };
}
