/** Every route contract, by `METHOD /path/{id}`: what an answer must look like, strictly. */
import * as apiKeys from '../../gateway/contract/api-keys.ts';
import * as auditLog from '../../gateway/contract/audit-log.ts';
import * as auth from '../../gateway/contract/auth.ts';
import * as autoRebalance from '../../gateway/contract/auto-rebalance.ts';
import * as brackets from '../../gateway/contract/brackets.ts';
import * as consentPage from '../../gateway/contract/consent-page.ts';
import * as ladders from '../../gateway/contract/ladders.ts';
import * as market from '../../gateway/contract/market.ts';
import * as notifications from '../../gateway/contract/notifications.ts';
import * as oauth from '../../gateway/contract/oauth.ts';
import * as oauthProtocol from '../../gateway/contract/oauth-protocol.ts';
import * as orders from '../../gateway/contract/orders.ts';
import * as positionActions from '../../gateway/contract/position-actions.ts';
import * as positions from '../../gateway/contract/positions.ts';
import * as rebalance from '../../gateway/contract/rebalance.ts';
import type { ProtocolContract, RouteContract } from '../../gateway/contract/route.ts';
import * as safety from '../../gateway/contract/safety.ts';
import * as schedules from '../../gateway/contract/schedules.ts';
import * as system from '../../gateway/contract/system.ts';
import * as tradeAccounts from '../../gateway/contract/trade-accounts.ts';
import * as trading from '../../gateway/contract/trading.ts';
import * as triggers from '../../gateway/contract/triggers.ts';

type Contract = (RouteContract | ProtocolContract) & { readonly contentType?: string };

function isRoute(value: unknown): value is Contract {
  return typeof value === 'object' && value !== null && 'success' in value && 'summary' in value;
}

const found = [
  apiKeys,
  auth,
  autoRebalance,
  brackets,
  ladders,
  market,
  notifications,
  orders,
  positionActions,
  positions,
  rebalance,
  safety,
  schedules,
  system,
  tradeAccounts,
  trading,
  triggers,
  auditLog,
  consentPage,
  oauth,
  oauthProtocol,
]
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isRoute);

export const CONTRACT_ROUTES: ReadonlyMap<string, Contract> = new Map(
  found.map((contract) => [`${contract.method} ${contract.path.replace(/:(\w+)/g, '{$1}')}`, contract]),
);
