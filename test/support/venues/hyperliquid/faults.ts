/** What goes wrong, by script: each fault names the requests that it meets and how often it does. */

export type FaultAct =
  /** The connection is cut and nothing executed. */
  | { readonly do: 'cut_before' }
  /** Executed, then the connection is cut without an answer. */
  | { readonly do: 'lose_answer' }
  /** No answer ever comes. */
  | { readonly do: 'hang'; readonly execute: boolean }
  | { readonly do: 'delay'; readonly beforeMs?: number; readonly afterMs?: number }
  /** An HTTP status of a proxy before the venue, as 502 with a page of HTML or 429. */
  | { readonly do: 'status'; readonly code: number; readonly body?: string; readonly execute?: boolean }
  /** This JSON comes instead of the real answer. */
  | { readonly do: 'answer'; readonly json: unknown; readonly execute?: boolean }
  /** Executed; the answer breaks off in the middle of its JSON, with a length that claims to be whole. */
  | { readonly do: 'truncate' }
  /** One leg of a batch of orders is refused with these words, whatever it is like. */
  | { readonly do: 'refuse_leg'; readonly leg: number; readonly text: string; readonly status?: string };

export type Fault = FaultAct & {
  /** Type of an info request or of an action (`orderStatus`, `order`); `info`, `exchange` or `*` for all of them. */
  readonly on: string;
  /** The account that is asked about or acts for; missing: any. */
  readonly user?: string;
  /** How many requests it meets; null: all until it is cleared. Default 1. */
  readonly times?: number | null;
};

export interface Met {
  readonly path: 'info' | 'exchange';
  readonly type: string;
  readonly user: string | null;
}

export class Faults {
  #armed: { readonly fault: Fault; left: number }[] = [];

  arm(fault: Fault): void {
    this.#armed.push({ fault, left: fault.times === null ? Number.POSITIVE_INFINITY : (fault.times ?? 1) });
  }

  clear(): void {
    this.#armed = [];
  }

  /** True: a fault waits that names an account. */
  get asksUser(): boolean {
    return this.#armed.some(({ fault }) => fault.user !== undefined);
  }

  /** How many faults still wait for a request. */
  get armed(): number {
    return this.#armed.length;
  }

  /** All faults that meet this request; each counts as used. */
  meet({ path, type, user }: Met): readonly FaultAct[] {
    const met = this.#armed.filter(
      ({ fault }) =>
        [type, path, '*'].includes(fault.on) &&
        (fault.user === undefined || fault.user.toLowerCase() === user?.toLowerCase()),
    );
    for (const one of met) one.left -= 1;
    this.#armed = this.#armed.filter(({ left }) => left > 0);
    return met.map(({ fault }) => fault);
  }
}
