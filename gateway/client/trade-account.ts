/** The trade account of a caller that names none: its only one with play money. */
import { TradeAccountNotChosen } from './errors.ts';
import type { AccountRoute, TradeAccount } from './route-types.ts';

/** @throws TradeAccountNotChosen when there is none, or more than one, or only one with real money */
export function onlyAccount(accounts: readonly TradeAccount[]): TradeAccount {
  if (accounts.length === 0)
    throw new TradeAccountNotChosen(
      'This key reaches no trade account: make one with POST /trade-accounts',
      accounts,
    );
  // Nothing defaults to real money.
  const [first, ...others] = accounts.filter(({ mode }) => mode !== 'LIVE');
  if (first !== undefined && others.length === 0) return first;
  const why =
    first === undefined
      ? 'Every trade account of this key is live'
      : 'This key reaches several trade accounts';
  const list = accounts.map(({ alias, id }) => `${alias} (${id})`).join(', ');
  throw new TradeAccountNotChosen(`${why}: name one as tradeAccountId; there are: ${list}`, accounts);
}

/** Every route that is asked about one trade account; the compiler knows when one is missing. */
const OF_AN_ACCOUNT: Readonly<Record<AccountRoute, true>> = {
  'GET /alerts': true,
  'POST /alerts': true,
  'GET /alerts/{id}': true,
  'PATCH /alerts/{id}': true,
  'POST /alerts/{id}/cancel': true,
  'GET /executions': true,
  'GET /executions/by-key': true,
  'GET /executions/{id}': true,
  'GET /fills': true,
  'GET /fills/provisionals-lite': true,
  'GET /fills/{positionId}': true,
  'GET /funding/payments': true,
  'GET /ladders': true,
  'POST /ladders': true,
  'GET /ladders/{ladderId}': true,
  'POST /ladders/{ladderId}/cancel': true,
  'GET /leverage': true,
  'PUT /leverage': true,
  'GET /orders': true,
  'POST /orders/cancel-all': true,
  'GET /orders/{id}': true,
  'POST /orders/{id}/cancel': true,
  'GET /portfolio': true,
  'GET /portfolio/analytics': true,
  'GET /positions': true,
  'POST /positions/close-all': true,
  'GET /positions/closed': true,
  'GET /positions/lite': true,
  'GET /positions/unassigned': true,
  'GET /positions/{id}': true,
  'POST /positions/{id}/adjust': true,
  'DELETE /positions/{id}/auto-rebalance': true,
  'GET /positions/{id}/auto-rebalance': true,
  'PUT /positions/{id}/auto-rebalance': true,
  'POST /positions/{id}/auto-rebalance/pause': true,
  'POST /positions/{id}/auto-rebalance/resume': true,
  'PUT /positions/{id}/brackets': true,
  'POST /positions/{id}/close': true,
  'POST /positions/{id}/margin': true,
  'POST /positions/{id}/rebalance': true,
  'POST /positions/{id}/rebalance/plan': true,
  'POST /positions/{id}/close/plan': true,
  'POST /positions/{id}/reverse/plan': true,
  'POST /positions/{id}/adjust/plan': true,
  'POST /positions/{id}/brackets/plan': true,
  'POST /positions/close-all/plan': true,
  'GET /positions/risk': true,
  'POST /positions/{id}/reverse': true,
  'GET /saved-baskets': true,
  'POST /saved-baskets': true,
  'DELETE /saved-baskets/{id}': true,
  'PATCH /saved-baskets/{id}': true,
  'GET /schedules': true,
  'POST /schedules': true,
  'GET /schedules/{id}': true,
  'POST /schedules/{id}/cancel': true,
  'POST /schedules/{id}/pause': true,
  'POST /schedules/{id}/resume': true,
  'POST /sync': true,
  'POST /sync/positions': true,
  'POST /sync/positions/plan': true,
  'GET /sync/reviews': true,
  'POST /sync/reviews/resolve': true,
  'POST /trade/open': true,
  'GET /triggers': true,
  'POST /triggers/cancel-all': true,
  'POST /triggers/open': true,
  'GET /triggers/{id}': true,
  'PATCH /triggers/{id}': true,
  'POST /triggers/{id}/cancel': true,
  'POST /triggers/{id}/pause': true,
  'POST /triggers/{id}/resume': true,
};

export const isOfAnAccount = (route: string): boolean => Object.hasOwn(OF_AN_ACCOUNT, route);
