/**
 * Hands an agent's request to the desktop app, if the gateway runs inside it: the user decides in the app while the
 * browser tab waits. A page can make a browser load any address, so the app comes to the front only for an open
 * request, only for a navigation, and once for each request.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface ConsentDesk {
  /** True: the desktop app shows the request, and the browser tab waits. */
  takes(uid: string, headers: IncomingHttpHeaders): Promise<boolean>;
}

/** Number of shown requests that are remembered: as many as can be open at once (oauth/README.md). */
const REMEMBERED = 1_000;

/** null: the gateway runs without the desktop app, so the browser tab is the consent page. */
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
