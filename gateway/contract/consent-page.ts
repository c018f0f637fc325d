/** The page on which a person signs in and decides what an agent may do. The page calls the interaction API. */
import { z } from 'zod';
import { DOCS } from './common.ts';
import { routesWith } from './route.ts';

const tag = 'OAuth';

const route = routesWith({ method: 'GET', auth: 'P', tag });

export const getConsentPage = route({
  path: '/consent/:uid',
  summary: 'Sign-in and consent, for a person in a browser',
  description:
    'Where `/authorize` redirects to. Served on the host of the pages only (setting `ui.host`); every other host redirects there. The page itself is the same for every `uid`.',
  contentType: 'text/html',
  params: z.object({ uid: z.string().max(128) }),
  query: z.object({
    here: z.literal('1').optional().register(DOCS, {
      description: 'Decide in this window, although the desktop app shows the request too',
    }),
  }),
  success: { 200: z.string(), 302: null },
});

export const getConsentAsset = route({
  path: '/consent/assets/:asset',
  summary: 'Scripts and styles of the consent page',
  contentType: '*/*',
  params: z.object({ asset: z.string().max(64) }),
  success: { 200: z.string() },
  refusals: [404],
});
