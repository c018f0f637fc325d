/**
 * Shows notifications outside the page: by the operating system where the browser may, else as a toast in the page.
 * The system shows one notification per tag, even with several open tabs.
 */
import { desktop } from '../../api/desktop.ts';
import { moneyWord, type NamedAccount } from '../../components/badge.tsx';
import { say } from '../../components/toast.tsx';

export type OsPermission = 'granted' | 'denied' | 'default' | 'unsupported';

export function osPermission(): OsPermission {
  // The desktop app needs no permission of the browser: it shows its own notifications.
  if (desktop.isDesktop) return 'granted';
  return 'Notification' in globalThis ? Notification.permission : 'unsupported';
}

/** Asks the browser's user for permission, unless they have answered already. */
export async function askPermission(): Promise<OsPermission> {
  return osPermission() === 'default' ? Notification.requestPermission() : osPermission();
}

export interface News {
  /** Id of the notification. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly isAlarming: boolean;
  /** Account that the notification is about; null: none, or several. */
  readonly account: NamedAccount | null;
}

/** Adds kind and name of the account, because nothing else outside the page shows whose money it is. */
export function markedTitle({ title, account }: Pick<News, 'title' | 'account'>): string {
  return account === null ? title : `${moneyWord(account)} ${account.alias}: ${title}`;
}

/** @param open called on a click on the notification */
export function tell(news: News, open: () => void): void {
  const { id, title, body, isAlarming, account } = news;
  if (desktop.isDesktop) {
    void desktop.notify({ title: markedTitle(news), body, path: '/notifications' });
    return;
  }
  if (osPermission() !== 'granted') {
    say(title, {
      kind: isAlarming ? 'error' : 'info',
      ...(body === '' ? {} : { detail: body }),
      account: account ?? undefined,
    });
    return;
  }
  const shown = new Notification(markedTitle(news), { body, tag: id, icon: '/icon.svg' });
  shown.addEventListener('click', () => {
    shown.close();
    globalThis.focus();
    open();
  });
}
