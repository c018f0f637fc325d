/** A user with a key and an account, and agents of that user that may trade. */
import type { ConsentVisitor } from './consent-visitor.ts';
import { consentVisitor } from './consent-visitor.ts';
import type { TestGateway } from './gateway.ts';
import { expecting, type TestAnswer } from './gateway-client.ts';
import type { Json } from './json.ts';
import { oauthClient } from './oauth-client.ts';
import type { Trader } from './trader.ts';

export interface Caller {
  call(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** The JSON of an answer with this status; fails the test on any other. */
  expect(method: string, path: string, body?: unknown, status?: number): Promise<Json>;
}

export interface Agent extends Caller {
  readonly grantId: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Signed in, as the dashboard is. */
export function signedIn(gateway: Pick<TestGateway, 'request'>, bot: Trader): Caller {
  return callerWith(gateway, { authorization: `Bearer ${bot.accessToken}` }, bot.accountId);
}

/** Connects one more agent of the user. */
export async function connectAgent(
  gateway: Pick<TestGateway, 'request' | 'url' | 'port'>,
  bot: Trader,
  visitor: ConsentVisitor = consentVisitor(gateway),
  over: {
    readonly clientId?: string;
    readonly consent?: object;
    readonly parameters?: Readonly<Record<string, string>>;
  } = {},
): Promise<Agent> {
  const granted = await oauthClient(gateway).connect(visitor, undefined, over);
  const headers = { authorization: `Bearer ${granted.access_token}` };
  const [newest] = (await signedIn(gateway, bot).call('GET', '/oauth2/grants')).json.grants;
  return {
    ...callerWith(gateway, headers, bot.accountId),
    grantId: newest.id,
    clientId: granted.clientId,
    accessToken: granted.access_token,
    refreshToken: granted.refresh_token,
  };
}

export function callerWith(
  gateway: Pick<TestGateway, 'request'>,
  headers: Readonly<Record<string, string>>,
  accountId: string,
): Caller {
  const call: Caller['call'] = (method, path, body) =>
    gateway.request(method, path, { headers: { ...headers, 'x-trade-account-id': accountId }, body });
  return { call, expect: expecting(call) };
}
