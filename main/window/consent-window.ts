/**
 * An agent's request, shown by the app: the gateway's own consent page in a window of its own, in front of everything
 * else. The decision leaves through one door: the address that the gateway has just answered with, in the system's browser.
 */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { Contents, ElectronParts, ShellWindow } from '../electron-parts.ts';
import { returnAddress } from './outside-links.ts';
import { webPreferences } from './web-preferences.ts';

export interface ConsentWindows {
  /** Once for each request that is open. */
  show(uid: string): void;
  /** The gateway has answered a decision with this address. */
  decided(returnTo: string): void;
  /** A page wants to leave. True: it was a consent page going on to where it may, and the address was opened. */
  leave(url: string, from: Contents): boolean;
}

/** Requests that wait at a time; an agent that asks without end fills no screen. */
const MOST_WINDOWS = 3;
const UID = /^[\w-]{1,128}$/;

export function createConsentWindows(
  electron: Pick<ElectronParts, 'BrowserWindow' | 'app' | 'shell'>,
  icon: string,
): ConsentWindows {
  const windows = new Map<string, ShellWindow>();
  /** Used once. */
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
