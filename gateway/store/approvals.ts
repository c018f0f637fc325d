/** Approvals: pending ones, those that a repeated request may still need, and a user's list, pending ones first. */
import type { Approval } from '../domain/approval.ts';
import type { ApprovalStore } from '../engine/ports/approvals.ts';
import { pageOf } from './rows/keyset-page.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { fixed, flag, integer, json, key, nullable, table, text } from './rows/table-entity.ts';

export const approvalEntity = table<Approval>('approvals', {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  holder: fixed(json('holder')),
  holderName: fixed(text('holder_name')),
  tradeAccountId: fixed(text('trade_account_id')),
  connector: fixed(text('connector')),
  kind: fixed(text('kind')),
  request: fixed(json('request')),
  mandateVersion: integer('mandate_version'),
  reasons: fixed(json('reasons')),
  aboveUsd: nullable(fixed(text('above_usd'))),
  says: nullable(fixed(text('says'))),
  plan: json('plan'),
  planHash: text('plan_hash'),
  reserveUsd: text('reserve_usd'),
  opensPosition: fixed(flag('opens_position')),
  rests: fixed(flag('rests')),
  driftBps: fixed(integer('drift_bps')),
  passwordAboveUsd: nullable(fixed(text('password_above_usd'))),
  status: text('status'),
  createdAt: fixed(integer('created_at')),
  expiresAt: fixed(integer('expires_at')),
  updatedAt: integer('updated_at'),
  decidedAt: nullable(integer('decided_at')),
  decidedBy: nullable(text('decided_by')),
  withdrawnBecause: nullable(text('withdrawn_because')),
  madeId: nullable(text('made_id')),
});

/** Added to the sort key of those that wait: later than any date. */
const WAITING_RANK = 1_000_000_000_000_000;
/** Word for word the expression of the index `approvals_by_rank`. */
const RANK = `(created_at + CASE status WHEN 'PENDING' THEN ${WAITING_RANK} ELSE 0 END)`;

function rankOf({ status, createdAt }: Pick<Approval, 'status' | 'createdAt'>): number {
  return createdAt + (status === 'PENDING' ? WAITING_RANK : 0);
}

export function approvalReads({ one, select }: Reads): ApprovalStore {
  const page = select(
    approvalEntity,
    `WHERE user_id = ? AND (${RANK}, id) < (?, ?) ORDER BY ${RANK} DESC, id DESC LIMIT ?`,
  );
  return {
    approval: one(approvalEntity, 'WHERE id = ?'),
    approvalsSince: select(
      approvalEntity,
      `WHERE created_at >= ? OR status = 'PENDING' ORDER BY created_at, id`,
    ),
    async approvals(userId, { limit, after }) {
      const { key: before, id } = after ?? { key: Number.MAX_SAFE_INTEGER, id: '' };
      return pageOf(await page(userId, before, id, limit + 1), limit, rankOf);
    },
  };
}
