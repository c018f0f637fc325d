import { initialSchema } from './0001-initial-schema.ts';
import { ordersInTheirExecution } from './0002-orders-in-their-execution.ts';
import { oauthSchema } from './0003-oauth.ts';
import { restingOrders } from './0004-resting-orders.ts';
import { basketsSchema } from './0005-baskets.ts';
import { portfolioSchema } from './0006-portfolio.ts';
import { candlesSchema } from './0007-candles-and-provisional-fills.ts';
import { orderIdsThatFollow } from './0008-order-ids-that-follow.ts';
import { unassignedHoldings } from './0009-unassigned-holdings.ts';
import { fillReviews } from './0010-fill-reviews.ts';
import { equitySamples } from './0011-equity-samples.ts';
import { authority } from './0012-authority.ts';
import { refreshTokenFamilies } from './0013-refresh-token-families.ts';
import { boundSessions } from './0014-bound-sessions.ts';
import { accountLimits } from './0015-account-limits.ts';
import { mandates } from './0016-mandates.ts';
import { continuedGrants } from './0017-continued-grants.ts';
import { mandateUsage } from './0018-mandate-usage.ts';
import { approvals } from './0019-approvals.ts';
import { worstPrices } from './0020-worst-prices.ts';
import { reservedInItsExecution } from './0021-reserved-in-its-execution.ts';
import { news } from './0022-news.ts';
import { fundingByTime } from './0023-funding-by-time.ts';
import { sizedPrices } from './0024-sized-prices.ts';
import { fundingRates } from './0025-funding-rates.ts';
import { afterBracket } from './0026-after-bracket.ts';
import { targetQuantities } from './0027-target-quantities.ts';
import { filledLegs } from './0028-filled-legs.ts';
import { legFailure } from './0029-leg-failure.ts';
import { bracketLevels } from './0030-bracket-levels.ts';
import { pausedBy } from './0031-paused-by.ts';
import { auditReasons } from './0032-audit-reasons.ts';
import type { SchemaMigration } from './schema-migration.ts';

/** Every step of the schema, oldest first. A change is a new step at the end. */
export const MIGRATIONS: readonly SchemaMigration[] = [
  initialSchema,
  ordersInTheirExecution,
  oauthSchema,
  restingOrders,
  basketsSchema,
  portfolioSchema,
  candlesSchema,
  orderIdsThatFollow,
  unassignedHoldings,
  fillReviews,
  equitySamples,
  authority,
  refreshTokenFamilies,
  boundSessions,
  accountLimits,
  mandates,
  continuedGrants,
  mandateUsage,
  approvals,
  worstPrices,
  reservedInItsExecution,
  news,
  fundingByTime,
  sizedPrices,
  fundingRates,
  afterBracket,
  targetQuantities,
  filledLegs,
  legFailure,
  bracketLevels,
  pausedBy,
  auditReasons,
];
