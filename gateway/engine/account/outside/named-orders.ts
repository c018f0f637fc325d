/** Fills of orders that were placed outside Tandem and are named by their client order ids. */

import { dec, sum } from '../../../domain/decimal.ts';
import type { Fill, TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type EngineError, invalid, venueFailed } from '../../core/errors.ts';
import { venueAccount, venueOf } from '../../execution/ask-venue.ts';
import { fillRow } from '../../execution/fill-row.ts';
import type { VenueFill } from '../../ports/venue.ts';
import { availableFills } from './available-fills.ts';
import { notYet } from './safe-to-attribute.ts';
import type { OutsideFills } from './take-in-fills.ts';

/**
 * Asks the venue for each order. Its fills are either stored and in no basket, or not stored yet. An order with fills
 * already in a basket is refused; while the history has not confirmed them, with a conflict.
 */
export async function fillsOfOrders(
  deps: Pick<EngineDeps, 'store' | 'venues' | 'ids' | 'state'>,
  account: TradeAccount,
  cloids: readonly string[],
): Promise<Result<OutsideFills, EngineError>> {
  const provisional = new Map(
    (await deps.store.provisionalFills(account.id)).map((fill) => [fill.tradeId, fill]),
  );
  const stored: Fill[] = [];
  const unconfirmed: Fill[] = [];
  for (const [index, cloid] of cloids.entries()) {
    const told = await fillsOfOrder(deps, account, cloid, index);
    if (!told.ok) return told;
    const known = await deps.store.knownTradeIds(
      account.id,
      told.value.map(({ tradeId }) => tradeId),
    );
    for (const fill of told.value) {
      const kept = provisional.get(fill.tradeId);
      if (kept !== undefined && kept.positionId === null) {
        stored.push(kept);
        continue;
      }
      if (kept !== undefined) {
        return notYet(
          'SYNC_CREATE_CLOID_ALREADY_PROVISIONAL',
          `Client order ID ${cloid} already has a provisional fill, which the venue's history has yet to confirm`,
          { cloid, positionId: kept.positionId },
        );
      }
      if (known.has(fill.tradeId)) {
        return invalid(`cloids.${index}`, 'The fills of this order belong to a position already');
      }
      const { id: tradeAccountId, connector } = account;
      const owner = { id: deps.ids.next(), tradeAccountId, connector, positionId: null, realizedPnl: '0' };
      unconfirmed.push(fillRow(fill, owner));
    }
  }
  const { whole, parts } = availableFills(deps, stored);
  return ok({ stored: whole, parts, unconfirmed });
}

async function fillsOfOrder(
  deps: Pick<EngineDeps, 'venues'>,
  account: TradeAccount,
  cloid: string,
  index: number,
): Promise<Result<readonly VenueFill[], EngineError>> {
  const ref = { clientOrderId: cloid, venueOrderId: null, sent: null };
  const asked = await venueOf(deps, account.connector).ordersByClientIds(venueAccount(account), [ref]);
  if (!asked.ok) return venueFailed(asked.error);
  const order = asked.value[0] ?? { kind: 'unknown', message: 'no answer for the order' };
  switch (order.kind) {
    case 'unknown':
      return venueFailed({ kind: 'unknown', message: order.message });
    case 'not_found':
      return invalid(`cloids.${index}`, 'The venue has no order with this client order ID');
    case 'accepted':
    case 'listed':
    case 'not_sent':
      return notYet('SYNC_CREATE_FILLS_TOO_RECENT', `The end of order ${cloid} is not known yet`, { cloid });
    case 'rejected':
      return invalid(`cloids.${index}`, 'The venue rejected this order; nothing was filled');
    case 'resting':
    case 'done': {
      const complete = sum(order.fills.map(({ quantity }) => dec(quantity))).gte(order.filledQuantity);
      // The venue reports the filled total but not all fills yet: answered like fills that are too recent.
      if (!complete) {
        return notYet('SYNC_CREATE_FILLS_TOO_RECENT', `Not all fills of order ${cloid} are known yet`, {
          cloid,
        });
      }
      return ok(order.fills);
    }
  }
}
