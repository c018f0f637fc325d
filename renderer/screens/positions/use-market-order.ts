/**
 * Immediate orders on a position, placed exactly once even if an answer is lost. A toast says so when an answer was
 * lost.
 */
import type { Request } from '../../../gateway/client/client.ts';
import { readAnew } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { say } from '../../components/toast.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { type SentRoute, sendOrder } from '../../features/sent-orders/sent-orders.ts';
import type { Position } from './use-position-data.ts';

type OnPosition = Extract<SentRoute, `POST /positions/${string}`>;

/**
 * @returns a function that sends one order on the position; resolves once the order is accepted or being looked up
 * @param verb `Close`
 */
export function useMarketOrder(position: Position, verb: string) {
  const client = useClient();
  const account = useAccount();
  const title = `${verb} ${useBasketText(position.legs)}`;
  return async <Route extends OnPosition>(
    route: Route,
    request: Omit<Request<Route>, 'idempotencyKey' | 'signal'>,
  ): Promise<void> => {
    const sent = await sendOrder({ client, accountId: account.id, route, title, request });
    if (sent.state === 'UNKNOWN')
      say(`${title}: checking`, { detail: 'No answer came. Nothing is sent twice.', account });
    void readAnew('GET /executions');
  };
}
