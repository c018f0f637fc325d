/** Follows the account's notifications and shows those of the chosen categories. The frame uses this hook once. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { TandemClient } from '../../../gateway/client/client.ts';
import { desktop } from '../../api/desktop.ts';
import { useAccountEvents } from '../../api/live.ts';
import { useAccounts, useClient } from '../../api/session.ts';
import type { Notification } from '../notification-text/notification-text.ts';
import { tell } from './tell.ts';
import { useOsPreference } from './use-os-preference.ts';

/** Notifications come in bursts (close all): one read covers a burst. */
const BURST_MS = 400;
const MOST = 50;

export function useOsNotifications(): void {
  const client = useClient();
  const [, navigate] = useLocation();
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  const shown = useAccounts();
  const accounts = useRef(shown);
  accounts.current = shown;
  const reader = useRef(client);
  useEffect(() => {
    reader.current = client;
    // Notifications still waiting belong to the previous account, so they are dropped.
    return () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
      waiting.current.clear();
    };
  }, [client]);
  useAccountEvents(({ event, entityId }) => {
    if (event !== 'notification.created' || !useOsPreference.getState().isOn) return;
    waiting.current.add(entityId);
    timer.current ??= setTimeout(() => {
      timer.current = null;
      const ids = new Set(waiting.current);
      waiting.current.clear();
      void wanted(reader.current, ids).then(async (rows) => {
        if (rows.length === 0) return;
        const { notificationHref, notificationText, weightOf } = await import(
          '../notification-text/notification-text.ts'
        );
        for (const row of rows) {
          const { title, subject, detail } = notificationText(row, String);
          const body = [subject, detail].filter((part) => part !== '').join('\n');
          const of = row.parameters.tradeAccountId;
          const news = {
            id: row.id,
            title,
            body,
            isAlarming: weightOf(row.category) === 'attention',
            account: accounts.current.find(({ id }) => id === of) ?? null,
          };
          tell(news, () => navigate(notificationHref(row) ?? '/notifications'));
        }
      });
    }, BURST_MS);
  });
}

/** True: the desktop app itself shows this category, orders waiting for approval, even without its window. */
function isAppsOwn(category: Notification['category']): boolean {
  return desktop.isDesktop && category === 'APPROVAL_NEEDED';
}

/** Wanted notifications, oldest first. A failed read shows none: the Notifications screen lists them later. */
async function wanted(client: TandemClient, ids: ReadonlySet<string>): Promise<readonly Notification[]> {
  const { categories } = useOsPreference.getState();
  try {
    const { notifications } = await client.call('GET /notifications', { query: { limit: MOST } });
    return notifications
      .filter(({ id, category }) => ids.has(id) && categories.includes(category) && !isAppsOwn(category))
      .reverse();
  } catch {
    return [];
  }
}
