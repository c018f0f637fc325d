/** The page on which a person signs in and decides what an agent may do. The page calls the interaction API. */
import { z } from 'zod';
import { route } from './route.ts';

const tag = 'OAuth';

export const getConsentPage = route({
  method: 'GET',
  path: '/consent/:uid',
  auth: 'P',
  tag,
  summary: 'Sign-in and consent, for a person in a browser',
  description:
    'Where `/authorize` redirects to. Served on the host of the pages only (setting `ui.host`); every other host redirects there. The page itself is the same for every `uid`.',
  contentType: 'text/html',
  params: z.object({ uid: z.string().max(128) }),
  query: z.object({
    here: z
      .literal('1')
      .optional()
      .meta({ description: 'Decide in this window, although the desktop app shows the request too' }),
  }),
  success: { 200: z.string(), 302: null },
});

export const getConsentAsset = route({
  method: 'GET',
  path: '/consent/assets/:asset',
  auth: 'P',
  tag,
  summary: 'Scripts and styles of the consent page',
  contentType: '*/*',
  params: z.object({ asset: z.string().max(64) }),
  success: { 200: z.string() },
  refusals: [404],
});
