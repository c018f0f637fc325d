/** Interface between the gateway and the program that runs it. */
import type { WorkInHand } from '../contract/shell-link.ts';
import type { MoneyWord } from '../domain/money.ts';
import type { ApprovalDesk } from '../engine/ports/approval-desk.ts';
import type { MandateBook } from '../engine/ports/mandate-book.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { FrontDoor } from '../front-door.ts';
import type { openStore } from '../store/open-store.ts';
import type { PaperVenue } from '../venues/paper/venue/paper-venue.ts';
import type { VENUE_PLUGS } from '../venues/registry.ts';

/** Replacements for real parts, used by tests and benchmarks. */
export interface GatewayOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly openStore?: typeof openStore;
  /** Default: all that `venues/registry.ts` lists. */
  readonly venues?: typeof VENUE_PLUGS;
  /** Free space of the data folder's disk. */
  readonly disk?: { readonly free: () => Promise<number> };
  readonly mandates?: MandateBook;
  readonly approvals?: ApprovalDesk;
}

/** The program around the gateway. */
export interface GatewayHost {
  /** Open port (front door) made before this module was loaded; without one the gateway opens its own. */
  readonly door?: FrontDoor;
  /** Key of the proof with which `GET /health` answers a challenge: holders of the key recognise this gateway. */
  readonly nonce?: string;
  /**
   * Set by the desktop app: called when a browser comes to the consent page of an open request, which the app then
   * shows itself. With it, the app's pages may open the WebSocket.
   */
  readonly consentAsked?: (uid: string) => void;
  /** Set by the desktop app: called when an order begins to wait for its user. */
  readonly approvalAsked?: (approvalId: string) => void;
}

export interface Gateway {
  readonly url: string;
  readonly port: number;
  /** Path of the gateway's Unix socket; null where it has none. */
  readonly socketPath: string | null;
  /** Kinds of money that the trade accounts use now, real money first; without any account: PAPER. */
  readonly money: readonly MoneyWord[];
  readonly mode: MoneyWord | 'MIXED';
  /** True while no user has registered. */
  readonly firstRun: boolean;
  /** Code with which the first user registers; null: there is a user already, or everybody may register. */
  readonly setupCode: string | null;
  /** Link that signs a browser in, once and within a minute (auth/sign-in-links.ts), or just opens the dashboard. */
  signInLink(): string;
  /** Counts of the executions, orders and waiting objects that a stop would affect. */
  work(): Promise<WorkInHand>;
  /** To be called when the machine woke from sleep: runs the checks that otherwise run every minute. */
  woke(): void;
  /** Lets running executions end within a limit, then closes the gateway. */
  close(): Promise<void>;
  /** Tests: the simulator behind a paper connector. */
  paperVenue(connector: string): PaperVenue;
}
