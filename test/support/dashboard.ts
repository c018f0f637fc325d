/** The dashboard in a browser: built when its sources are newer, signed in with the key of its browser, watched and checked. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';
import { axeFindings } from './axe.ts';
import { type Expected, openWatched, type WatchedPage } from './browser.ts';
import type { TestGateway } from './gateway.ts';
import { IS_LONG } from './long-run.ts';
import { signInFromPage } from './page-sign-in.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const BLANK = '<!doctype html><link rel="icon" href="data:,">';
const BUILT = path('../../dist/renderer/index.html');
/** Rules of the build. */
const RULES = path('../../build/vite.config.mjs');
const CONSENT_RULES = path('../../build/consent.config.mjs');
const ASSETS = path('../../dist/renderer/assets');
/** Sources of the bundle, without types of the gateway. */
const SOURCES = [path('../../renderer'), path('../../gateway/client'), path('../../gateway/contract')];

async function modifiedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

async function newestIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const times = await Promise.all(names.map((name) => modifiedAt(`${folder}/${name}`)));
  return Math.max(0, ...times);
}

let built: Promise<void> | undefined;

/** For a `before` hook: the bundle that the gateway of the test serves is that of the sources. Looked at once a process. */
export function buildDashboard(): Promise<void> {
  built ??= buildWhereOlder();
  return built;
}

async function buildWhereOlder(): Promise<void> {
  const [builtMs, ...sources] = await Promise.all([
    modifiedAt(BUILT),
    modifiedAt(RULES),
    ...SOURCES.map(newestIn),
  ]);
  if (builtMs > 0 && builtMs >= Math.max(...sources)) return;
  // The one that is shipped: Vite would build React for development where the environment says `test`.
  const surroundings = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    for (const configFile of [RULES, CONSENT_RULES]) await build({ configFile, mode: 'production' });
  } finally {
    // Assigning undefined would leave the word, under which whatever is built later is built for development.
    if (surroundings === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = surroundings;
  }
}

/** One of the files that the page loads. */
export async function dashboardAssetName(): Promise<string> {
  await buildDashboard();
  const names = await readdir(ASSETS);
  return names.find((name) => name.endsWith('.js')) ?? '';
}

/** The scripts as they are built. */
export async function dashboardScripts(): Promise<
  readonly { readonly name: string; readonly text: string }[]
> {
  await buildDashboard();
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
