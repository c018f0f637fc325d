/**
 * Where an agent's request is decided when the gateway runs inside the desktop app: there, while the browser tab waits.
 * A page can make a browser ask for any address, so the app comes to the front only for a request that is open, only for
 * a navigation, and once for each.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface ConsentDesk {
  /** True: the app shows the request, the tab waits. */
  takes(uid: string, headers: IncomingHttpHeaders): Promise<boolean>;
}

/** As many as there can be open requests (oauth/README.md). */
const REMEMBERED = 1_000;

/** null: there is no app, the tab itself is the consent page. */
export function consentDesk(
  host: { readonly consentAsked?: (uid: string) => void },
  read: (uid: string) => Promise<{ readonly ok: boolean }>,
): ConsentDesk | null {
  const { consentAsked } = host;
  if (consentAsked === undefined) return null;
  const told = new Set<string>();
  return {
    async takes(uid, headers) {
      const destination = headers['sec-fetch-dest'];
      if (destination !== undefined && destination !== 'document') return false;
      if (!(await read(uid)).ok) return false;
      if (!told.has(uid)) {
        told.add(uid);
        const [oldest] = told;
        if (told.size > REMEMBERED && oldest !== undefined) told.delete(oldest);
        consentAsked(uid);
      }
      return true;
    },
  };
}
