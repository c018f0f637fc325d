/** Orders as a venue remembers them: all that it ever gave a number, by that and by the client's. */
import type { Order } from './parts.ts';

export class Orders<O extends Order> {
  readonly #byOid = new Map<number, O>();
  readonly #byClient = new Map<O['owner'], Map<string | number, O>>();
  readonly #byOwner = new Map<O['owner'], O[]>();
  readonly #open = new Set<O>();

  add(order: O): void {
    const { owner, oid, client } = order;
    this.#byOid.set(oid, order);
    const named = this.#byClient.get(owner) ?? new Map<string | number, O>();
    if (client !== null) named.set(client, order);
    this.#byClient.set(owner, named);
    const known = this.#byOwner.get(owner) ?? [];
    known.push(order);
    this.#byOwner.set(owner, known);
  }

  /** Sets the order's state. */
  mark(order: O, status: string, now: number): void {
    order.status = status;
    order.updatedAt = now;
    if (status === 'open') this.#open.add(order);
    else this.#open.delete(order);
  }

  byOid(owner: O['owner'] | undefined, oid: number): O | undefined {
    const order = this.#byOid.get(oid);
    return order?.owner === owner ? order : undefined;
  }

  byClient(owner: O['owner'] | undefined, client: string | number): O | undefined {
    return owner === undefined ? undefined : this.#byClient.get(owner)?.get(client);
  }

  /** Oldest first. */
  of(owner: O['owner'] | undefined): readonly O[] {
    return owner === undefined ? [] : (this.#byOwner.get(owner) ?? []);
  }

  /** @param owner missing: of all accounts */
  open(owner?: O['owner']): O[] {
    return [...this.#open].filter((order) => owner === undefined || order.owner === owner);
  }
}
