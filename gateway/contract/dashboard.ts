/** The dashboard: its page, its files, and the requests that it makes before anybody is signed in. */
import { z } from 'zod';
import { signedIn } from './auth.ts';
import { DOCS } from './common.ts';
import { route, routesWith } from './route.ts';

const tag = 'Dashboard';
const page = routesWith({
  method: 'GET',
  auth: 'P',
  tag,
  contentType: 'text/html',
  success: { 200: z.string(), 302: null, 304: null },
  description:
    'The same page under every address of it. Served on the host of the pages only (setting `ui.host`); every other host redirects there.',
});
const segment = z.string().max(256);

export const getDashboard = page({
  path: '/',
  summary: 'The dashboard, for a person in a browser',
});
export const getDashboardHome = page({
  path: '/app',
  summary: 'The dashboard',
});
export const getDashboardScreen = page({
  path: '/app/:screen',
  summary: 'A screen of the dashboard',
  params: z.object({ screen: segment }),
});
export const getDashboardPart = page({
  path: '/app/:screen/:part',
  summary: 'A part of a screen',
  params: z.object({ screen: segment, part: segment }),
});
export const getDashboardDetail = page({
  path: '/app/:screen/:part/:detail',
  summary: 'A detail of a part of a screen',
  params: z.object({ screen: segment, part: segment, detail: segment }),
});

export const getDashboardAsset = route({
  method: 'GET',
  path: '/app/assets/:asset',
  auth: 'P',
  tag,
  summary: 'Scripts, styles and fonts of the dashboard',
  description: 'Named by their content: the same name is always the same file.',
  contentType: '*/*',
  params: z.object({ asset: z.string().max(128) }),
  success: { 200: z.string() },
  refusals: [404],
});

export const getDashboardStart = route({
  method: 'GET',
  path: '/app/start',
  auth: 'P',
  tag,
  summary: 'Is this browser signed in, and can somebody register?',
  description:
    'A page asks with a proof of its key (header `DPoP`), the desktop app with its bearer; a cookie says nothing here. Every answer has a nonce for the next proof (`DPoP-Nonce`), so asking without a proof is how a page gets its first one.',
  success: {
    200: z
      .strictObject({
        signedIn: z.boolean().register(DOCS, { description: 'The key, or the bearer, has a living session' }),
        registration: z.enum(['first', 'open', 'closed']).register(DOCS, {
          description: '`first`: nobody has registered yet. `closed`: only who is known may sign in',
        }),
        setupCode: z.boolean().optional().register(DOCS, {
          description: 'There and true: whoever registers from here has to give the setup code',
        }),
      })
      .register(DOCS, { id: 'DashboardStart' }),
  },
  refusals: [401],
});

export const openSignInLink = route({
  method: 'POST',
  path: '/auth/link',
  auth: 'P',
  tag: 'Authentication',
  summary: 'Sign in with the link that `tandem start --open` made',
  description:
    'The ticket behind the `#` of the link works once and for one minute, on the host of the pages only. Without a proof it also sets the session cookie `tandem_session` (HttpOnly, SameSite=Strict, Path=/).',
  body: z.strictObject({ ticket: z.string().min(1).max(128) }),
  success: { 200: signedIn },
  refusals: [401, 403],
});
