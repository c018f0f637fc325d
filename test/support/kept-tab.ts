/**
 * One tab of the dashboard for the tests of a suite, which then loads it once. Between two tests the page is told, as by
 * another tab, that its user has signed out: it unmounts what it shows, ends its streams and forgets what it has read.
 * The next test has the page read everything anew, with the sign-in that the browser still has.
 */
import { expect } from 'chai';
import type { AsyncFunc, Test } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import type { Expected } from './browser.ts';
import { type DashboardOptions, type DashboardPage, openDashboard } from './dashboard.ts';
import type { TestGateway } from './gateway.ts';
import { openForEachTest, standIn } from './open-for-tests.ts';
import { signInFromPage } from './page-sign-in.ts';

type Served = Pick<TestGateway, 'port'>;

const alone = new WeakSet<object>();

/**
 * `it` for a test that needs a tab of its own, closed after it: the test changes what the browser or the page keeps
 * (settings, the chosen account, the session, the basket of the Trade screen), puts something in front of the scripts of
 * the page (a clock, a switch for its stream), or is about what a page does first.
 */
export function itInFreshTab(title: string, test: AsyncFunc): Test {
  const made = it(title, test);
  alone.add(made);
  return made;
}

/** Scripts run in the page. Waits are counted in frames and end: a test would end with no more than its time. */
const HELPERS = `
  const say = (word) => {
    const asAnotherTab = new BroadcastChannel('tandem.session');
    asAnotherTab.postMessage(word);
    asAnotherTab.close();
  };
  const becomes = async (test) => {
    for (let frames = 0; !test() && frames < 1_200; frames += 1) await new Promise(requestAnimationFrame);
    if (!test()) throw new Error('It did not become so: ' + test + ' of ' + document.body.innerHTML.slice(0, 4_000));
  };
  const root = document.documentElement;`;

const ATTRIBUTES = `(() => {
  ${HELPERS}
  return root.getAttributeNames().map((name) => [name, root.getAttribute(name)]);
})()`;
type Attributes = readonly (readonly [string, string])[];

interface Rest {
  /** Names of what the browser keeps. */
  readonly stored: readonly string[];
  /** The card of an order that has not ended cannot be dismissed. */
  readonly hasCard: boolean;
}

/** To a page that shows no screen. @returns what the page cannot be rid of */
const putAwayIn = (asNew: Attributes) => `(async () => {
  ${HELPERS}
  // The basket of last time belongs to its account, which is another one in each test.
  localStorage.removeItem('tandem.last-baskets');
  localStorage.removeItem('tandem.recent-baskets');
  const stored = Object.keys(localStorage);
  // Cards of orders outlive their screen, and news the frame too.
  const hasCard = () => {
    for (const button of document.querySelectorAll('button[aria-label="Dismiss"]')) button.click();
    return document.querySelector('[aria-label="Sent orders"] article, [aria-label="News"] > *') !== null;
  };
  for (let frames = 0; hasCard() && frames < 120; frames += 1) await new Promise(requestAnimationFrame);
  const rest = { stored, hasCard: hasCard() };
  say('signed-out');
  await becomes(() => document.getElementById('main') === null && document.querySelector('form') !== null);
  hasCard();
  sessionStorage.clear();
  for (const name of root.getAttributeNames()) root.removeAttribute(name);
  for (const [name, value] of ${JSON.stringify(asNew)}) root.setAttribute(name, value);
  history.replaceState(null, '', '/app');
  return rest;
})()`;

/** To a screen. A new page has not had a stream yet; to one that has, a missing stream is a lost one. */
const comeTo = (screen: string) => `(async () => {
  ${HELPERS}
  history.replaceState(null, '', ${JSON.stringify(`/app${screen}`)});
  say('signed-in');
  await becomes(() => document.querySelector('header [data-state=live]') !== null);
})()`;

interface Tab {
  readonly opened: DashboardPage;
  readonly port: number;
  /** Email of the signed-in user. */
  email: string;
  isExpected: Expected;
  /** Attributes of the page when it was loaded; undefined: no screen has been opened, the page is a blank one. */
  asNew: Attributes | undefined;
  isAway: boolean;
}

async function putAway(tab: Tab): Promise<Rest> {
  if (tab.asNew === undefined || tab.isAway) return { stored: [], hasCard: false };
  const rest = await tab.opened.page.evaluate<Rest>(putAwayIn(tab.asNew));
  tab.isAway = true;
  return rest;
}

async function goTo(tab: Tab, screen: string): Promise<void> {
  if (tab.asNew === undefined) {
    await tab.opened.goTo(screen);
    tab.asNew = await tab.opened.page.evaluate<Attributes>(ATTRIBUTES);
  } else {
    await putAway(tab);
    await tab.opened.page.evaluate(comeTo(screen));
  }
  tab.isAway = false;
}

async function openTab(browser: Browser, gateway: Served, options: DashboardOptions): Promise<Tab> {
  const { email, isExpected = () => false } = options;
  const tab: Tab = {
    opened: await openDashboard(browser, gateway, {
      ...options,
      isExpected: (status, path) => tab.isExpected(status, path),
    }),
    port: gateway.port,
    email,
    isExpected,
    asNew: undefined,
    isAway: false,
  };
  return tab;
}

/** Stands for the tab of the current test. */
export interface CurrentTab {
  readonly page: Page;
  goTo(screen: string): Promise<void>;
}

export interface TabKeeper {
  /** Opens a tab before each test. */
  forEachTest(open: () => Promise<DashboardPage>): CurrentTab;
  /**
   * The tab of the suite, as good as new. A tab of its own for `itInFreshTab`, where the context is one of its own, and
   * for the second that a test opens. What they do wrong fails the test at its end.
   */
  open(browser: Browser, gateway: Served, options: DashboardOptions): Promise<DashboardPage>;
}

/** Call it in `describe`, before the hooks that clear up what tabs would show. */
export function tabKeeper(): TabKeeper {
  let kept: Tab | undefined;
  let isInUse = false;
  let isAlone = false;
  let opened: DashboardPage[] = [];

  beforeEach(function () {
    isAlone = alone.has(this.currentTest ?? {});
  });
  afterEach(async function () {
    const tabs = opened;
    const tab = isInUse ? kept : undefined;
    opened = [];
    isInUse = false;
    let stored: readonly string[] = [];
    if (tab !== undefined) {
      kept = undefined;
      if (this.currentTest?.state !== 'failed') {
        const { page } = tab.opened;
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        // Nothing lies under the pointer of a new page.
        await page.mouse.move(-1, -1);
        // A tab that cannot be put away is closed like one of a failed test, and the output says why: that a page follows
        // a sign-out elsewhere is what other tests hold.
        const rest = await putAway(tab).catch((error: unknown) => {
          console.error(`A tab was not kept: ${String(error)}`);
          return null;
        });
        stored = rest?.stored ?? [];
        if (rest !== null && stored.length === 0 && !rest.hasCard) kept = tab;
      }
    }
    await Promise.all(tabs.filter((one) => one !== kept?.opened).map((one) => one.close()));
    expect(tabs.flatMap(({ offences }) => offences.splice(0))).to.deep.equal([]);
    expect(stored, 'what the browser keeps of a test, which must have a fresh tab').to.deep.equal([]);
  });
  after(() => kept?.opened.close());

  return {
    forEachTest(open) {
      // The keeper closes it, or keeps it.
      const tab = openForEachTest(open, () => undefined);
      return { page: standIn(() => tab.page), goTo: (screen) => tab.goTo(screen) };
    },
    async open(browser, gateway, options) {
      if (isAlone || isInUse || options.context !== undefined) {
        const tab = await openDashboard(browser, gateway, options);
        opened.push(tab);
        return tab;
      }
      if (kept?.port !== gateway.port) {
        await kept?.opened.close();
        kept = await openTab(browser, gateway, options);
      }
      const tab = kept;
      isInUse = true;
      opened.push(tab.opened);
      if (tab.email !== options.email) await signInFromPage(tab.opened.page, options.email);
      tab.email = options.email;
      tab.isExpected = options.isExpected ?? (() => false);
      return { ...tab.opened, goTo: (screen) => goTo(tab, screen) };
    },
  };
}
