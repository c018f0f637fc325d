/** Makes the record of an order that needs a person's approval, and the hashes that identify it. */
import { hash } from 'node:crypto';
import { type Approval, contentText, jsonOf, planText, type RecordedRequest } from '../../domain/approval.ts';
import { planOf } from '../../domain/approval-plan.ts';
import type { Placed } from '../../domain/authority.ts';
import { dec, sum, text } from '../../domain/decimal.ts';
import type { MandateHolder } from '../../domain/mandate.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { ApprovalRequest, AskedRequest } from '../ports/approval-desk.ts';
import type { MandateBook } from '../ports/mandate-book.ts';
import type { MarketData } from '../ports/market.ts';
import { shownTerms } from './shown-terms.ts';

/** Current facts about the holder of a mandate. */
export interface KnownHolder {
  /** Name that the holder gave itself. Nobody has verified it. */
  readonly name: string;
  /** Id in the audit log: that of the key, or of the grant's client. */
  readonly client: string;
  /** False: its grant or key has ended. */
  readonly isAlive: boolean;
}

export interface ApprovalDeps
  extends Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger' | 'state' | 'venues'> {
  readonly market: Pick<MarketData, 'quote' | 'instrument'>;
  readonly accountOf: (id: string) => TradeAccount | undefined;
  readonly holderOf: (holder: MandateHolder) => KnownHolder | undefined;
  /** False: a live account that is not armed, or not armed for this authority. */
  readonly isArmed: (account: TradeAccount, placed: Placed) => boolean;
  readonly book: Pick<MandateBook, 'of'>;
}

export function newApproval(deps: ApprovalDeps, asked: ApprovalRequest, now: number): Approval {
  const { holder, account, userId, mandateVersion, kind, reasons, reserveUsd } = asked;
  const bound = deps.book.of({ authorityKind: holder.kind, authorityId: holder.id });
  const request = recordOf(account, asked.request);
  const { legs, loosens, changes } = asked.asked;
  const terms = shownTerms(deps, account, { legs, changes }, request.params);
  const plan = { ...planOf(now, legs, reserveUsd, exposureOf(deps, account), loosens), terms };
  return {
    id: deps.ids.next(),
    userId,
    holder,
    holderName: deps.holderOf(holder)?.name ?? holder.id,
    tradeAccountId: account.id,
    connector: account.connector,
    kind,
    request,
    mandateVersion,
    reasons,
    aboveUsd: bound?.mandate.approval.aboveUsd ?? null,
    says: asked.request.says ?? null,
    plan,
    planHash: planHashOf({ holder, mandateVersion, request, plan }),
    reserveUsd,
    opensPosition: asked.opensPosition,
    rests: asked.rests,
    driftBps: asked.driftBps,
    passwordAboveUsd: asked.passwordAboveUsd,
    status: 'PENDING',
    createdAt: now,
    expiresAt: now + asked.lifeSeconds * 1_000,
    updatedAt: now,
    decidedAt: null,
    decidedBy: null,
    withdrawnBecause: null,
    madeId: null,
  };
}

export function planHashOf(approval: Parameters<typeof planText>[0]): string {
  return hash('sha256', planText(approval), 'hex');
}

export function recordOf(account: Pick<TradeAccount, 'id'>, request: AskedRequest): RecordedRequest {
  const { route, idempotency } = request;
  const params = jsonOf(request.params);
  const body = jsonOf(request.body);
  return {
    route,
    params,
    body,
    idempotencyKey: idempotency?.key ?? null,
    contentHash: hash('sha256', contentText({ tradeAccountId: account.id, route, params, body }), 'hex'),
  };
}

/** Gross notional of the account's open positions at their marks, USD. */
export function exposureOf(
  { market, state }: Pick<ApprovalDeps, 'market' | 'state'>,
  { id, connector }: Pick<TradeAccount, 'id' | 'connector'>,
): string {
  const legs = state.positions.of(id).flatMap((position) => position.legs);
  const notional = legs.map(({ symbol, quantity, entryPrice }) =>
    dec(quantity).mul(market.quote(connector, symbol)?.mark ?? entryPrice),
  );
  return text(sum(notional));
}
