/** Keeps every page of the app from leaving, opening windows, embedding others and getting permissions. */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { Contents, ElectronParts, ShellSession } from '../electron-parts.ts';

/**
 * Chromium asks a person before a page connects to this machine, and treats pages of a custom scheme as strangers.
 * `lockDownSession` decides more strictly which address a page may connect to.
 */
export const NETWORK_CHECKS_OFF = {
  name: 'disable-features',
  value: 'LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets',
} as const;

/** Copying to the clipboard is the only browser permission that the dashboard needs. */
const GRANTED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);
const OWN_SCHEMES: ReadonlySet<string> = new Set(['app:', 'data:', 'blob:', 'devtools:']);

/**
 * A page wants to go to an address outside the app, or to open it in a window. The page stays where it is.
 */
export type Leaving = (url: string, from: Contents) => void;

/** Locks down every web contents at its creation, whichever code creates it. */
export function lockDownContents(app: ElectronParts['app'], onLeaving: Leaving): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      onLeaving(url, contents);
      return { action: 'deny' };
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    for (const event of ['will-navigate', 'will-redirect'] as const) {
      contents.on(event, (details) => {
        if (isOwnPage(details.url)) return;
        details.preventDefault();
        onLeaving(details.url, contents);
      });
    }
    // A frame may load own pages only; no page of ours has a frame.
    contents.on('will-frame-navigate', (details) => {
      if (!isOwnPage(details.url)) details.preventDefault();
    });
  });
}

/** @param realtimeHost `127.0.0.1:7391`, the one address outside its own that a page may connect to */
export function lockDownSession(session: ShellSession, realtimeHost: () => string | null): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(GRANTED.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => GRANTED.has(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url, realtimeHost()) }));
}

function mayLoad(text: string, realtimeHost: string | null): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (OWN_SCHEMES.has(url.protocol)) return true;
  return url.protocol === 'ws:' && url.host === realtimeHost && url.pathname === '/ws';
}

export function isOwnPage(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return `${url.protocol}//${url.host}` === SHELL_ORIGIN && url.username === '' && url.password === '';
}
