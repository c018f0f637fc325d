/** Parts shared by the dashboard's measures: the built gateway with one user, and signed-in tabs. */
import type { ChildProcess } from 'node:child_process';
import type { Browser } from 'playwright-core';
import type { WatchedPage } from '../../support/browser.ts';
import { gatewayClient } from '../../support/gateway-client.ts';
import { signInFromPage } from '../../support/page-sign-in.ts';
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
  stop(): Promise<void>;
}

const EMAIL = 'bench@example.com';
const SETTLED_WITHIN_MS = 20_000;
const BLANK = '<!doctype html><link rel="icon" href="data:,">';
const PAIRS = [
  ['BTC-PERP', 'ETH-PERP'],
  ['SOL-PERP', 'BTC-PERP'],
  ['ETH-PERP', 'SOL-PERP'],
] as const;

/** @param port left out: a free one */
export async function startBuilt(dataDir: string, port?: number): Promise<BuiltGateway> {
  let taken = 0;
  const start = (free: number): ChildProcess => {
    taken = free;
    return spawnTandem(dataDir)(free);
  };
  const { child } = await startAndAsk(start, '/ready', port);
  return { port: taken, stop: () => end(child) };
}

/**
 * Signs a tab in as the user of `settledUser`: with a key of the browser that is bound to the gateway's address. Nothing of
 * the dashboard is loaded by it.
 */
export async function signIn({ page }: Pick<WatchedPage, 'page'>, port: number): Promise<void> {
  const blank = `http://tandem.localhost:${port}/blank`;
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: BLANK }));
  await page.goto(blank);
  await page.unroute(blank);
  await signInFromPage(page, EMAIL);
}

export interface SettledUser {
  readonly dataDir: string;
  /** Port of the gateway. It must stay the same so that the browser stays signed in. */
  readonly port: number;
}

/** A data folder with a user and open pairs; the first has a stop-loss. */
export async function settledUser(): Promise<SettledUser> {
  const dataDir = await makeFolder();
  const gateway = await startBuilt(dataDir);
  try {
    const client = gatewayClient(`http://127.0.0.1:${gateway.port}`);
    const { accessToken, tradeAccount } = await client.register(EMAIL);
    const headers = { authorization: `Bearer ${accessToken}`, 'x-trade-account-id': tradeAccount.id };
    for (const [index, [long, short]] of PAIRS.entries()) {
      const legs = [
        { symbol: long, side: 'BUY', mode: 'USD', amount: '500' },
        { symbol: short, side: 'SELL', mode: 'USD', amount: '500' },
      ];
      const stop = index === 0 ? { stopLoss: { type: 'PERCENTAGE', value: '1' } } : {};
      const body = { type: 'MARKET', legs, ...stop };
      const opened = await client.request('POST', '/trade/open', { headers, body });
      if (opened.status !== 202) throw new Error(`open: ${opened.status} ${opened.text}`);
    }
    const asked = performance.now();
    for (;;) {
      const { json } = await client.request('GET', '/positions?status=OPEN', { headers });
      if (json.positions.length === PAIRS.length) break;
      if (performance.now() - asked > SETTLED_WITHIN_MS) throw new Error('the positions did not open');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return { dataDir, port: gateway.port };
  } finally {
    await gateway.stop();
  }
}

/** Measures forbidden page behaviour: console errors, reports of its policy, requests that leave the machine. */
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
