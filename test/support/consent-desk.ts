/** A gateway, an agent that waits for its user, and the consent page in a browser between them. */
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Expected, openWatched, type WatchedPage } from './browser.ts';
import { type CallbackServer, startCallbackServer } from './callback-server.ts';
import type { GatewayClient, TestAnswer } from './gateway-client.ts';
import { PASSWORD } from './gateway-client.ts';
import { newPkce, oauthClient, type Pkce, READ_WRITE } from './oauth-client.ts';

export const EMAIL = 'ada@example.test';
export const AGENT_NAME = 'Test agent';

type Server = Pick<GatewayClient, 'request'> & { readonly url: string; readonly port: number };

export interface AskOptions {
  readonly scopes?: readonly string[];
  /** Registration fields. */
  readonly metadata?: object;
  /** Terms that it proposes for its mandate. */
  readonly proposal?: object;
}

export interface Ask {
  readonly clientId: string;
  readonly pkce: Pkce;
  /** Address to which the agent sends its user. */
  readonly address: string;
}

export interface ConsentDesk {
  readonly agent: CallbackServer;
  /** Origin of the pages. */
  readonly origin: string;
  /** A browser profile of its own. What it does wrong fails the test in `close`. */
  browse(options?: BrowserContextOptions, isExpected?: Expected): Promise<WatchedPage>;
  /** Registers a client and makes the address that starts a flow. */
  ask(options?: AskOptions): Promise<Ask>;
  /** Redeems the code that the agent got last. */
  redeem(ask: Ask): Promise<TestAnswer>;
  /** Closes the profiles and fails when one of them did what it must not. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

export async function openConsentDesk(browser: Browser, gateway: Server): Promise<ConsentDesk> {
  const agent = await startCallbackServer();
  const client = oauthClient(gateway);
  const open: WatchedPage[] = [];

  async function closePages(): Promise<void> {
    const closing = open.splice(0);
    await Promise.all(closing.map((watched) => watched.close()));
    expect(closing.flatMap(({ offences }) => offences)).to.deep.equal([]);
  }

  return {
    agent,
    origin: `http://tandem.localhost:${gateway.port}`,
    async browse(options, isExpected) {
      const watched = await openWatched(browser, options, isExpected);
      open.push(watched);
      return watched;
    },
    async ask({ scopes = READ_WRITE, metadata = {}, proposal } = {}) {
      const redirect = { redirect_uris: [agent.redirectUri] };
      const clientId = await client.register({ ...redirect, client_name: AGENT_NAME, ...metadata });
      const pkce = newPkce();
      const path = client.authorizePath(clientId, pkce.challenge, {
        redirect_uri: agent.redirectUri,
        scope: scopes.join(' '),
        ...(proposal === undefined
          ? {}
          : { authorization_details: JSON.stringify([{ type: 'tandem_mandate', ...proposal }]) }),
      });
      return { clientId, pkce, address: `${gateway.url}${path}` };
    },
    redeem({ clientId, pkce }) {
      const code = agent.visits.at(-1)?.get('code') ?? '';
      return client.redeem({ clientId, redirectUri: agent.redirectUri, code, verifier: pkce.verifier });
    },
    closePages,
    async close() {
      try {
        await closePages();
      } finally {
        await agent.close();
      }
    },
  };
}

/** Fills in the form that is shown, and sends it with the Enter key. */
export async function signIn(page: Page, email = EMAIL, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Password').press('Enter');
}

export const denyButton = (page: Page) => page.getByRole('button', { name: 'Deny', exact: true });
export const allowButton = (page: Page) => page.getByRole('button', { name: /^Allow/ });
export const writeBox = (page: Page) => page.getByRole('checkbox', { name: 'Trade and change settings' });

/** Waits for the screen with this heading. */
export async function seeHeading(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: text }).waitFor();
}

/** Waits until the page is on its way back, and gone from the gateway. */
export async function seeAgent(page: Page, desk: ConsentDesk): Promise<void> {
  await page.waitForURL((url) => url.host === desk.agent.host);
}
