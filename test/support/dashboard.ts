/** The dashboard in a browser, as the runner has built it: signed in with the key of its browser, watched and checked. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { type Expected, openWatched, type WatchedPage } from './browser.ts';
import type { TestGateway } from './gateway.ts';
import { IS_LONG } from './long-run.ts';
import { signInFromPage } from './page-sign-in.ts';

const BLANK = '<!doctype html><link rel="icon" href="data:,">';
const ASSETS = fileURLToPath(new URL('../../dist/renderer/assets', import.meta.url));

/** One of the files that the page loads. */
export async function dashboardAssetName(): Promise<string> {
  const names = await readdir(ASSETS);
  return names.find((name) => name.endsWith('.js')) ?? '';
}

/** The scripts as they are built. */
export async function dashboardScripts(): Promise<
  readonly { readonly name: string; readonly text: string }[]
> {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(`${ASSETS}/${name}`, 'utf8') })),
  );
}

export interface DashboardPage extends WatchedPage {
  /** Shows a screen: `/positions`. */
  goTo(screen: string): Promise<void>;
}

export interface DashboardOptions {
  readonly email: string;
  readonly context?: BrowserContextOptions;
  readonly isExpected?: Expected;
}

/** A tab of its own browser profile, signed in as a user who exists. */
export async function openDashboard(
  browser: Browser,
  gateway: Pick<TestGateway, 'port'>,
  { email, context = {}, isExpected }: DashboardOptions,
): Promise<DashboardPage> {
  const origin = `http://tandem.localhost:${gateway.port}`;
  const tab = await openWatched(browser, { viewport: { width: 1280, height: 800 }, ...context }, isExpected);
  // Any page of the origin will do to sign in from. Every test does it: this one costs nothing and asks for nothing.
  const blank = `${origin}/blank`;
  await tab.page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: BLANK }));
  await tab.page.goto(blank);
  await tab.page.unroute(blank);
  await signInFromPage(tab.page, email);
  return {
    ...tab,
    goTo: async (screen) => {
      await tab.page.goto(`${origin}/app${screen}`);
    },
  };
}

/** The same for a state of a screen whose main states `npm test` looks at already. */
export async function expectAccessibleWhenLong(page: Page, state: string): Promise<void> {
  if (IS_LONG) await expectAccessible(page, state);
}

/** No violation of axe-core's rules; in a long run in either theme, else in the dark one. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  // While the file of a screen is still on its way there is no screen yet to look at.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  for (const theme of IS_LONG ? ['dark', 'light'] : ['dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    // Colours that are still on their way from one theme to the other are in neither.
    await page.evaluate(
      // Endless animations of loading parts never finish.
      `Promise.all(document.getAnimations()
        .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
        .map((one) => one.finished.catch(() => undefined)))`,
    );
    const found = await axeFindings(page, theme === 'dark' ? 'everything' : 'colours');
    expect(found, `${state}, ${theme}`).to.deep.equal([]);
  }
}
