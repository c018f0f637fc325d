/** Every contract, by `METHOD /path/{id}`: what an answer must look like, strictly. */
import { EVERY_ROUTE } from '../../gateway/contract/every-route.ts';
import { OAUTH_PROTOCOL } from '../../gateway/contract/oauth-protocol.ts';
import type { ProtocolContract, RouteContract } from '../../gateway/contract/route.ts';

type Contract = (RouteContract | ProtocolContract) & { readonly contentType?: string };

export const CONTRACT_ROUTES: ReadonlyMap<string, Contract> = new Map<string, Contract>([
  ...EVERY_ROUTE,
  ...OAUTH_PROTOCOL.map((contract) => [`${contract.method} ${contract.path}`, contract] as const),
]);
