/** Every route contract, by `METHOD /path/{id}`: what an answer must look like, strictly. */
import * as apiKeys from '../../gateway/contract/api-keys.ts';
import * as auditLog from '../../gateway/contract/audit-log.ts';
import * as auth from '../../gateway/contract/auth.ts';
import * as consentPage from '../../gateway/contract/consent-page.ts';
import * as market from '../../gateway/contract/market.ts';
import * as oauth from '../../gateway/contract/oauth.ts';
import * as oauthProtocol from '../../gateway/contract/oauth-protocol.ts';
import * as positions from '../../gateway/contract/positions.ts';
import type { ProtocolContract, RouteContract } from '../../gateway/contract/route.ts';
import * as system from '../../gateway/contract/system.ts';
import * as tradeAccounts from '../../gateway/contract/trade-accounts.ts';
import * as trading from '../../gateway/contract/trading.ts';

type Contract = (RouteContract | ProtocolContract) & { readonly contentType?: string };

function isRoute(value: unknown): value is Contract {
  return typeof value === 'object' && value !== null && 'success' in value && 'summary' in value;
}

const found = [
  apiKeys,
  auditLog,
  auth,
  consentPage,
  market,
  oauth,
  oauthProtocol,
  positions,
  system,
  tradeAccounts,
  trading,
]
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isRoute);

export const CONTRACT_ROUTES: ReadonlyMap<string, Contract> = new Map(
  found.map((contract) => [`${contract.method} ${contract.path.replace(/:(\w+)/g, '{$1}')}`, contract]),
);
