/**
 * Queue that does not reward waiting long, because an attacker may fill it with many connections. Known callers come
 * first, then the connection that has tried least often, then the latest arrival. A flood on connections that stay
 * open is served after every newcomer; a flood on new connections has to keep arriving later than every newcomer.
 */

export interface InLine {
  readonly peer: object;
  readonly isKnown: boolean;
  readonly isGone: () => boolean;
}

interface Waiting {
  readonly caller: InLine;
  /** Number of attempts of the connection when it joined the queue. */
  readonly attempts: number;
  readonly order: number;
  readonly called: (isItsTurn: boolean) => void;
}

/** Number of attempts of each connection, forgotten when the connection ends. */
export class PeerAttempts {
  readonly #attempts = new WeakMap<object, number>();

  of(peer: object): number {
    return this.#attempts.get(peer) ?? 0;
  }

  count(peer: object): void {
    this.#attempts.set(peer, this.of(peer) + 1);
  }

  forget(peer: object): void {
    this.#attempts.delete(peer);
  }
}

export class WaitingLine {
  readonly #attempts: PeerAttempts;
  readonly #maxWaiting: number;
  #waiting: Waiting[] = [];
  #order = 0;

  constructor(attempts: PeerAttempts, maxWaiting: number) {
    this.#attempts = attempts;
    this.#maxWaiting = maxWaiting;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** True: it is the caller's turn; false: the queue was too long, or the caller has gone. */
  wait(caller: InLine): Promise<boolean> {
    return new Promise((called) => {
      this.#order += 1;
      this.#waiting.push({ caller, attempts: this.#attempts.of(caller.peer), order: this.#order, called });
      if (this.#waiting.length > this.#maxWaiting) this.#take(this.#last())?.called(false);
    });
  }

  /** Calls the next in line and returns it; null: nobody waits. `onlyKnown`: known callers only. */
  callNext({ onlyKnown = false }: { readonly onlyKnown?: boolean } = {}): InLine | null {
    this.#dropGone();
    const next = this.#first(onlyKnown);
    if (next === undefined) return null;
    this.#take(next)?.called(true);
    return next.caller;
  }

  #dropGone(): void {
    if (!this.#waiting.some(({ caller }) => caller.isGone())) return;
    const gone = this.#waiting.filter(({ caller }) => caller.isGone());
    this.#waiting = this.#waiting.filter(({ caller }) => !caller.isGone());
    for (const { called } of gone) called(false);
  }

  #first(onlyKnown: boolean): Waiting | undefined {
    let first: Waiting | undefined;
    for (const one of this.#waiting) {
      if (onlyKnown && !one.caller.isKnown) continue;
      if (first === undefined || comesBefore(one, first)) first = one;
    }
    return first;
  }

  #last(): Waiting | undefined {
    let last: Waiting | undefined;
    for (const one of this.#waiting) if (last === undefined || comesBefore(last, one)) last = one;
    return last;
  }

  #take(one: Waiting | undefined): Waiting | undefined {
    if (one !== undefined) this.#waiting.splice(this.#waiting.indexOf(one), 1);
    return one;
  }
}

function comesBefore(a: Waiting, b: Waiting): boolean {
  if (a.caller.isKnown !== b.caller.isKnown) return a.caller.isKnown;
  if (a.attempts !== b.attempts) return a.attempts < b.attempts;
  return a.order > b.order;
}
