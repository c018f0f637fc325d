/**
 * Many min-heaps over one set of nodes: each node is in one heap or in none, and a heap is known by its root (0 =
 * empty). Pairing heaps (Fredman, Sedgewick, Sleator and Tarjan 1986): inserting is O(1), removing any node O(log n)
 * amortised, and a node needs three links and its key: 20 bytes, nothing per heap.
 *
 * Operations that change a heap return its new root, which the caller must store.
 */
import { int, longerInts, longerReals, real, roomier } from './columns.ts';

/**
 * Links of a node. `BEFORE` is the left sibling; for a first child the parent; for a root the node itself; for a node
 * in no heap 0.
 */
const LINKS = 3;
const CHILD = 0;
const NEXT = 1;
const BEFORE = 2;

export class PairingHeaps {
  #keys = new Float64Array(0);
  #links = new Int32Array(0);

  /** Reserves memory for nodes 1 to `last`. */
  reserve(last: number): void {
    if (last < this.#keys.length) return;
    const room = roomier(last, this.#keys.length);
    this.#keys = longerReals(this.#keys, room);
    this.#links = longerInts(this.#links, room * LINKS);
  }

  has(node: number): boolean {
    return int(this.#links, node * LINKS + BEFORE) !== 0;
  }

  key(node: number): number {
    return real(this.#keys, node);
  }

  /** The smallest key of a heap; +Infinity if it is empty. */
  least(root: number): number {
    return root === 0 ? Number.POSITIVE_INFINITY : real(this.#keys, root);
  }

  /** Inserts a node that is in no heap. Keys may be infinite, but never NaN. */
  insert(root: number, node: number, key: number): number {
    this.#keys[node] = key;
    this.#setLinks(node, 0, 0, node);
    return root === 0 ? node : this.#asRoot(this.#meld(root, node));
  }

  /** Removes a node that is in the heap of `root`. */
  remove(root: number, node: number): number {
    const links = this.#links;
    const at = node * LINKS;
    const orphans = this.#mergeSiblings(int(links, at + CHILD));
    let left = orphans;
    if (node !== root) {
      const before = int(links, at + BEFORE);
      const next = int(links, at + NEXT);
      const isFirst = int(links, before * LINKS + CHILD) === node;
      links[before * LINKS + (isFirst ? CHILD : NEXT)] = next;
      if (next !== 0) links[next * LINKS + BEFORE] = before;
      left = orphans === 0 ? root : this.#meld(root, orphans);
    }
    this.#setLinks(node, 0, 0, 0);
    return left === 0 ? 0 : this.#asRoot(left);
  }

  /** Appends every node with a key of at most `limit`, in no particular order. */
  collect(root: number, limit: number, into: number[]): void {
    if (root === 0 || real(this.#keys, root) > limit) return;
    const first = into.length;
    into.push(root);
    // The list of found nodes is also the queue of nodes whose children must still be visited.
    for (let at = first; at < into.length; at += 1) {
      let child = int(this.#links, (into[at] ?? 0) * LINKS + CHILD);
      while (child !== 0) {
        if (real(this.#keys, child) <= limit) into.push(child);
        child = int(this.#links, child * LINKS + NEXT);
      }
    }
  }

  /** Merges two heaps and returns the new root; the other root becomes its first child. */
  #meld(a: number, b: number): number {
    const links = this.#links;
    const winner = real(this.#keys, b) < real(this.#keys, a) ? b : a;
    const loser = winner === a ? b : a;
    const child = int(links, winner * LINKS + CHILD);
    if (child !== 0) links[child * LINKS + BEFORE] = loser;
    links[loser * LINKS + NEXT] = child;
    links[loser * LINKS + BEFORE] = winner;
    links[winner * LINKS + CHILD] = loser;
    return winner;
  }

  /** Two passes: siblings are merged in pairs, then the pairs into one heap, from last to first. */
  #mergeSiblings(first: number): number {
    const links = this.#links;
    let pairs = 0;
    let node = first;
    while (node !== 0) {
      const partner = int(links, node * LINKS + NEXT);
      const rest = partner === 0 ? 0 : int(links, partner * LINKS + NEXT);
      const winner = partner === 0 ? node : this.#meld(node, partner);
      links[winner * LINKS + NEXT] = pairs;
      pairs = winner;
      node = rest;
    }
    if (pairs === 0) return 0;
    let root = pairs;
    node = int(links, root * LINKS + NEXT);
    while (node !== 0) {
      const rest = int(links, node * LINKS + NEXT);
      root = this.#meld(root, node);
      node = rest;
    }
    return root;
  }

  #asRoot(node: number): number {
    this.#links[node * LINKS + NEXT] = 0;
    this.#links[node * LINKS + BEFORE] = node;
    return node;
  }

  #setLinks(node: number, child: number, next: number, before: number): void {
    const at = node * LINKS;
    this.#links[at + CHILD] = child;
    this.#links[at + NEXT] = next;
    this.#links[at + BEFORE] = before;
  }
}
