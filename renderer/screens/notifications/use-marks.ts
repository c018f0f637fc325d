/** Marks notifications read and unread. A failure is shown as a toast; the list stays as the gateway has it. */
import { useCallback } from 'react';
import { useSend } from '../../api/queries.ts';
import { sayError } from '../../components/toast.tsx';

const CHANGES = { changes: ['GET /notifications'] } as const;
const UNMARKED = { onError: (error: Error) => sayError('Not marked as read', error) };

export function useMarks() {
  const { mutate: read } = useSend('POST /notifications/read', CHANGES);
  const { mutate: readAll, isPending } = useSend('POST /notifications/read', CHANGES);
  const { mutate: unread } = useSend('POST /notifications/unread', CHANGES);
  return {
    markRead: useCallback((id: string) => read({ body: { id } }, UNMARKED), [read]),
    markUnread: useCallback(
      (id: string) =>
        unread({ body: { id } }, { onError: (error) => sayError('Not marked as unread', error) }),
      [unread],
    ),
    /** @param upTo time of the newest notification seen: later ones stay unread */
    markAllRead: useCallback((upTo: string) => readAll({ body: { before: upTo } }, UNMARKED), [readAll]),
    isMarkingAll: isPending,
  };
}
