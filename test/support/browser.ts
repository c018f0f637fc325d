/**
 * Chromium for tests, the one of the system, headless. Whatever a page does that it must not do (a script error, a
 * report of its security policy, a request that leaves the machine) is kept, and fails the test that looks.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Context } from 'mocha';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { standIn } from './open-for-tests.ts';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
/** For what must appear; a busy machine takes ten times as long as an idle one. */
const PATIENCE_MS = 45_000;
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)?localhost)$/;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** undefined: there is none in PATH. */
function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

/** @throws when there is no browser */
export function chromiumPath(): string {
  const found = findChromium();
  if (found === undefined) throw new Error(`no browser (${NAMES.join(', ')}) in PATH`);
  return found;
}

/** By their switches: the suites of one process share a browser, each with pages of its own. */
const shared = new Map<string, Promise<Browser>>();
// One of several processes that run the files of all tests goes from file to file, and its browsers end with it.
if (typeof after === 'function' && process.env['MOCHA_WORKER_ID'] === undefined)
  after('the browsers end', () =>
    Promise.all([...shared.values()].map(async (browser) => (await browser).close())),
  );

/** The browser as one suite has it: closing it closes what the suite has opened. */
function partOf(browser: Browser): Browser {
  const opened: BrowserContext[] = [];
  const own = {
    async newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
      const context = await browser.newContext(options);
      opened.push(context);
      return context;
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
  return new Proxy(browser, {
    get: (_, name) => Reflect.get(name in own ? own : browser, name),
  });
}

/**
 * For a `before` hook. Without a browser the suite is skipped, loudly; in CI (environment variable `CI`) it fails.
 * The caller closes the browser.
 */
export async function launchChromium(
  suite: Pick<Context, 'skip'>,
  switches: readonly string[] = [],
): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    const missing = `no browser (${NAMES.join(', ')}) in PATH; build/setup-system.sh installs one`;
    if (process.env['CI'] !== undefined) throw new Error(`Browser tests cannot run: ${missing}`);
    console.warn(`\n    *** BROWSER TESTS ARE SKIPPED: ${missing} ***\n`);
    return suite.skip();
  }
  if (typeof after !== 'function') return launch(executablePath, switches);
  const name = switches.join(' ');
  const browser = shared.get(name) ?? launch(executablePath, switches);
  shared.set(name, browser);
  return partOf(await browser);
}

/** Chromium for all tests of a suite, which is skipped without one. Call it in `describe`. */
export function chromiumForSuite(switches?: readonly string[]): Browser {
  let browser: Browser | undefined;
  before(async function () {
    browser = await launchChromium(this, switches);
  });
  after(() => browser?.close());
  return standIn(() => {
    if (browser === undefined) throw new Error('The suite has not begun');
    return browser;
  });
}

function launch(executablePath: string, switches: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Names other than loopback resolve to nothing: a page that asks for one is caught, and learns nothing.
    args: [
      ...switches,
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
    ],
  });
}

export interface WatchedPage {
  readonly page: Page;
  /** Forbidden things that the page did. */
  readonly offences: string[];
  close(): Promise<void>;
}

/** Statuses that the browser may complain about, because the test provokes them: `401 /interaction/x/login`. */
export type Expected = (status: number, path: string) => boolean;

const FAILED_LOAD = /^Failed to load resource: .*?(?:status of (\d{3})|(net::\S+))/;

/** A page in a browser profile of its own. */
export async function openWatched(
  browser: Browser,
  options: BrowserContextOptions = {},
  isExpected: Expected = () => false,
): Promise<WatchedPage> {
  // Nothing moves that a test would wait for, and nothing is drawn for it.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const offences: string[] = [];
  await context.exposeBinding('__policyReport', (_source, report: string) => {
    offences.push(`policy: ${report}`);
  });
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => globalThis.__policyReport(event.violatedDirective + ' ' + event.blockedURI));`,
  );
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const failed = FAILED_LOAD.exec(message.text());
    const { pathname } = URL.canParse(message.location().url)
      ? new URL(message.location().url)
      : { pathname: '' };
    // Chromium writes a line for every answer of 400 and more and every connection that fails.
    if (failed !== null && isExpected(Number(failed[1] ?? 0), pathname)) return;
    offences.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && !LOOPBACK.test(url.hostname)) offences.push(`request: ${request.url()}`);
  });
  return { page, offences, close: () => context.close() };
}

/** Waits for the first of several. */
export const firstSeen = (several: Locator): Promise<void> => several.first().waitFor();
