/** The gateway as the program around it sees it, and what that program gives it. */
import type { WorkInHand } from '../contract/shell-link.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { FrontDoor } from '../front-door.ts';
import type { Authenticator } from '../http/handler.ts';
import type { openStore } from '../store/open-store.ts';
import type { PaperVenue } from '../venues/paper/paper-venue.ts';
import type { VENUE_PLUGS } from '../venues/registry.ts';

/** What tests and benchmarks put in the place of the real parts. */
export interface GatewayOverrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly openStore?: typeof openStore;
  /** Default: all that `venues/registry.ts` lists. */
  readonly venues?: typeof VENUE_PLUGS;
  /** Benchmarks: stands between the HTTP checks and the real one. */
  readonly authenticator?: (real: Authenticator) => Authenticator;
}

/** The program around the gateway. */
export interface GatewayHost {
  /** Opened before this module was loaded; without it the gateway opens its own. */
  readonly door?: FrontDoor;
  /** Key of the proof that `GET /health` gives to a challenge: whoever has it knows that this gateway answers. */
  readonly nonce?: string;
  /**
   * The desktop app: told when a browser comes to the consent page of an open request, which it then shows itself. Its
   * pages may open the WebSocket.
   */
  readonly consentAsked?: (uid: string) => void;
}

export interface Gateway {
  readonly url: string;
  readonly port: number;
  /** Its Unix socket; null where it has none. */
  readonly socketPath: string | null;
  /** `PAPER` while no trade account is live. */
  readonly mode: string;
  /** Nobody has registered yet. */
  readonly firstRun: boolean;
  /** What the first user needs; null: there is one, or everybody may register. */
  readonly setupCode: string | null;
  /** Signs a browser in, once and within a minute (auth/sign-in-links.ts); without a user it only shows the dashboard. */
  signInLink(): string;
  /** What is under way or waits. */
  work(): Promise<WorkInHand>;
  /** The machine was asleep: looks at once at what is otherwise looked at every minute. */
  woke(): void;
  /** Drains, then closes. */
  close(): Promise<void>;
  /** Tests: the simulator behind a paper connector. */
  paperVenue(connector: string): PaperVenue;
}
