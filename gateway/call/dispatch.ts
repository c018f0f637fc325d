/** Calls a route from inside the gateway, for a tool of an agent. */
import type { IncomingMessage } from 'node:http';
import type { ValidationDetail } from '../contract/errors.ts';
import type { Principal } from '../domain/model.ts';
import type { ShownHeld } from '../domain/shown-held.ts';

/** A route's request without an HTTP request of its own: it comes from an agent's tool. */
export interface Dispatched {
  /** `POST /positions/:id/close`. */
  readonly route: string;
  readonly principal: Principal;
  /** The HTTP request behind it: only its connection counts, not its headers. */
  readonly req: IncomingMessage;
  readonly accountId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Agent's reason, in its own words, for the person who decides. */
  readonly reason?: string | undefined;
  readonly params?: unknown;
  /** As in an address: texts. */
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Left out: a request without a body. */
  readonly body?: unknown;
  /** true: the request is checked, and the handler is not called. */
  readonly onlyChecked?: boolean;
  /** Worst prices by instrument: no order that it places at once leaves at a worse one. */
  readonly worstPrices?: ReadonlyMap<string, string> | undefined;
  /** Quantities of a position that its preview showed: the request is refused if the position holds others by then. */
  readonly shown?: ShownHeld | undefined;
}

/** `code` is null in the framework shape (credential, header, path). */
export interface DispatchRefusal {
  readonly ok: false;
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly details: readonly ValidationDetail[] | Readonly<Record<string, unknown>>;
}

export type DispatchAnswer =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | DispatchRefusal;

/** Calls a route with the same checks and the same handler as over HTTP. Rejects only for bugs and broken disks. */
export type Dispatch = (asked: Dispatched) => Promise<DispatchAnswer>;
