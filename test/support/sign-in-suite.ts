/** Shared by suites about sign-in: a dashboard whose clock can be set forward, and tabs of visitors. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { systemClock } from '../../gateway/system/clock.ts';
import { openWatched, type WatchedPage } from './browser.ts';
import { dashboardSuite, USER } from './dashboard-suite.ts';
import { PASSWORD, signIn } from './gateway-client.ts';
import { buildGateway } from './gateway-process.ts';
import type { Json } from './json.ts';

type Headers = Readonly<Record<string, string>>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Answers to a session that has ended. */
export const ended = (status: number) => status === 401;

/** The machine's clock, which a test can set forward. Timers keep their remaining time. */
function leapingClock() {
  let leaptMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + leaptMs,
    uptime: () => systemClock.uptime() + leaptMs,
    leap(ms: number) {
      leaptMs += ms;
    },
  };
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
export const isIn = (page: Page) => page.getByText('Live data').waitFor();
export const fill = async (page: Page, password = PASSWORD) => {
  await page.getByLabel('E-mail').fill(USER);
  await page.getByLabel('Password', { exact: true }).fill(password);
};

/** Signs in over the screen that is there, whose session has ended. @param look before anything is typed */
export async function signInOver(
  page: Page,
  look: () => Promise<void> = async () => undefined,
): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Your session has ended' });
  await question.waitFor();
  await look();
  await fill(page);
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await isIn(page);
}

/** Call it in `describe`. */
export function signInSuite() {
  // Before a page is open, whose files a build would take away.
  before(buildGateway);
  const clock = leapingClock();
  const suite = dashboardSuite({ overrides: { clock } });
  const tabs: WatchedPage[] = [];

  /** Somebody who is not signed in. */
  async function visit(isExpected: (status: number, path: string) => boolean = () => false): Promise<Page> {
    const tab = await openWatched(suite.browser, { viewport: { width: 1280, height: 800 } }, isExpected);
    tabs.push(tab);
    return tab.page;
  }
  async function closeTabs(): Promise<void> {
    const closing = tabs.splice(0);
    await Promise.all(closing.map((tab) => tab.close()));
    expect(closing.flatMap(({ offences }) => offences)).to.deep.equal([]);
  }
  afterEach(closeTabs);

  /** The user's sessions but the one that asks, which has ended afterwards. */
  async function otherSessions(
    use: (ids: readonly string[], headers: Headers) => Promise<void>,
  ): Promise<void> {
    const { headers } = await signIn(suite.gateway, USER);
    const listed: readonly Json[] = (await suite.gateway.request('GET', '/auth/sessions', { headers })).json
      .sessions;
    await use(
      listed.filter(({ current }) => !current).map(({ id }) => id),
      headers,
    );
    await suite.gateway.request('POST', '/auth/logout', { headers });
  }

  const address = (path: string) => `http://tandem.localhost:${suite.gateway.port}${path}`;
  return { suite, clock, address, visit, closeTabs, otherSessions };
}
