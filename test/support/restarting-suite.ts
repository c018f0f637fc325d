/** Shared by suites whose gateway goes down and comes back: one gateway and one watched tab for each test. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { chromiumForSuite } from './browser.ts';
import { type DashboardPage, openDashboard } from './dashboard.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EMAIL = 'ada@example.test';

export const DOWN = 'The gateway does not answer.';
export const isLive = (page: Page) => page.getByText('Live data').waitFor();
export const gone = (page: Page, text: string | RegExp) =>
  page.getByText(text).first().waitFor({ state: 'detached' });

export interface RestartingSuite {
  readonly tab: DashboardPage;
  stop(): Promise<void>;
  /** Starts the stopped gateway on its port and data folder. */
  startAgain(): Promise<void>;
}

/** Call it in `describe`; the tab is there in each test. */
export function restartingSuite(): RestartingSuite {
  const browser = chromiumForSuite();
  let dataDir: string;
  let gateway: TestGateway;
  let tab: DashboardPage;

  beforeEach(async () => {
    dataDir = await temporaryFolder();
    gateway = await startTestGateway({ clock: null, dataDir });
    await gateway.register(EMAIL);
    // Connections that fail, what a gateway that goes down answers last, and one that was started again to tokens of before:
    // the key of the page brings new ones.
    tab = await openDashboard(browser, gateway, {
      email: EMAIL,
      isExpected: (status) => status === 0 || status === 401 || status === 503,
    });
  });
  afterEach(async () => {
    await tab.close();
    await gateway.close();
    // The browser itself writes down that a WebSocket failed.
    expect(tab.offences.filter((offence) => !/WebSocket/.test(offence))).to.deep.equal([]);
  });

  return {
    get tab() {
      return tab;
    },
    stop: () => gateway.close(),
    async startAgain() {
      gateway = await startTestGateway({ clock: null, dataDir, settings: { port: gateway.port } });
    },
  };
}
