/**
 * An agent's request, shown by the app: the gateway's own consent page in a window of its own, in front of everything
 * else. A decision leads to one address only, which the gateway has just answered with; the system's browser opens it.
 */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { Contents, ElectronParts, ShellWindow } from '../electron-parts.ts';
import { returnAddress } from './outside-links.ts';
import { webPreferences } from './web-preferences.ts';

export interface ConsentWindows {
  /** Opens one window for each open request. */
  show(uid: string): void;
  /** The gateway has answered a decision with this address. */
  decided(returnTo: string): void;
  /**
   * A page wants to leave. True: a consent page goes to an address that it may go to, and the address was opened.
   */
  leave(url: string, from: Contents): boolean;
}

/** Maximum number of windows at a time, so that an agent cannot fill the screen with requests. */
const MOST_WINDOWS = 3;
const UID = /^[\w-]{1,128}$/;

export function createConsentWindows(
  electron: Pick<ElectronParts, 'BrowserWindow' | 'app' | 'shell'>,
  icon: string,
): ConsentWindows {
  const windows = new Map<string, ShellWindow>();
  /** Addresses that may be opened, each once. */
  const addresses = new Set<string>();

  return {
    show(uid) {
      if (!UID.test(uid)) return;
      const known = windows.get(uid);
      if (known !== undefined) {
        known.show();
        known.focus();
        return;
      }
      if (windows.size >= MOST_WINDOWS) return;
      const made = new electron.BrowserWindow({
        width: 520,
        height: 760,
        minWidth: 420,
        minHeight: 560,
        title: 'Connect an agent – Tandem',
        icon,
        backgroundColor: '#0e0f11',
        autoHideMenuBar: true,
        show: false,
        webPreferences: webPreferences(null, electron.app.isPackaged),
      });
      windows.set(uid, made);
      made.on('ready-to-show', () => {
        made.show();
        made.focus();
      });
      made.on('closed', () => windows.delete(uid));
      void made.loadURL(`${SHELL_ORIGIN}/consent/${uid}?here=1`).catch(() => undefined);
    },
    decided(returnTo) {
      const address = returnAddress(returnTo);
      if (address !== null) addresses.add(address);
    },
    leave(url, from) {
      const own = [...windows.values()].find((one) => one.webContents === from);
      const address = returnAddress(url);
      if (own === undefined || address === null || !addresses.delete(address)) return false;
      void electron.shell.openExternal(address).catch(() => undefined);
      own.close();
      return true;
    },
  };
}
