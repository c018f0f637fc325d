/**
 * The dashboard's way to the desktop app around it. In a browser there is no app, and each function here does the
 * browser's own equivalent: so no screen has to know where it runs.
 */
import type { Asked, ShellBridge, ShellPreferences, ShellState, Told } from '../../main/ipc/contract.ts';

type Stop = () => void;

/** Lengths that the contract allows, characters. */
const MAX_TITLE = 120;
const MAX_BODY = 400;

export interface Desktop {
  readonly isDesktop: boolean;
  /**
   * Options of `createClient` beside the cookie: the app's WebSocket is at another origin. Resolves once that origin
   * is known.
   */
  clientOptions(): Promise<{ readonly realtime?: { readonly url: string; readonly ticket: true } }>;
  /** null: the page runs in a browser, without the app. */
  preferences(): Promise<ShellPreferences | null>;
  changePreferences(patch: Partial<ShellPreferences>): Promise<ShellPreferences | null>;
  /** False: the system shows no notifications; the page shows the news itself. */
  notify(news: Asked<'notify'>): Promise<boolean>;
  /** Opens an address outside the dashboard. False: addresses of this kind are not opened. */
  openLink(url: string): Promise<boolean>;
  openLogs(): Promise<boolean>;
  restartGateway(): Promise<boolean>;
  /** State of the gateway under the app; never called in a browser. */
  onState(listener: (state: ShellState) => void): Stop;
  /** A deep link, the menu or a notification asks for a screen; never called in a browser. */
  onScreenAsked(listener: (path: Told<'screenAsked'>) => void): Stop;
}

export function desktopOf(bridge: ShellBridge | undefined, page: BrowserPage): Desktop {
  return bridge === undefined ? inBrowser(page) : inApp(bridge);
}

/** Browser functions that stand in where there is no app. */
export interface BrowserPage {
  open(url: string): void;
  /** False: the browser does not allow notifications or has none. */
  notify(title: string, body: string): boolean;
}

function inApp(bridge: ShellBridge): Desktop {
  return {
    isDesktop: true,
    async clientOptions() {
      const url = await realtimeUrl(bridge);
      return { realtime: { url, ticket: true } };
    },
    preferences: () => bridge.readPreferences(),
    changePreferences: (patch) => bridge.writePreferences(patch),
    notify: ({ title, body, path }) =>
      bridge.notify({ title: title.slice(0, MAX_TITLE), body: body.slice(0, MAX_BODY), path }),
    openLink: (url) => bridge.openLink(url),
    openLogs: () => bridge.openLogs(),
    restartGateway: () => bridge.restartGateway(),
    onState: (listener) => bridge.onShellStateChanged(listener),
    onScreenAsked: (listener) => bridge.onScreenAsked(listener),
  };
}

/**
 * Waits for a gateway that is still starting. When the gateway restarts at another address, the app reloads the page.
 */
function realtimeUrl(bridge: ShellBridge): Promise<string> {
  return new Promise((resolve) => {
    const stop = bridge.onShellStateChanged((state) => take(state));
    const take = (state: ShellState) => {
      if (state.realtimeUrl === null) return;
      stop();
      resolve(state.realtimeUrl);
    };
    void bridge.shellState().then(take);
  });
}

function inBrowser(page: BrowserPage): Desktop {
  const nothing = () => () => undefined;
  return {
    isDesktop: false,
    clientOptions: async () => ({}),
    preferences: async () => null,
    changePreferences: async () => null,
    notify: async ({ title, body }) => page.notify(title, body),
    async openLink(url) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return false;
      page.open(url);
      return true;
    },
    openLogs: async () => false,
    restartGateway: async () => false,
    onState: nothing,
    onScreenAsked: nothing,
  };
}

const bridge: ShellBridge | undefined = Reflect.get(globalThis, 'tandemShell');

export const desktop: Desktop = desktopOf(bridge, {
  open: (url) => void globalThis.open(url, '_blank', 'noopener,noreferrer'),
  notify(title, body) {
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return false;
    new Notification(title, { body });
    return true;
  },
});
