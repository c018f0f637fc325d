/**
 * Every HTTP route that is served, as the service description and its completions promise it (never derived from the code):
 * auth column, whether it needs `x-trade-account-id`, and the status of a call that an allowed caller makes well.
 */

export interface SurfaceRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** `K` key or bearer · `B` session only · `P` public. */
  readonly auth: 'K' | 'B' | 'P';
  readonly account?: true;
  /** Under `/auth`: a grant token is told that it cannot reach first-party account endpoints. */
  readonly firstParty?: true;
  /** First-party or API key: a grant token is refused although the column says K. */
  readonly noGrant?: true;
  /** An OAuth protocol endpoint: bodies and errors as its RFC says. */
  readonly protocol?: true;
  readonly status: number;
}

const account = true;
const firstParty = true;
const protocol = true;

// biome-ignore format: a table is read by its columns
export const SERVICE_SURFACE: readonly SurfaceRoute[] = [
  // System
  { method: 'GET',    path: '/health',                          auth: 'P', status: 200 },
  { method: 'GET',    path: '/ready',                           auth: 'P', status: 200 },
  { method: 'GET',    path: '/version',                         auth: 'P', status: 200 },
  { method: 'GET',    path: '/openapi.json',                    auth: 'P', status: 200 },
  { method: 'GET',    path: '/docs',                            auth: 'P', status: 200 },
  { method: 'GET',    path: '/docs/{asset}',                    auth: 'P', status: 200 },
  { method: 'GET',    path: '/metrics',                         auth: 'K', status: 200, noGrant: true },
  // Users and sessions
  { method: 'POST',   path: '/auth/register',                   auth: 'P', status: 201 },
  { method: 'POST',   path: '/auth/login',                      auth: 'P', status: 200 },
  { method: 'POST',   path: '/auth/nonce',                      auth: 'P', status: 200 },
  { method: 'POST',   path: '/auth/session/refresh',            auth: 'P', status: 200 },
  { method: 'POST',   path: '/auth/logout',                     auth: 'B', status: 204, firstParty },
  { method: 'GET',    path: '/auth/me',                         auth: 'B', status: 200, firstParty },
  { method: 'GET',    path: '/auth/sessions',                   auth: 'B', status: 200, firstParty },
  { method: 'DELETE', path: '/auth/sessions/{id}',              auth: 'B', status: 204, firstParty },
  { method: 'POST',   path: '/auth/password',                   auth: 'B', status: 204, firstParty },
  { method: 'POST',   path: '/auth/ws-ticket',                  auth: 'B', status: 200, firstParty },
  // API keys
  { method: 'GET',    path: '/api-keys',                        auth: 'B', status: 200 },
  { method: 'POST',   path: '/api-keys',                        auth: 'B', status: 201 },
  { method: 'DELETE', path: '/api-keys/{id}',                   auth: 'B', status: 204 },
  // Trade accounts. A paper account takes no credentials (400) and has none (404); live venues come later.
  { method: 'GET',    path: '/trade-accounts',                  auth: 'K', status: 200 },
  { method: 'POST',   path: '/trade-accounts',                  auth: 'K', status: 201 },
  { method: 'GET',    path: '/trade-accounts/{id}',             auth: 'K', status: 200 },
  { method: 'PATCH',  path: '/trade-accounts/{id}',             auth: 'K', status: 200 },
  { method: 'DELETE', path: '/trade-accounts/{id}',             auth: 'K', status: 204 },
  { method: 'PUT',    path: '/trade-accounts/{id}/credentials', auth: 'K', status: 400 },
  { method: 'POST',   path: '/trade-accounts/{id}/credentials', auth: 'K', status: 404 },
  { method: 'DELETE', path: '/trade-accounts/{id}/credentials', auth: 'K', status: 404 },
  // A paper account is not armed: 409.
  { method: 'GET',    path: '/trade-accounts/{id}/arming',      auth: 'K', status: 409 },
  { method: 'PUT',    path: '/trade-accounts/{id}/arming',      auth: 'B', status: 409 },
  { method: 'DELETE', path: '/trade-accounts/{id}/arming',      auth: 'K', status: 409 },
  { method: 'POST',   path: '/trade-accounts/{id}/paper/reset', auth: 'K', status: 200 },
  { method: 'POST',   path: '/trade-accounts/{id}/paper/outside-order', auth: 'K', status: 200 },
  // A paper venue has no wallet's keys and nothing to check: 501, and none waits or was made: 404.
  { method: 'POST',   path: '/connectors/{id}/wallet-approvals', auth: 'B', status: 501 },
  { method: 'POST',   path: '/connectors/{id}/wallet-approvals/{approvalId}', auth: 'B', status: 404 },
  { method: 'DELETE', path: '/connectors/{id}/wallet-approvals/{approvalId}', auth: 'B', status: 404 },
  { method: 'POST',   path: '/connectors/{id}/check',           auth: 'K', status: 501 },
  { method: 'GET',    path: '/connectors/{id}/check',           auth: 'K', status: 404 },
  // Market data
  { method: 'GET',    path: '/connectors',                      auth: 'P', status: 200 },
  { method: 'GET',    path: '/prices',                          auth: 'P', status: 200 },
  { method: 'GET',    path: '/funding',                         auth: 'P', status: 200 },
  { method: 'GET',    path: '/feeds',                           auth: 'P', status: 200 },
  { method: 'GET',    path: '/instruments',                     auth: 'P', status: 200 },
  { method: 'GET',    path: '/instruments/lite',                auth: 'P', status: 200 },
  { method: 'GET',    path: '/instruments/symbol-to-id-map',    auth: 'P', status: 200 },
  { method: 'GET',    path: '/markets',                         auth: 'P', status: 200 },
  { method: 'GET',    path: '/markets/baskets',                 auth: 'P', status: 200 },
  { method: 'POST',   path: '/markets/baskets/positions',       auth: 'P', status: 200 },
  { method: 'GET',    path: '/candles',                         auth: 'P', status: 200 },
  { method: 'GET',    path: '/candles/basket',                  auth: 'P', status: 200 },
  { method: 'GET',    path: '/analytics/pair',                  auth: 'P', status: 200 },
  { method: 'GET',    path: '/analytics/screener',              auth: 'P', status: 200 },
  { method: 'GET',    path: '/analytics/pair/summary',          auth: 'P', status: 200 },
  { method: 'GET',    path: '/analytics/weights',               auth: 'P', status: 200 },
  // Saved baskets and integrations
  { method: 'GET',    path: '/saved-baskets',                   auth: 'K', status: 200, account },
  { method: 'POST',   path: '/saved-baskets',                   auth: 'K', status: 201, account },
  { method: 'PATCH',  path: '/saved-baskets/{id}',              auth: 'K', status: 200, account },
  { method: 'DELETE', path: '/saved-baskets/{id}',              auth: 'K', status: 204, account },
  { method: 'GET',    path: '/integrations',                    auth: 'K', status: 200 },
  { method: 'POST',   path: '/integrations',                    auth: 'B', status: 201 },
  { method: 'PATCH',  path: '/integrations/{id}',               auth: 'B', status: 200 },
  // What happens past the gateway
  { method: 'POST',   path: '/sync',                            auth: 'K', status: 200, account },
  { method: 'GET',    path: '/sync/differences',                auth: 'K', status: 200 },
  { method: 'GET',    path: '/sync/reviews',                    auth: 'K', status: 200, account },
  { method: 'POST',   path: '/sync/reviews/resolve',            auth: 'K', status: 200, account },
  { method: 'POST',   path: '/sync/positions',                  auth: 'K', status: 201, account },
  // Account set-up at the exchange venue: no connector of a gateway without live venues can do it
  { method: 'POST',   path: '/misc/exchange/create-api-key',             auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/change-pub-key',             auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/prepare-approve-integrator', auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/submit-approve-integrator',  auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/create-auth-token',          auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/prepare-fast-withdraw',      auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/submit-fast-withdraw',       auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/change-account-tier',        auth: 'K', status: 501 },
  { method: 'POST',   path: '/misc/exchange/uda',                        auth: 'K', status: 501 },
  { method: 'GET',    path: '/misc/exchange/uda/{walletAddress}',        auth: 'K', status: 501 },
  // Trading
  { method: 'GET',    path: '/fee',                             auth: 'K', status: 200 },
  { method: 'GET',    path: '/leverage',                        auth: 'K', status: 200, account },
  { method: 'PUT',    path: '/leverage',                        auth: 'K', status: 200, account },
  { method: 'POST',   path: '/trade/open',                      auth: 'K', status: 202, account },
  { method: 'GET',    path: '/executions',                      auth: 'K', status: 200, account },
  { method: 'GET',    path: '/executions/by-key',               auth: 'K', status: 200, account },
  { method: 'GET',    path: '/executions/{id}',                 auth: 'K', status: 200, account },
  { method: 'GET',    path: '/fills',                           auth: 'K', status: 200, account },
  { method: 'GET',    path: '/fills/provisionals-lite',         auth: 'K', status: 200, account },
  { method: 'GET',    path: '/fills/{positionId}',              auth: 'K', status: 200, account },
  { method: 'GET',    path: '/positions',                       auth: 'K', status: 200, account },
  { method: 'GET',    path: '/positions/lite',                  auth: 'K', status: 200, account },
  { method: 'GET',    path: '/positions/closed',                auth: 'K', status: 200, account },
  { method: 'GET',    path: '/positions/unassigned',            auth: 'K', status: 200, account },
  { method: 'GET',    path: '/portfolio',                       auth: 'K', status: 200, account },
  { method: 'GET',    path: '/portfolio/analytics',             auth: 'K', status: 200, account },
  { method: 'GET',    path: '/positions/{id}',                  auth: 'K', status: 200, account },
  { method: 'POST',   path: '/positions/{id}/close',            auth: 'K', status: 202, account },
  { method: 'POST',   path: '/positions/{id}/adjust',           auth: 'K', status: 202, account },
  { method: 'POST',   path: '/positions/{id}/close/plan',       auth: 'K', status: 200, account },
  { method: 'POST',   path: '/positions/{id}/reverse/plan',     auth: 'K', status: 200, account },
  { method: 'GET',    path: '/safety/panic/plan',               auth: 'K', status: 200 },
  { method: 'GET',    path: '/positions/risk',                  auth: 'K', status: 200, account },
  // Orders that wait for their user: none waits, 404.
  { method: 'GET',    path: '/approvals',                       auth: 'B', status: 200, firstParty },
  { method: 'GET',    path: '/approvals/{id}',                  auth: 'B', status: 404, firstParty },
  { method: 'POST',   path: '/approvals/{id}/approve',          auth: 'B', status: 404, firstParty },
  { method: 'POST',   path: '/approvals/{id}/deny',             auth: 'B', status: 404, firstParty },
  { method: 'GET',    path: '/approvals/mine/{id}',             auth: 'K', status: 404 },
  { method: 'DELETE', path: '/approvals/mine/{id}',             auth: 'K', status: 404 },
  // What waits
  { method: 'POST',   path: '/triggers/open',                   auth: 'K', status: 200, account },
  { method: 'GET',    path: '/triggers',                        auth: 'K', status: 200, account },
  { method: 'GET',    path: '/triggers/{id}',                   auth: 'K', status: 200, account },
  { method: 'PATCH',  path: '/triggers/{id}',                   auth: 'K', status: 200, account },
  { method: 'POST',   path: '/triggers/{id}/cancel',            auth: 'K', status: 200, account },
  { method: 'POST',   path: '/triggers/{id}/pause',             auth: 'K', status: 200, account },
  { method: 'POST',   path: '/triggers/{id}/resume',            auth: 'K', status: 200, account },
  { method: 'POST',   path: '/triggers/cancel-all',             auth: 'K', status: 200, account },
  { method: 'POST',   path: '/schedules',                       auth: 'K', status: 200, account },
  { method: 'GET',    path: '/schedules',                       auth: 'K', status: 200, account },
  { method: 'GET',    path: '/schedules/{id}',                  auth: 'K', status: 200, account },
  { method: 'POST',   path: '/schedules/{id}/pause',            auth: 'K', status: 200, account },
  { method: 'POST',   path: '/schedules/{id}/resume',           auth: 'K', status: 200, account },
  { method: 'POST',   path: '/schedules/{id}/cancel',           auth: 'K', status: 200, account },
  { method: 'POST',   path: '/ladders',                         auth: 'K', status: 200, account },
  { method: 'GET',    path: '/ladders',                         auth: 'K', status: 200, account },
  { method: 'GET',    path: '/ladders/{ladderId}',              auth: 'K', status: 200, account },
  { method: 'POST',   path: '/ladders/{ladderId}/cancel',       auth: 'K', status: 202, account },
  { method: 'PUT',    path: '/positions/{id}/brackets',         auth: 'K', status: 200, account },
  { method: 'POST',   path: '/positions/{id}/reverse',          auth: 'K', status: 202, account },
  { method: 'POST',   path: '/positions/close-all',             auth: 'K', status: 202, account },
  { method: 'POST',   path: '/positions/{id}/margin',           auth: 'K', status: 200, account },
  { method: 'PUT',    path: '/positions/{id}/auto-rebalance',   auth: 'K', status: 200, account },
  { method: 'GET',    path: '/positions/{id}/auto-rebalance',   auth: 'K', status: 200, account },
  { method: 'POST',   path: '/positions/{id}/auto-rebalance/pause',auth: 'K', status: 200, account },
  { method: 'POST',   path: '/positions/{id}/auto-rebalance/resume',auth: 'K', status: 200, account },
  { method: 'DELETE', path: '/positions/{id}/auto-rebalance',   auth: 'K', status: 204, account },
  { method: 'POST',   path: '/positions/{id}/rebalance/plan',   auth: 'K', status: 200, account },
  { method: 'POST',   path: '/positions/{id}/rebalance',        auth: 'K', status: 202, account },
  { method: 'GET',    path: '/orders',                          auth: 'K', status: 200, account },
  { method: 'GET',    path: '/orders/{id}',                     auth: 'K', status: 200, account },
  { method: 'POST',   path: '/orders/{id}/cancel',              auth: 'K', status: 200, account },
  { method: 'POST',   path: '/orders/cancel-all',               auth: 'K', status: 200, account },
  // Notifications and the brakes: the user's, not an account's
  { method: 'GET',    path: '/notifications',                   auth: 'K', status: 200 },
  { method: 'POST',   path: '/notifications/read',              auth: 'K', status: 200 },
  { method: 'POST',   path: '/notifications/unread',            auth: 'K', status: 200 },
  { method: 'GET',    path: '/safety',                          auth: 'K', status: 200 },
  { method: 'POST',   path: '/safety/pause',                    auth: 'K', status: 200 },
  { method: 'POST',   path: '/safety/resume',                   auth: 'K', status: 200, noGrant: true },
  { method: 'POST',   path: '/safety/panic',                    auth: 'K', status: 202 },
  // OAuth: protocol, consent page, connected agents
  { method: 'GET',    path: '/.well-known/oauth-authorization-server', auth: 'P', status: 200, protocol },
  { method: 'GET',    path: '/.well-known/oauth-protected-resource',   auth: 'P', status: 200, protocol },
  { method: 'GET',    path: '/.well-known/oauth-protected-resource/mcp', auth: 'P', status: 200, protocol },
  { method: 'POST',   path: '/register',                        auth: 'P', status: 201, protocol },
  { method: 'GET',    path: '/authorize',                       auth: 'P', status: 302, protocol },
  { method: 'POST',   path: '/token',                           auth: 'P', status: 200, protocol },
  { method: 'POST',   path: '/revoke',                          auth: 'P', status: 200, protocol },
  { method: 'GET',    path: '/consent/{uid}',                   auth: 'P', status: 302 },
  { method: 'GET',    path: '/consent/assets/{asset}',          auth: 'P', status: 200 },
  // Dashboard
  { method: 'GET',    path: '/',                                auth: 'P', status: 302 },
  { method: 'GET',    path: '/app',                             auth: 'P', status: 302 },
  { method: 'GET',    path: '/app/start',                       auth: 'P', status: 200 },
  { method: 'GET',    path: '/app/{screen}',                    auth: 'P', status: 302 },
  { method: 'GET',    path: '/app/{screen}/{part}',             auth: 'P', status: 302 },
  { method: 'GET',    path: '/app/{screen}/{part}/{detail}',    auth: 'P', status: 302 },
  { method: 'GET',    path: '/app/assets/{asset}',              auth: 'P', status: 200 },
  { method: 'POST',   path: '/auth/link',                       auth: 'P', status: 200 },
  { method: 'GET',    path: '/interaction/{uid}',               auth: 'P', status: 200 },
  { method: 'POST',   path: '/interaction/{uid}/login',         auth: 'P', status: 200 },
  { method: 'GET',    path: '/interaction/{uid}/terms',         auth: 'B', status: 200, firstParty },
  { method: 'POST',   path: '/interaction/{uid}/terms',         auth: 'B', status: 200, firstParty },
  { method: 'POST',   path: '/interaction/{uid}/confirm',       auth: 'B', status: 200, firstParty },
  { method: 'POST',   path: '/interaction/{uid}/abort',         auth: 'B', status: 200, firstParty },
  { method: 'GET',    path: '/oauth2/grants',                   auth: 'B', status: 200, firstParty },
  { method: 'GET',    path: '/oauth2/grants/{id}/waiting',      auth: 'B', status: 200, firstParty },
  { method: 'DELETE', path: '/oauth2/grants/{id}',              auth: 'B', status: 204, firstParty },
  // What agents and keys may do with money
  { method: 'GET',    path: '/agents',                          auth: 'B', status: 200, firstParty },
  { method: 'PUT',    path: '/agents/{id}/mandate',             auth: 'B', status: 200, firstParty },
  { method: 'POST',   path: '/agents/{id}/suspend',             auth: 'B', status: 200, firstParty },
  { method: 'POST',   path: '/agents/{id}/resume',              auth: 'B', status: 200, firstParty },
  { method: 'POST',   path: '/agents/pause-all',                auth: 'B', status: 200, firstParty },
  { method: 'GET',    path: '/agents/{id}/refused',             auth: 'B', status: 200, firstParty },
  { method: 'GET',    path: '/agents/limits',                   auth: 'B', status: 200, firstParty },
  { method: 'PUT',    path: '/agents/limits',                   auth: 'B', status: 200, firstParty },
  { method: 'GET',    path: '/agents/me',                       auth: 'K', status: 200 },
  { method: 'GET',    path: '/audit-log',                       auth: 'B', status: 200 },
];

export const routeName = ({ method, path }: Pick<SurfaceRoute, 'method' | 'path'>) => `${method} ${path}`;
