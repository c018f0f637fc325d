/** `/consent`: the page and its files. The page acts through the interaction API only. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { FrameworkError } from '../../call/errors.ts';
import { getConsentAsset, getConsentPage } from '../../contract/consent-page.ts';
import type { ConsentDesk } from '../consent-desk.ts';
import { consentAsset, consentPage } from '../consent-page.ts';

export function consentPageRoutes(deps: {
  /** Origin of the pages, e.g. `http://tandem.localhost:7391`; null: pages stay on the requested host. */
  readonly pageOrigin: () => string | null;
  readonly desk: ConsentDesk | null;
}): readonly BoundRoute[] {
  return [
    bind(getConsentAsset, async ({ params }) => {
      const asset = await consentAsset(params.asset);
      if (asset === null) throw new FrameworkError(404, `Cannot GET /consent/assets/${params.asset}`);
      return { headers: asset.headers, raw: asset.content };
    }),
    bind(getConsentPage, async ({ headers, params, query }) => {
      const origin = deps.pageOrigin();
      // A sign-in under another host name would leave a session cookie that every local port of that name receives.
      if (origin !== null && `http://${headers.host}` !== origin)
        return {
          status: 302 as const,
          headers: { location: `${origin}/consent/${encodeURIComponent(params.uid)}` },
        };
      const waits = query.here === undefined && (await deps.desk?.takes(params.uid, headers)) === true;
      const page = await consentPage(waits ? 'waiting.html' : 'consent.html');
      return { headers: page.headers, raw: page.content };
    }),
  ];
}
