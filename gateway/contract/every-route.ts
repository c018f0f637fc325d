/** Every module that declares routes: the client's types and its contract check need all routes. */
import * as apiKeys from './api-keys.ts';
import * as auditLog from './audit-log.ts';
import * as auth from './auth.ts';
import * as autoRebalance from './auto-rebalance.ts';
import * as baskets from './baskets.ts';
import * as brackets from './brackets.ts';
import * as candles from './candles.ts';
import * as consentPage from './consent-page.ts';
import * as dashboard from './dashboard.ts';
import * as exchangeSetup from './exchange-setup.ts';
import * as fee from './fee.ts';
import * as history from './history.ts';
import * as integrations from './integrations.ts';
import * as ladders from './ladders.ts';
import * as market from './market.ts';
import * as notifications from './notifications.ts';
import * as oauth from './oauth.ts';
import * as orders from './orders.ts';
import * as portfolio from './portfolio.ts';
import * as positionActions from './position-actions.ts';
import * as positions from './positions.ts';
import * as rebalance from './rebalance.ts';
import type { RouteContract } from './route.ts';
import * as safety from './safety.ts';
import * as savedBaskets from './saved-baskets.ts';
import * as schedules from './schedules.ts';
import * as sync from './sync.ts';
import * as system from './system.ts';
import * as tradeAccounts from './trade-accounts.ts';
import * as trading from './trading.ts';
import * as triggers from './triggers.ts';

const MODULES = {
  apiKeys,
  auditLog,
  auth,
  baskets,
  candles,
  consentPage,
  dashboard,
  exchangeSetup,
  fee,
  history,
  integrations,
  market,
  oauth,
  portfolio,
  positions,
  savedBaskets,
  sync,
  system,
  tradeAccounts,
  trading,
  autoRebalance,
  brackets,
  ladders,
  notifications,
  orders,
  positionActions,
  rebalance,
  safety,
  schedules,
  triggers,
} as const;

type Modules = typeof MODULES;
type RoutesIn<Module> = Extract<Module[keyof Module], RouteContract>;
export type AnyRoute = { [M in keyof Modules]: RoutesIn<Modules[M]> }[keyof Modules];

function isRoute(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'success' in value && 'auth' in value;
}

/** `POST /positions/{id}/close` → its contract. */
export const EVERY_ROUTE: ReadonlyMap<string, RouteContract> = new Map(
  Object.values(MODULES)
    .flatMap((module): unknown[] => Object.values(module))
    .filter(isRoute)
    .map((route) => [`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`, route]),
);
