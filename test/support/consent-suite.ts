/** Parts shared by suites about the consent page: a browser, a gateway with one user, an agent that asks. */
import type { Browser, Page } from 'playwright-core';
import { chromiumForSuite, type Expected } from './browser.ts';
import {
  type Ask,
  type AskOptions,
  type ConsentDesk,
  denyButton,
  EMAIL,
  openConsentDesk,
  signIn,
} from './consent-desk.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Json } from './json.ts';
import { openForSuite } from './open-for-tests.ts';

interface OpenedAsk {
  readonly page: Page;
  readonly ask: Ask;
}

export interface ConsentSuite {
  readonly browser: Browser;
  readonly gateway: TestGateway;
  readonly desk: ConsentDesk;
  /** The answer to the registration of `EMAIL`; null where nobody is registered. */
  readonly user: Json;
  /** A new request in a browser profile of its own. */
  open(options?: AskOptions, isExpected?: Expected): Promise<OpenedAsk>;
  /** The same, with its user signed in: the decision is shown. */
  openSignedIn(options?: AskOptions, isExpected?: Expected): Promise<OpenedAsk>;
}

/** Call it in `describe`. What the pages of a test do wrong fails it at its end. */
export function consentSuite({ isRegistered = true } = {}): ConsentSuite {
  const browser = chromiumForSuite();
  const suite = openForSuite(
    async (): Promise<ConsentSuite> => {
      const gateway = await startTestGateway({ clock: null });
      const user = isRegistered ? await gateway.register(EMAIL) : null;
      const desk = await openConsentDesk(browser, gateway);
      const open: ConsentSuite['open'] = async (options, isExpected) => {
        const { page } = await desk.browse({}, isExpected);
        const ask = await desk.ask(options);
        await page.goto(ask.address);
        return { page, ask };
      };
      return {
        ...{ browser, gateway, desk, user, open },
        async openSignedIn(options, isExpected) {
          const opened = await open(options, isExpected);
          await signIn(opened.page);
          await denyButton(opened.page).waitFor();
          return opened;
        },
      };
    },
    async ({ desk, gateway }) => {
      await desk.close();
      await gateway.close();
    },
  );
  afterEach(() => suite.desk.closePages());
  return suite;
}
