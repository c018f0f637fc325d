import { useState } from 'react';
import { type Request, ValidationFailed } from '../../../gateway/client/client.ts';
import { useTicker } from '../../api/market.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import type { FieldIssue } from '../../features/field-errors/field-errors.ts';
import { type SentRoute, sendOrder } from '../../features/sent-orders/sent-orders.ts';
import { orderBasket, orderWords } from './order-words.ts';
import type { Order } from './ticket.ts';

/** Sends an order once and keeps what was refused, until something is typed. */
export function useSending() {
  const account = useAccount();
  const client = useClient();
  const settings = useSettings();
  const tickerOf = useTicker();
  const [isSending, setSending] = useState(false);
  const [refused, setRefused] = useState<readonly FieldIssue[]>([]);
  const [error, setError] = useState<unknown>(null);
  const forget = () => {
    if (refused.length > 0) setRefused([]);
    if (error !== null) setError(null);
  };
  const send = async (order: Order): Promise<boolean> => {
    setSending(true);
    setError(null);
    setRefused([]);
    try {
      const title = `${orderBasket(order, tickerOf)}, ${orderWords(order, settings, tickerOf)}`;
      const { route, body } = order;
      const request = { body } as Request<SentRoute>;
      await sendOrder({ client, accountId: account.id, route: route as SentRoute, title, request });
      return true;
    } catch (refusal) {
      const fields = refusal instanceof ValidationFailed ? refusal.fields : [];
      setRefused(fields);
      setError(fields.length > 0 ? null : refusal);
      // With the form's fields in view the sheet would hide them.
      return fields.length > 0;
    } finally {
      setSending(false);
    }
  };
  return { isSending, refused, error, send, forget };
}
