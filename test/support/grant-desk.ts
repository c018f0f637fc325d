/** A user who connects agents, on a gateway whose disk can be full. */
import { consentVisitor } from './consent-visitor.ts';
import { storeOnDisk } from './full-disk-store.ts';
import { startTestGateway } from './gateway.ts';
import { oauthClient } from './oauth-client.ts';
import { openForEachTest } from './open-for-tests.ts';

/** A new desk for each test of a suite. Call it in `describe`. */
export function grantDeskForEachTest() {
  const disk = { isFull: false };
  const gateway = openForEachTest(() => {
    disk.isFull = false;
    return startTestGateway({ overrides: { openStore: storeOnDisk(disk) } });
  });
  const user = openForEachTest(async () => {
    const { accessToken, tradeAccount } = await gateway.register();
    const session: Record<string, string> = { authorization: `Bearer ${accessToken}` };
    return { accountId: String(tradeAccount.id), session };
  });
  /** Headers of a request about the user's account, by whoever has the token. */
  const withToken = (token: string) => ({
    authorization: `Bearer ${token}`,
    'x-trade-account-id': user.accountId,
  });
  return {
    disk,
    gateway,
    user,
    visitor: openForEachTest(() => consentVisitor(gateway)),
    agent: openForEachTest(() => oauthClient(gateway)),
    withToken,
    read: (token: string) => gateway.request('GET', '/positions', { headers: withToken(token) }),
    asUser: (method: string, path: string) => gateway.request(method, path, { headers: user.session }),
  };
}
