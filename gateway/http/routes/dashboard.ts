/** The dashboard's page under each of its addresses, its files, and the first call of the page. */
import type { Auth } from '../../auth/auth.ts';
import { type BoundRoute, bind, type Call } from '../../call/call.ts';
import { FrameworkError } from '../../call/errors.ts';
import {
  getDashboard,
  getDashboardAsset,
  getDashboardDetail,
  getDashboardHome,
  getDashboardPart,
  getDashboardScreen,
  getDashboardStart,
} from '../../contract/dashboard.ts';
import { dashboardAsset, dashboardPage } from '../dashboard-files.ts';
import { provedKey, withNonce } from '../key-proof.ts';
import { newcomerOf } from './sign-in.ts';

/** @param pageOrigin origin of the pages, e.g. `http://tandem.localhost:7391` */
export function dashboardRoutes(
  auth: Pick<Auth, 'authenticator' | 'proofs' | 'sessions' | 'users' | 'setup'>,
  pageOrigin: () => string,
): readonly BoundRoute[] {
  /** @param path path of the same page on the host of the pages */
  const page = async ({ headers }: Pick<Call<typeof getDashboard>, 'headers'>, path: string) => {
    const origin = pageOrigin();
    // A session cookie under another host name would go to every local port of that name.
    if (`http://${headers.host}` !== origin)
      return { status: 302 as const, headers: { location: `${origin}${path}` } };
    const { tag, headers: own, content } = await dashboardPage(new URL(origin).host);
    if (headers['if-none-match'] === tag) return { status: 304 as const, headers: own };
    return { headers: own, raw: content };
  };
  /** True: the call carries a session token, which the desktop app adds to its page's calls. Cookies do not count. */
  const hasToken = ({ authorization }: Call<typeof getDashboardStart>['headers']) => {
    if (authorization === undefined) return false;
    const caller = auth.authenticator.authenticate({ authorization });
    return caller.ok && caller.principal.kind === 'session';
  };
  const at = (...parts: readonly string[]) => `/app/${parts.map(encodeURIComponent).join('/')}`;

  return [
    bind(getDashboard, (call) => page(call, '/')),
    bind(getDashboardHome, (call) => page(call, '/app')),
    bind(getDashboardStart, async (call) => {
      const { headers } = call;
      const { method, path } = getDashboardStart;
      const key = await provedKey(auth.proofs, headers, { method, path });
      const signedIn = key === null ? hasToken(headers) : auth.sessions.ofKey(key) !== undefined;
      return {
        headers: { ...withNonce(auth.proofs), 'cache-control': 'no-store' },
        body: {
          signedIn,
          registration: auth.users.registration(),
          ...(auth.setup.refusal(newcomerOf(call, {})) === null ? {} : { setupCode: true }),
        },
      };
    }),
    bind(getDashboardAsset, async ({ params, headers }) => {
      const asset = await dashboardAsset(params.asset, String(headers['accept-encoding'] ?? ''));
      if (asset === null) throw new FrameworkError(404, `Cannot GET /app/assets/${params.asset}`);
      return { headers: asset.headers, raw: asset.content };
    }),
    bind(getDashboardScreen, (call) => page(call, at(call.params.screen))),
    bind(getDashboardPart, (call) => page(call, at(call.params.screen, call.params.part))),
    bind(getDashboardDetail, (call) =>
      page(call, at(call.params.screen, call.params.part, call.params.detail)),
    ),
  ];
}
