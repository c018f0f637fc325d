/** Presents an approval to the user who decides, and to the holder that asked. */
import type { z } from 'zod';
import { type approval, readOwnApproval } from '../../contract/approvals.ts';
import type { Approval } from '../../domain/approval.ts';
import type { Instrument, LeverageSetting, TradeAccount } from '../../domain/model.ts';
import type { Money } from '../../domain/money.ts';
import type { Protection } from '../../domain/protection.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import { type AccountPlaces, capsOf, venueName } from './account-caps.ts';
import { settingTerms, type Term, termsOf } from './approval-terms.ts';
import { iso, isoOrNull } from './time.ts';

const askedApproval = readOwnApproval.success[200];

export interface ApprovalView {
  readonly market: Pick<MarketData, 'quote' | 'instrument'>;
  /** Leverage and margin mode of the account's orders in the instrument, for plans of earlier versions. */
  readonly leverageOf: (
    account: TradeAccount,
    instrument: Instrument,
  ) => Pick<LeverageSetting, 'leverage' | 'marginMode'>;
  readonly accountOf: (id: string) => TradeAccount | undefined;
  readonly moneyOf: (account: TradeAccount) => Money;
  readonly places: AccountPlaces;
  /** Protection of the position as the approval would leave it. */
  readonly protectionIfApproved: (approval: Approval) => readonly Protection[];
}

/** Viewer of the approval. */
export interface Onlooker {
  readonly sessionId: string;
  readonly needsPassword: boolean;
}

export function presentApproval(
  view: ApprovalView,
  value: Approval,
  { sessionId, needsPassword }: Onlooker,
): z.input<typeof approval> {
  const account = view.accountOf(value.tradeAccountId);
  const { kind, id } = value.holder;
  return {
    ...commonOf(view, value),
    asker: { kind, id, name: value.holderName },
    account: {
      id: value.tradeAccountId,
      alias: account?.alias ?? null,
      connector: value.connector,
      // Nothing is known of a removed account any more; real money is the careful assumption.
      ...(account === undefined ? { mode: 'LIVE', network: null } : view.moneyOf(account)),
      venue: venueName(view.places, value.connector),
      caps:
        account === undefined ? null : capsOf(view.places, account, { authorityKind: kind, authorityId: id }),
    },
    terms: [...lossesOf(value), ...termsOf(value.request), ...settingTerms(value.plan.terms)],
    protection: [...view.protectionIfApproved(value)],
    reasons: [...value.reasons],
    aboveUsd: value.aboveUsd,
    says: value.says,
    planHash: value.planHash,
    driftBps: value.driftBps,
    needsPassword,
    updatedAt: iso(value.updatedAt),
    decidedBy:
      value.decidedBy === null ? null : value.decidedBy === sessionId ? 'this session' : 'another session',
  };
}

export function presentAskedApproval(view: ApprovalView, value: Approval): z.input<typeof askedApproval> {
  return { ...commonOf(view, value), tradeAccountId: value.tradeAccountId };
}

/** Protection that would be lost, as the first line that is read. */
function lossesOf({ plan: { loosens = [] } }: Approval): readonly Term[] {
  return loosens.length === 0 ? [] : [{ name: 'Less protection', value: loosens.join('; ') }];
}

function commonOf({ market, leverageOf, accountOf }: ApprovalView, value: Approval) {
  const { legs, at, loosens = [], terms, ...figures } = value.plan;
  const account = accountOf(value.tradeAccountId);
  return {
    id: value.id,
    status: value.status,
    kind: value.kind,
    route: value.request.route,
    plan: {
      at: iso(at),
      legs: legs.map((leg) => {
        const instrument = market.instrument(value.connector, leg.symbol);
        const shown = terms?.leverage.find(({ symbol }) => symbol === leg.symbol);
        const inForce =
          shown ??
          (instrument === undefined || account === undefined ? null : leverageOf(account, instrument));
        return {
          ...leg,
          reduces: leg.reduces ?? false,
          markNow: market.quote(value.connector, leg.symbol)?.mark ?? null,
          leverage: inForce?.leverage ?? null,
          marginMode: inForce?.marginMode ?? null,
        };
      }),
      ...figures,
      loosens: [...loosens],
    },
    createdAt: iso(value.createdAt),
    expiresAt: iso(value.expiresAt),
    decidedAt: isoOrNull(value.decidedAt),
    withdrawnBecause: value.withdrawnBecause,
    madeId: value.madeId,
  };
}
