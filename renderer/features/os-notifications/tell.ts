/**
 * Tells of notifications outside the page: by the system where the browser may, else as a toast in the page. The system
 * shows one notification with one tag once, however many tabs are open.
 */
import { desktop } from '../../api/desktop.ts';
import { say } from '../../components/toast.tsx';

export type OsPermission = 'granted' | 'denied' | 'default' | 'unsupported';

export function osPermission(): OsPermission {
  // The app asks nobody: its notifications are its own.
  if (desktop.isDesktop) return 'granted';
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** Asks the browser's user, who may have answered for good already. */
export async function askPermission(): Promise<OsPermission> {
  return osPermission() === 'default' ? Notification.requestPermission() : osPermission();
}

export interface News {
  /** Of the notification. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly isAlarming: boolean;
}

/** @param open called when it is clicked */
export function tell({ id, title, body, isAlarming }: News, open: () => void): void {
  if (desktop.isDesktop) {
    void desktop.notify({ title, body, path: '/notifications' });
    return;
  }
  if (osPermission() !== 'granted') {
    say(title, { kind: isAlarming ? 'error' : 'info', ...(body === '' ? {} : { detail: body }) });
    return;
  }
  const shown = new Notification(title, { body, tag: id, icon: '/icon.svg' });
  shown.addEventListener('click', () => {
    shown.close();
    globalThis.focus();
    open();
  });
}
