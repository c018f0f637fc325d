/** Marks notifications read and unread. What cannot be marked is said; the list stays as the gateway has it. */
import { useCallback } from 'react';
import { useSend } from '../../api/queries.ts';
import { sayError } from '../../components/toast.tsx';

const CHANGES = { changes: ['GET /notifications'] } as const;

export function useMarks() {
  const read = useSend('POST /notifications/read', CHANGES);
  const all = useSend('POST /notifications/read', CHANGES);
  const unread = useSend('POST /notifications/unread', CHANGES);
  const { mutate: sendRead } = read;
  const { mutate: sendAll } = all;
  const { mutate: sendUnread } = unread;
  return {
    markRead: useCallback(
      (id: string) =>
        sendRead({ body: { id } }, { onError: (error) => sayError('Not marked as read', error) }),
      [sendRead],
    ),
    markUnread: useCallback(
      (id: string) =>
        sendUnread({ body: { id } }, { onError: (error) => sayError('Not marked as unread', error) }),
      [sendUnread],
    ),
    /** @param upTo time of the newest one that was seen: what comes meanwhile stays unread */
    markAllRead: useCallback(
      (upTo: string) =>
        sendAll({ body: { before: upTo } }, { onError: (error) => sayError('Not marked as read', error) }),
      [sendAll],
    ),
    isMarkingAll: all.isPending,
  };
}
