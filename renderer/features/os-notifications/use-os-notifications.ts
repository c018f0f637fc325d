/** Follows the account's notifications and shows those of the chosen categories. The frame uses this hook once. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { TandemClient } from '../../../gateway/client/client.ts';
import { useAccountEvents } from '../../api/live.ts';
import { useClient, useMaybeAccount } from '../../api/session.ts';
import { moneyWord } from '../../components/badge.tsx';
import {
  type Notification,
  notificationHref,
  notificationText,
  weightOf,
} from '../notification-text/notification-text.ts';
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

  const shown = useMaybeAccount();
  const account = useRef(shown);
  account.current = shown;
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
      void wanted(reader.current, ids).then((rows) => {
        for (const row of rows) {
          const { title, subject, detail } = notificationText(row, String);
          const body = [subject, detail].filter((part) => part !== '').join('\n');
          const money = account.current === null ? 'PAPER' : moneyWord(account.current);
          // Shown outside the page, where nothing else says whose money it is.
          const marked = money === 'PAPER' ? title : `${money}: ${title}`;
          const news = {
            id: row.id,
            title: marked,
            body,
            isAlarming: weightOf(row.category) === 'attention',
          };
          tell(news, () => navigate(notificationHref(row) ?? '/notifications'));
        }
      });
    }, BURST_MS);
  });
}

/** Wanted notifications, oldest first. A failed read shows none: the Notifications screen lists them later. */
async function wanted(client: TandemClient, ids: ReadonlySet<string>): Promise<readonly Notification[]> {
  const { categories } = useOsPreference.getState();
  try {
    const { notifications } = await client.call('GET /notifications', { query: { limit: MOST } });
    return notifications.filter(({ id, category }) => ids.has(id) && categories.includes(category)).reverse();
  } catch {
    return [];
  }
}
