/**
 * Every table, once: the part of a unit of work that writes the table, and how. The encoding of a unit and the
 * statement that applies a batch follow from here.
 */
import { summaryOf } from '../domain/schedule-summary.ts';
import type { FillChange, StoredEvent, StoredSlice, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import { agentResultEntity, holdingEntity, reservationEntity } from './agents.ts';
import { approvalEntity } from './approvals.ts';
import { auditEntryEntity } from './audit.ts';
import { basketEntity, basketOpenerEntity, savedBasketEntity } from './baskets.ts';
import { candleEntity } from './candles.ts';
import { deliveryEntity, destinationEntity } from './deliveries.ts';
import { type AccountSeq, accountSeqEntity, eventEntity } from './events.ts';
import { executionEntity, executionRow } from './executions.ts';
import { fillEntity, fillReviewEntity, fundingPaymentEntity } from './fills.ts';
import { fundingRateEntity } from './funding-rates.ts';
import { idempotencyEntity } from './idempotency.ts';
import { ladderEntity } from './ladders.ts';
import { houseLimitsEntity, mandateEntity, suspensionEntity } from './mandates.ts';
import { notificationEntity, notificationRow } from './notifications.ts';
import {
  oauthClientEntity,
  oauthCodeEntity,
  oauthGrantEntity,
  oauthInteractionEntity,
  oauthRefreshTokenEntity,
} from './oauth.ts';
import { type ClosedTradeRow, replaceClosedTrades } from './portfolio/closed-trades.ts';
import { equitySampleEntity } from './portfolio/equity-samples.ts';
import { type PortfolioTotalRow, portfolioTotalEntity } from './portfolio/totals.ts';
import { positionEntity, unassignedLotEntity } from './positions.ts';
import { autoRebalanceEntity, positionSetupEntity } from './rebalances.ts';
import type { Table } from './rows/table-entity.ts';
import { scheduleEntity, sliceEntity } from './schedules.ts';
import { cursorEntity, settingEntity } from './settings.ts';
import { bracketLevelsEntity, trailingPeakEntity, triggerEntity } from './trigger-row.ts';
import {
  accountLimitsEntity,
  apiKeyEntity,
  integrationEntity,
  leverageSettingEntity,
  sessionEntity,
  tradeAccountEntity,
  userEntity,
} from './users.ts';
import { addTo, from, insert, insertMissing, type Part, remove, replace } from './writer/parts.ts';

type Fields = Required<Omit<UnitOfWork, 'events' | 'deletes'>>;
type DeletedFrom = NonNullable<UnitOfWork['deletes']>[number]['from'];

/**
 * The parts of a unit of work in the order of their SQL: parents before children, inserts before replacements,
 * deletes last.
 */
export type Written = { readonly [Field in keyof Fields]: Fields[Field][number] } & {
  readonly [From in DeletedFrom as `deleted_${From}`]: string;
} & {
  readonly closedTrades: ClosedTradeRow;
  readonly portfolioTotals: PortfolioTotalRow;
  readonly newSlices: StoredSlice;
  readonly events: StoredEvent;
  readonly accountSeq: AccountSeq;
};

export type PartName = keyof Written;

/** Parts in the order of their application: parents before children, inserts before replacements, deletes last. */
export const PARTS: { readonly [Name in PartName]: Part<Written[Name]> } = {
  users: replace(userEntity),
  accounts: replace(tradeAccountEntity),
  sessions: replace(sessionEntity),
  apiKeys: replace(apiKeyEntity),
  approvals: replace(approvalEntity),
  newExecutions: from(executionRow, insert(executionEntity)),
  executions: from(executionRow, replace(executionEntity)),
  positions: replace(positionEntity),
  closedTrades: replaceClosedTrades,
  fills: insert(fillEntity),
  funding: insert(fundingPaymentEntity),
  portfolioTotals: addTo(portfolioTotalEntity),
  equitySamples: replace(equitySampleEntity),
  accountLimits: replace(accountLimitsEntity),
  mandates: insert(mandateEntity),
  houseLimits: insert(houseLimitsEntity),
  suspensions: replace(suspensionEntity),
  leverage: replace(leverageSettingEntity),
  idempotency: insert(idempotencyEntity),
  answeredKeys: replace(idempotencyEntity),
  settings: replace(settingEntity),
  cursors: replace(cursorEntity),
  positionSetups: insert(positionSetupEntity),
  triggers: replace(triggerEntity),
  trailingPeaks: replace(trailingPeakEntity),
  bracketLevels: replace(bracketLevelsEntity),
  newSchedules: from(summaryOf, insert(scheduleEntity)),
  newSlices: insert(sliceEntity),
  schedules: from(summaryOf, replace(scheduleEntity)),
  slices: replace(sliceEntity),
  ladders: replace(ladderEntity),
  autoRebalances: replace(autoRebalanceEntity),
  notifications: from(notificationRow, insert(notificationEntity)),
  audit: insert(auditEntryEntity),
  changedFills: from(({ fill }: FillChange) => fill, replace(fillEntity)),
  unassignedLots: replace(unassignedLotEntity),
  candles: replace(candleEntity),
  fundingRates: replace(fundingRateEntity),
  baskets: insertMissing(basketEntity),
  basketOpens: addTo(basketOpenerEntity),
  savedBaskets: replace(savedBasketEntity),
  integrations: replace(integrationEntity),
  fillReviews: replace(fillReviewEntity),
  reservations: replace(reservationEntity),
  holdings: replace(holdingEntity),
  agentResults: insert(agentResultEntity),
  destinations: replace(destinationEntity),
  deliveries: replace(deliveryEntity),
  events: insert(eventEntity),
  accountSeq: replace(accountSeqEntity),
  deleted_sessions: remove(sessionEntity),
  deleted_apiKeys: remove(apiKeyEntity),
  deleted_accounts: remove(tradeAccountEntity),
  deleted_savedBaskets: remove(savedBasketEntity),
  deleted_destinations: remove(destinationEntity),
};

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

/** Tables of the authorization server: their rows are claimed one by one and have no part in a unit of work. */
const CLAIMED: readonly Table[] = [
  oauthClientEntity,
  oauthInteractionEntity,
  oauthCodeEntity,
  oauthGrantEntity,
  oauthRefreshTokenEntity,
];

const WRITTEN = Object.values(PARTS).map(({ table }) => table);

export const TABLES: readonly Table[] = [
  ...new Map([...WRITTEN, ...CLAIMED].map((table) => [table.tableName, table])).values(),
];
