/** Reads records of pending triggers. All requests of one turn of the event loop share one query. */
import type { Trigger } from '../../../domain/trigger.ts';
import type { Store } from '../../ports/store.ts';
import type { LiveTriggers } from './live-triggers.ts';

interface Asked {
  readonly id: string;
  readonly resolve: (trigger: Trigger | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class TriggerReader {
  readonly #store: Pick<Store, 'triggersByIds'>;
  readonly #live: LiveTriggers;
  #asked: Asked[] = [];

  constructor(store: Pick<Store, 'triggersByIds'>, live: LiveTriggers) {
    this.#store = store;
    this.#live = live;
  }

  /** The record of a live trigger; reading for a change needs its lock. undefined: the trigger has ended. */
  async read(id: string): Promise<Trigger | undefined> {
    const live = this.#live.get(id);
    if (live === undefined) return undefined;
    if (live.record !== null) return live.record;
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => void this.#readAll());
      this.#asked.push({ id, resolve, reject });
    });
  }

  async #readAll(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const found = await this.#store.triggersByIds(asked.map(({ id }) => id));
      const byId = new Map(found.map((trigger) => [trigger.id, trigger]));
      for (const { id, resolve } of asked) resolve(byId.get(id));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
