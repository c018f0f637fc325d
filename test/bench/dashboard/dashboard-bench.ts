/** What the measures of the dashboard share: a gateway as it is built, with one user, and a browser profile of that user. */
import type { ChildProcess } from 'node:child_process';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openDashboard } from '../../support/dashboard.ts';
import { gatewayClient } from '../../support/gateway-client.ts';
import { makeFolder } from '../gateway-home.ts';
import { end, spawnTandem, startAndAsk } from '../timed-start.ts';
import { type Goal, type Measure, valueMeasure } from '../verdict.ts';

export interface DashboardContext {
  readonly browser: Browser;
  readonly rounds: number;
  /** For the heap only. */
  readonly minutes: number;
  readonly say: (line: string) => void;
}

export type DashboardBenchmark = (context: DashboardContext) => Promise<readonly Measure[]>;

/** Without a browser nothing can be measured. */
export const NO_BROWSER = {
  skip(): never {
    throw new Error('the measures of the dashboard need a browser');
  },
};

export interface BuiltGateway {
  readonly port: number;
  /** From the spawn to the first answer of `/ready`, ms. */
  readonly startMs: number;
  stop(): Promise<void>;
}

export type BrowserProfile = Pick<BrowserContextOptions, 'storageState'>;

const EMAIL = 'bench@example.com';
const SETTLED_WITHIN_MS = 20_000;
const PAIRS = [
  ['BTC-PERP', 'ETH-PERP'],
  ['SOL-PERP', 'BTC-PERP'],
  ['ETH-PERP', 'SOL-PERP'],
] as const;

export async function startBuilt(dataDir: string): Promise<BuiltGateway> {
  let port = 0;
  const { child, firstAnswerMs } = await startAndAsk((free): ChildProcess => {
    port = free;
    return spawnTandem(dataDir)(free);
  });
  return { port, startMs: firstAnswerMs, stop: () => end(child) };
}

/** A data folder with a user and open positions, and a browser profile that is signed in there, on any port. */
export async function settledUser(browser: Browser): Promise<{ dataDir: string; profile: BrowserProfile }> {
  const dataDir = await makeFolder();
  const gateway = await startBuilt(dataDir);
  try {
    const client = gatewayClient(`http://127.0.0.1:${gateway.port}`);
    const { accessToken, tradeAccount } = await client.register(EMAIL);
    const headers = { authorization: `Bearer ${accessToken}`, 'x-trade-account-id': tradeAccount.id };
    for (const [long, short] of PAIRS) {
      const legs = [
        { symbol: long, side: 'BUY', mode: 'USD', amount: '500' },
        { symbol: short, side: 'SELL', mode: 'USD', amount: '500' },
      ];
      const opened = await client.request('POST', '/trade/open', { headers, body: { type: 'MARKET', legs } });
      if (opened.status !== 202) throw new Error(`open: ${opened.status} ${opened.text}`);
    }
    const asked = performance.now();
    for (;;) {
      const { json } = await client.request('GET', '/positions?status=OPEN', { headers });
      if (json.positions.length === PAIRS.length) break;
      if (performance.now() - asked > SETTLED_WITHIN_MS) throw new Error('the positions did not open');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const tab = await openDashboard(browser, gateway, { email: EMAIL });
    const profile = { storageState: await tab.page.context().storageState() };
    await tab.close();
    return { dataDir, profile };
  } finally {
    await gateway.stop();
  }
}

/** What a page may not do at all: errors on the console, reports of its policy, requests that leave the machine. */
export function offenceMeasure(name: string, offences: readonly string[]): Measure {
  return valueMeasure(
    {
      name,
      about:
        offences.length === 0
          ? 'Console errors, reports of the policy and requests off the machine'
          : `Console errors, reports of the policy and requests off the machine: ${offences[0]}`,
      goal: atMost(0),
      unit: 'offences',
      figures: {},
    },
    offences.length,
  );
}

export function atMost(value: number): Goal {
  return { bound: 'at most', value };
}
