/** One state of a screen to be looked at: how to get there. */
import type { Page } from 'playwright-core';
import type { SeededGateway } from '../../support/seeded-gateway.ts';
import type { Trader } from '../../support/trader.ts';

export interface Stage {
  readonly gateway: SeededGateway;
  /** The user who is signed in, on its first account. */
  readonly bot: Trader;
  /** A new page for each state, signed in. */
  readonly page: Page;
  goTo(screen: string): Promise<void>;
}

export interface Shot {
  /** Name of the picture: `review-of-a-trigger`. What proves that it shows that stands in `proofs.ts`. */
  readonly name: string;
  /** Brings the page to the state and waits until it is there. States of a screen share their gateway, in their order. */
  readonly show: (stage: Stage) => Promise<void>;
  /** Before each picture, of a state that comes and goes: waits until it is there again. */
  readonly stands?: (stage: Stage) => Promise<void>;
  /** Least width of the window, px, in which there is such a state; left out: any. */
  readonly from?: number;
  /** After the pictures: what the next state must not find. */
  readonly clear?: (stage: Stage) => Promise<void>;
}

export interface ScreenShots {
  readonly screen: string;
  /** With fees and depth as a trader meets them; left out: a market without friction, whose figures are round. */
  readonly isRealistic?: boolean;
  readonly shots: readonly Shot[];
}
