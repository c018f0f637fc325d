/**
 * One public channel and its subscribers. Updates are conflated: an update holds the latest value of each changed row,
 * is sent at most once per interval, and is serialised once for all subscribers that keep up. A subscriber that lags
 * gets no updates until it has read its unread data, and then starts again from a snapshot.
 */
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';
import type { Connection } from './connection.ts';
import { publicFrame } from './frames.ts';

export interface PublicSource {
  /** All rows as the text of a JSON array. */
  all(): string;
  /** The rows with these ids as the text of a JSON array. */
  some(ids: ReadonlySet<string>): string;
  readonly intervalMs: number;
}

export type Subscriber = Pick<Connection, 'isOpen' | 'isCongested' | 'send' | 'onceDrained'>;

export interface PublicCounters {
  publicFrames: number;
  publicDropped: number;
}

export class PublicChannel {
  readonly #name: string;
  readonly #source: PublicSource;
  readonly #clock: Clock;
  readonly #counters: PublicCounters;
  readonly #subscribers = new Set<Subscriber>();
  readonly #lagging = new Set<Subscriber>();
  readonly #changed = new Set<string>();
  #snapshot: Buffer | null = null;
  #lastUpdateAt = Number.NEGATIVE_INFINITY;
  #cancelUpdate: Unsubscribe | null = null;

  constructor(name: string, source: PublicSource, clock: Clock, counters: PublicCounters) {
    this.#name = name;
    this.#source = source;
    this.#clock = clock;
    this.#counters = counters;
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0;
  }

  subscribe(connection: Subscriber): void {
    this.#subscribers.add(connection);
    this.#catchUp(connection);
  }

  unsubscribe(connection: Subscriber): void {
    this.#subscribers.delete(connection);
    this.#lagging.delete(connection);
    if (this.isEmpty) this.close();
  }

  /** Notes that the rows with these ids have new values. */
  touch(ids: Iterable<string>): void {
    if (this.isEmpty) return;
    for (const id of ids) this.#changed.add(id);
    if (this.#changed.size === 0) return;
    this.#snapshot = null;
    if (this.#cancelUpdate !== null) return;
    const waitMs = this.#lastUpdateAt + this.#source.intervalMs - this.#clock.now();
    if (waitMs <= 0) this.#update();
    else this.#cancelUpdate = this.#clock.after(waitMs, () => this.#update());
  }

  close(): void {
    this.#cancelUpdate?.();
    this.#cancelUpdate = null;
    this.#changed.clear();
    this.#snapshot = null;
  }

  #update(): void {
    this.#cancelUpdate = null;
    const now = this.#clock.now();
    this.#lastUpdateAt = now;
    const frame = publicFrame(this.#name, 'update', now, this.#source.some(this.#changed));
    this.#changed.clear();
    for (const connection of this.#subscribers) {
      if (this.#lagging.has(connection)) {
        this.#counters.publicDropped += 1;
      } else if (connection.isCongested) {
        this.#counters.publicDropped += 1;
        this.#catchUp(connection);
      } else {
        this.#counters.publicFrames += 1;
        connection.send(frame);
      }
    }
  }

  /** Sends a snapshot as soon as the client's backlog allows it. */
  #catchUp(connection: Subscriber): void {
    if (this.#lagging.has(connection)) return;
    this.#lagging.add(connection);
    connection.onceDrained(() => {
      if (!this.#lagging.delete(connection) || !connection.isOpen) return;
      if (connection.isCongested) {
        this.#catchUp(connection);
        return;
      }
      this.#snapshot ??= publicFrame(this.#name, 'snapshot', this.#clock.now(), this.#source.all());
      this.#counters.publicFrames += 1;
      connection.send(this.#snapshot);
    });
  }
}
