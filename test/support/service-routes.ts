/**
 * Every row of the endpoint tables of the service description, copied by hand: method, path, auth column (`O`: an OAuth
 * protocol endpoint), whether it is marked (acct), and its success status. What the gateway serves beyond it is in
 * service-surface.ts.
 */

interface ServiceRoute {
  readonly auth: 'K' | 'B' | 'P' | 'O';
  readonly account?: true;
  readonly status: number;
  /** Status of a good call while no venue can do it. */
  readonly withoutVenue?: number;
}

const account = true;
const notYet = { withoutVenue: 501 } as const;

// biome-ignore format: a table is read by its columns
export const SERVICE_ROUTES: Readonly<Record<string, ServiceRoute>> = {
  // Credentials
  'GET /api-keys':                    { auth: 'B', status: 200 },
  'POST /api-keys':                   { auth: 'B', status: 201 },
  'DELETE /api-keys/{id}':            { auth: 'B', status: 204 },
  // Trading
  'PUT /leverage':                    { auth: 'K', account, status: 200 },
  'POST /trade/open':                 { auth: 'K', account, status: 202 },
  'POST /triggers/open':              { auth: 'K', account, status: 200 },
  'POST /schedules':                  { auth: 'K', account, status: 200 },
  'POST /ladders':                    { auth: 'K', account, status: 200 },
  'GET /ladders':                     { auth: 'K', account, status: 200 },
  'GET /ladders/{ladderId}':          { auth: 'K', account, status: 200 },
  'POST /ladders/{ladderId}/cancel':  { auth: 'K', account, status: 202 },
  'GET /fee':                         { auth: 'K', status: 200 },
  // Executions
  'GET /executions':                  { auth: 'K', account, status: 200 },
  'GET /executions/{id}':             { auth: 'K', account, status: 200 },
  // Fills
  'GET /fills':                       { auth: 'K', account, status: 200 },
  'GET /fills/provisionals-lite':     { auth: 'K', account, status: 200 },
  'GET /fills/{positionId}':          { auth: 'K', account, status: 200 },
  // Positions
  'GET /positions':                   { auth: 'K', account, status: 200 },
  'GET /positions/lite':              { auth: 'K', account, status: 200 },
  'GET /positions/closed':            { auth: 'K', account, status: 200 },
  // Portfolio
  'GET /portfolio':                   { auth: 'K', account, status: 200 },
  'GET /portfolio/analytics':         { auth: 'K', account, status: 200 },
  // Market data
  'GET /funding':                     { auth: 'P', status: 200 },
  'GET /prices':                      { auth: 'P', status: 200 },
  'GET /instruments':                 { auth: 'P', status: 200 },
  'GET /instruments/lite':            { auth: 'P', status: 200 },
  'GET /instruments/symbol-to-id-map': { auth: 'P', status: 200 },
  'GET /markets/baskets':             { auth: 'P', status: 200 },
  'GET /markets':                     { auth: 'P', status: 200 },
  'POST /markets/baskets/positions':  { auth: 'P', status: 200 },
  // Saved baskets
  'GET /saved-baskets':               { auth: 'K', account, status: 200 },
  'POST /saved-baskets':              { auth: 'K', account, status: 201 },
  'PATCH /saved-baskets/{id}':        { auth: 'K', account, status: 200 },
  'DELETE /saved-baskets/{id}':       { auth: 'K', account, status: 204 },
  // Notifications
  'GET /notifications':               { auth: 'K', status: 200 },
  'POST /notifications/read':         { auth: 'K', status: 200 },
  'POST /notifications/unread':       { auth: 'K', status: 200 },
  // Exchange-specific account setup
  'POST /misc/exchange/create-api-key':             { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/change-pub-key':             { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/prepare-approve-integrator': { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/submit-approve-integrator':  { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/create-auth-token':          { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/prepare-fast-withdraw':      { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/submit-fast-withdraw':       { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/change-account-tier':        { auth: 'K', status: 200, ...notYet },
  'POST /misc/exchange/uda':                        { auth: 'K', status: 200, ...notYet },
  'GET /misc/exchange/uda/{walletAddress}':         { auth: 'K', status: 200, ...notYet },
  // OAuth protocol endpoints
  'GET /.well-known/oauth-authorization-server': { auth: 'O', status: 200 },
  'POST /register':                   { auth: 'O', status: 201 },
  'GET /authorize':                   { auth: 'O', status: 302 },
  'POST /token':                      { auth: 'O', status: 200 },
  'POST /revoke':                     { auth: 'O', status: 200 },
  // Consent-page API
  'GET /interaction/{uid}':           { auth: 'P', status: 200 },
  'POST /interaction/{uid}/login':    { auth: 'P', status: 200 },
  'POST /interaction/{uid}/confirm':  { auth: 'B', status: 200 },
  'POST /interaction/{uid}/abort':    { auth: 'B', status: 200 },
  // Grant management
  'GET /oauth2/grants':               { auth: 'B', status: 200 },
  'DELETE /oauth2/grants/{id}':       { auth: 'B', status: 204 },
  // Other routes named. A paper account has no credentials to give out.
  'POST /auth/login':                 { auth: 'P', status: 200 },
  'POST /auth/session/refresh':       { auth: 'P', status: 200 },
  'POST /trade-accounts/{id}/credentials': { auth: 'K', status: 200, withoutVenue: 404 },
};
