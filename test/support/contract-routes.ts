/** Every route contract, by `METHOD /path/{id}`: what an answer must look like, strictly. */
import * as apiKeys from '../../gateway/contract/api-keys.ts';
import * as auth from '../../gateway/contract/auth.ts';
import * as market from '../../gateway/contract/market.ts';
import * as positions from '../../gateway/contract/positions.ts';
import type { RouteContract } from '../../gateway/contract/route.ts';
import * as system from '../../gateway/contract/system.ts';
import * as tradeAccounts from '../../gateway/contract/trade-accounts.ts';
import * as trading from '../../gateway/contract/trading.ts';

function isRoute(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'success' in value && 'auth' in value;
}

const found = [apiKeys, auth, market, positions, system, tradeAccounts, trading]
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isRoute);

export const CONTRACT_ROUTES: ReadonlyMap<string, RouteContract> = new Map(
  found.map((contract) => [`${contract.method} ${contract.path.replace(/:(\w+)/g, '{$1}')}`, contract]),
);
