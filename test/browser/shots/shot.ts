/** One state of a screen to be looked at: how to get there. */
import type { Locator, Page } from 'playwright-core';
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

export type Step = (stage: Stage) => Promise<unknown>;
/** Part of the page by which a picture shows the state it is named after. */
export type Proof = (page: Page) => Locator;

interface ShotOptions {
  /** Before each picture, of a state that comes and goes: waits until it is there again. */
  readonly stands?: Step;
  /** Least width of the window, px, in which there is such a state; left out: any. */
  readonly from?: number;
  /** After the pictures: what the next state must not find. */
  readonly clear?: Step;
}

export interface Shot extends ShotOptions {
  /** Name of the picture: `review-of-a-trigger`. */
  readonly name: string;
  /** Waited for, and brought into view, before each picture in each size and theme. */
  readonly proof: Proof;
  /** Brings the page to the state. States of a screen share their gateway, in their order. */
  readonly show: Step;
}

export interface ScreenShots {
  readonly screen: string;
  /** With fees and depth as a trader meets them; left out: a market without friction, whose figures are round. */
  readonly isRealistic?: boolean;
  readonly shots: readonly Shot[];
}

/** A state that is reached by an address and the steps from there. */
export function at(
  path: string,
  name: string,
  proof: Proof,
  then: Step = async () => undefined,
  options: ShotOptions = {},
): Shot {
  return {
    name,
    proof,
    async show(stage) {
      await stage.goTo(path);
      await then(stage);
    },
    ...options,
  };
}

/** The same shot after what it needs on the account. */
export const after = (before: Step, shot: Shot): Shot => ({
  ...shot,
  async show(stage) {
    await before(stage);
    await shot.show(stage);
  },
});

/** Presses the first button of this name. */
export const press =
  (name: string | RegExp): Step =>
  ({ page }) =>
    page.getByRole('button', { name }).first().click();

/** One step after the other. */
export const steps =
  (...all: readonly Step[]): Step =>
  async (stage) => {
    for (const step of all) await step(stage);
  };
