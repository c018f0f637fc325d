/**
 * Orders that wait for approval, in a window like the consent window. It opens on request (notification, tray): one
 * that opens by itself takes keys meant for another. Without system notifications it does open by itself.
 */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { ElectronParts, ShellWindow } from '../electron-parts.ts';
import { webPreferences } from './web-preferences.ts';

export interface ApprovalWindow {
  /** @param approvalId null: all waiting orders */
  show(approvalId: string | null): void;
  /** True: the contents belong to this window. */
  has(contents: unknown): boolean;
}

const ID = /^[0-9a-f-]{36}$/;

export function createApprovalWindow(
  electron: Pick<ElectronParts, 'BrowserWindow' | 'app'>,
  files: { readonly icon: string; readonly preload: string },
): ApprovalWindow {
  let window: ShellWindow | null = null;

  function open(): ShellWindow {
    const made = new electron.BrowserWindow({
      width: 520,
      height: 760,
      minWidth: 420,
      minHeight: 560,
      title: 'Approve an order – Tandem',
      icon: files.icon,
      backgroundColor: '#0e0f11',
      autoHideMenuBar: true,
      show: false,
      webPreferences: webPreferences(files.preload, electron.app.isPackaged),
    });
    made.on('ready-to-show', () => {
      made.show();
      made.focus();
    });
    made.on('closed', () => {
      window = null;
    });
    return made;
  }

  return {
    show(approvalId) {
      if (approvalId !== null && !ID.test(approvalId)) return;
      const isNew = window === null;
      window ??= open();
      const path = approvalId === null ? '/approvals' : `/approvals/${approvalId}`;
      void window.loadURL(`${SHELL_ORIGIN}/app${path}`).catch(() => undefined);
      if (isNew) return;
      window.show();
      window.focus();
    },
    has: (contents) => window !== null && window.webContents === contents,
  };
}
