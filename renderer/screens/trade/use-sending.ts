import type { Request } from '../../../gateway/client/client.ts';
import { useTicker } from '../../api/market.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { refusedFields } from '../../features/field-errors/field-errors.ts';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import { type SentRoute, sendOrder } from '../../features/sent-orders/sent-orders.ts';
import { orderBasket, orderWords } from './order-words.ts';
import type { Order } from './ticket.ts';

/**
 * Sends an order once and keeps its refusal until the draft changes.
 * @param onFieldsRefused called to show the form with the refused fields
 */
export function useSending(onFieldsRefused: () => void) {
  const account = useAccount();
  const client = useClient();
  const settings = useSettings();
  const tickerOf = useTicker();
  const { busy, error, run, forget } = useAction(async (order: Order) => {
    const title = `${orderBasket(order, tickerOf)}, ${orderWords(order, settings, tickerOf)}`;
    const { route, body } = order;
    const request = { body } as Request<SentRoute>;
    try {
      await sendOrder({ client, accountId: account.id, route: route as SentRoute, title, request });
    } catch (refusal) {
      if (refusedFields(refusal).length > 0) onFieldsRefused();
      throw refusal;
    }
  });
  const refused = refusedFields(error);
  return {
    isSending: busy,
    refused,
    /** Error of the order as a whole. */
    error: refused.length > 0 ? null : error,
    send: run,
    forget: () => {
      if (error !== null) forget();
    },
  };
}
