/** The dashboard's access to the desktop app around it. In a browser there is no app, and every answer says so. */
import type { ShellBridge, ShellPreferences, ShellState } from '../../main/ipc/contract.ts';

/** Maximum lengths that the contract allows, in characters. */
const MAX_TITLE = 120;
const MAX_BODY = 400;

export interface Desktop
  extends Pick<ShellBridge, 'notify' | 'openLogs' | 'restartGateway' | 'onScreenAsked'> {
  readonly isDesktop: boolean;
  /**
   * Options of `createClient` beside the cookie: the app's WebSocket is at another origin. Resolves once that origin
   * is known.
   */
  clientOptions(): Promise<{ readonly realtime?: { readonly url: string; readonly ticket: true } }>;
  /** null: the page runs in a browser, without the app. */
  preferences(): Promise<ShellPreferences | null>;
  changePreferences(patch: Partial<ShellPreferences>): Promise<ShellPreferences | null>;
}

const IN_BROWSER: Desktop = {
  isDesktop: false,
  clientOptions: async () => ({}),
  preferences: async () => null,
  changePreferences: async () => null,
  notify: async () => false,
  openLogs: async () => false,
  restartGateway: async () => false,
  onScreenAsked: () => () => undefined,
};

export function desktopOf(bridge: ShellBridge | undefined): Desktop {
  if (bridge === undefined) return IN_BROWSER;
  return {
    ...bridge,
    isDesktop: true,
    clientOptions: async () => ({ realtime: { url: await realtimeUrl(bridge), ticket: true } }),
    preferences: bridge.readPreferences,
    changePreferences: bridge.writePreferences,
    notify: ({ title, body, path }) =>
      bridge.notify({ title: title.slice(0, MAX_TITLE), body: body.slice(0, MAX_BODY), path }),
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

const bridge: ShellBridge | undefined = Reflect.get(globalThis, 'tandemShell');

export const desktop = desktopOf(bridge);
