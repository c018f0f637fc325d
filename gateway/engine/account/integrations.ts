/** Integrations to which trades may be attributed. All are in memory, which follows the disk. */
import type { Integration, IntegrationStatus } from '../../domain/integration.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, invalid, notFound, storeFailed } from '../core/errors.ts';
import type { Store } from '../ports/store.ts';

export class Integrations {
  readonly #deps: Pick<EngineDeps, 'store' | 'clock' | 'ids'>;
  readonly #byId = new Map<string, Integration>();
  readonly #active = new Set<string>();
  readonly #queue = new KeyedQueue();

  constructor(deps: Pick<EngineDeps, 'store' | 'clock' | 'ids'>) {
    this.#deps = deps;
  }

  async load(store: Pick<Store, 'integrations'>): Promise<void> {
    for (const integration of await store.integrations()) this.#put(integration);
  }

  /** The user's integrations, oldest first. */
  list(userId: string): readonly Integration[] {
    return [...this.#byId.values()].filter((integration) => integration.userId === userId);
  }

  isActive(userId: string, clientId: string): boolean {
    return this.#active.has(clientOf(userId, clientId));
  }

  create(
    userId: string,
    wanted: Pick<Integration, 'clientId' | 'name' | 'status'>,
  ): Promise<Result<Integration, EngineError>> {
    return this.#queue.run(userId, async () => {
      const now = this.#deps.clock.now();
      return this.#save({ id: this.#deps.ids.next(), userId, ...wanted, createdAt: now, updatedAt: now });
    });
  }

  change(
    userId: string,
    id: string,
    change: { readonly name?: string | undefined; readonly status?: IntegrationStatus | undefined },
  ): Promise<Result<Integration, EngineError>> {
    return this.#queue.run(userId, async () => {
      const current = this.#byId.get(id);
      if (current?.userId !== userId) return notFound('Integration');
      return this.#save({
        ...current,
        name: change.name ?? current.name,
        status: change.status ?? current.status,
        updatedAt: this.#deps.clock.now(),
      });
    });
  }

  async #save(integration: Integration): Promise<Result<Integration, EngineError>> {
    const committed = await this.#deps.store.commit({ integrations: [integration] });
    if (!committed.ok) {
      return committed.error.kind === 'conflict'
        ? invalid('clientId', 'An integration with this clientId exists already', 'not_unique')
        : storeFailed(committed.error);
    }
    this.#put(integration);
    return ok(integration);
  }

  #put(integration: Integration): void {
    this.#byId.set(integration.id, integration);
    const client = clientOf(integration.userId, integration.clientId);
    if (integration.status === 'ACTIVE') this.#active.add(client);
    else this.#active.delete(client);
  }
}

function clientOf(userId: string, clientId: string): string {
  return `${userId} ${clientId}`;
}
