/**
 * An approval: an order of an agent or a program that waits for a person. Pure: its life as a table, the text of its
 * plan's hash, and the largest move of the market since a person looked.
 *
 * An order that waits for a person has no execution yet. The execution, or the resting object (a trigger, a ladder, a
 * schedule), is made in the commit that makes the approval APPROVED.
 */
import { canonicalJson, type JsonValue } from './canonical-json.ts';
import { type Decimal, type DecimalString, dec, ZERO } from './decimal.ts';
import type { APPROVAL_STATUSES } from './enumerations.ts';
import type { ApprovalReason, MandateHolder, MandateKind } from './mandate.ts';
import type { MarginMode, Side } from './model.ts';
import type { HeldLeg } from './shown-held.ts';
import { move, type TransitionTable } from './transition.ts';
import type { Bracket, BracketKind } from './trigger.ts';

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
/** `replan`: the market moved, and the person is shown new figures. */
export type ApprovalEvent = 'approve' | 'replan' | 'deny' | 'expire' | 'withdraw';

export const APPROVAL_TRANSITIONS: TransitionTable<ApprovalStatus, ApprovalEvent> = {
  PENDING: {
    approve: 'APPROVED',
    replan: 'PENDING',
    deny: 'DENIED',
    expire: 'EXPIRED',
    withdraw: 'WITHDRAWN',
  },
  APPROVED: {},
  DENIED: {},
  EXPIRED: {},
  WITHDRAWN: {},
};

/** Maximum number of orders of one holder that wait for a person. */
export const MAX_WAITING_APPROVALS = 5;

/** A leg at the prices of one moment. null: not known yet, because it is sized later or nobody quotes it. */
export interface ShownLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Base units. */
  readonly quantity: DecimalString | null;
  /** Mark price of the sizing. */
  readonly mark: DecimalString | null;
  /** The worst price at which it may fill. */
  readonly worstPrice: DecimalString | null;
  /** Notional at the worst price, USD. */
  readonly worstUsd: DecimalString;
  readonly feeUsd: DecimalString;
  /** It reduces a position, and counts against no limit. Plans of earlier versions have no such legs. */
  readonly reduces?: boolean;
}

/** Settings of an order that are not in its request. A change of one asks the person again. */
export interface ShownTerms {
  /** Name of the venue's account mode; null: the venue has one mode. */
  readonly accountMode: string | null;
  readonly leverage: readonly {
    readonly symbol: string;
    readonly leverage: number;
    readonly marginMode: MarginMode;
  }[];
  /** Legs of the position that the request names. */
  readonly held: readonly HeldLeg[];
  /** Take-profit and stop-loss of the position that the order changes or adds to. */
  readonly protection: readonly {
    readonly kind: BracketKind;
    readonly bracket: Bracket;
    /** It fires nowhere. */
    readonly isPaused?: true;
  }[];
  /** Automatic rebalancing of that position. Left out or null: none. */
  readonly rebalance?: JsonValue;
  /** Terms of the waiting order that the request changes, before the change. Left out or null: it changes none. */
  readonly changes?: JsonValue;
}

/** The figures that a person is shown. */
export interface ApprovalPlan {
  readonly at: number;
  /** Empty: the order has no legs that are priced beforehand (margin, say). */
  readonly legs: readonly ShownLeg[];
  /** Notional at the worst prices, USD, which counts against the limits. */
  readonly worstUsd: DecimalString;
  readonly feeUsd: DecimalString;
  /** Gross notional of the account's positions at their marks: before, and with this order at its worst prices. */
  readonly exposureBeforeUsd: DecimalString;
  readonly exposureAfterUsd: DecimalString;
  /** Protection that would be lost, in words. Left out, as in plans of earlier versions: none. */
  readonly loosens?: readonly string[];
  /** Left out: a plan of an earlier version. */
  readonly terms?: ShownTerms;
}

/** The original request. The body is the parsed one, in the form that its handler takes. */
export interface RecordedRequest {
  /** `METHOD path-pattern`. */
  readonly route: string;
  readonly params: JsonValue;
  readonly body: JsonValue;
  /** null: it came without an `Idempotency-Key`. */
  readonly idempotencyKey: string | null;
  /** SHA-256 hex of account, route, parameters and body: two requests with the same one are the same request. */
  readonly contentHash: string;
}

export interface Approval {
  readonly id: string;
  readonly userId: string;
  readonly holder: MandateHolder;
  /** Name that the holder gives itself, unverified. */
  readonly holderName: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly kind: MandateKind;
  readonly request: RecordedRequest;
  readonly mandateVersion: number;
  readonly reasons: readonly ApprovalReason[];
  /** Size up to which the holder's mandate needs no approval, USD; null: the mandate names none. */
  readonly aboveUsd: DecimalString | null;
  /** In the holder's own words; null: it gave none. */
  readonly says: string | null;
  readonly plan: ApprovalPlan;
  /** SHA-256 hex of `planText`. */
  readonly planHash: string;
  /** Counts against the holder's limits while the order waits, USD. */
  readonly reserveUsd: DecimalString;
  readonly driftBps: number;
  /** Kind of order that it counts as while pending: a new position, a resting order. */
  readonly opensPosition: boolean;
  readonly rests: boolean;
  /** Notional above which the password is required again; null: never because of the size. */
  readonly passwordAboveUsd: DecimalString | null;
  readonly status: ApprovalStatus;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly updatedAt: number;
  readonly decidedAt: number | null;
  /** Session that decided; null: none, or not yet. */
  readonly decidedBy: string | null;
  /** Reason of the withdrawal; null in every other state. */
  readonly withdrawnBecause: string | null;
  /** Id of the resulting execution or resting object (trigger, ladder, schedule, rebalance). */
  readonly madeId: string | null;
}

/** Text whose SHA-256 is the plan's hash: the approver has seen this order, under this mandate, at these prices. */
export function planText(approval: Pick<Approval, 'holder' | 'mandateVersion' | 'request' | 'plan'>): string {
  const { kind, id } = approval.holder;
  const { route, params, body, contentHash } = approval.request;
  const { legs, loosens, terms, ...figures } = approval.plan;
  return canonicalJson({
    holder: { kind, id },
    mandateVersion: approval.mandateVersion,
    request: { route, params, body, contentHash },
    plan: {
      ...figures,
      ...(loosens === undefined ? {} : { loosens: [...loosens] }),
      legs: legs.map((leg) => ({ ...leg })),
      ...(terms === undefined ? {} : { terms: jsonOf(terms) }),
    },
  });
}

/** Parsed values are JSON but for members that are `undefined`, which are left out. */
export function jsonOf(parsed: unknown): JsonValue {
  return parsed === undefined ? null : JSON.parse(JSON.stringify(parsed));
}

/** Text whose SHA-256 is a request's content hash. */
export function contentText(request: {
  readonly tradeAccountId: string;
  readonly route: string;
  readonly params: JsonValue;
  readonly body: JsonValue;
}): string {
  const { tradeAccountId, route, params, body } = request;
  return canonicalJson({ tradeAccountId, route, params, body });
}

/** Largest move of a leg's mark since the plan was made, in basis points of the plan's mark. */
export function driftOf(
  { legs }: Pick<ApprovalPlan, 'legs'>,
  markOf: (symbol: string) => DecimalString | undefined,
): Decimal {
  let most = ZERO;
  for (const { symbol, mark } of legs) {
    const now = markOf(symbol);
    if (mark === null || now === undefined) continue;
    const moved = dec(now).minus(mark).abs().div(mark).mul(10_000);
    if (moved.gt(most)) most = moved;
  }
  return most;
}

/**
 * True: an order asks for no more than was shown. For each instrument and side its notional is at most the one shown,
 * plus the move of the marks that needs no new review.
 */
export function isWithin(shown: readonly ShownLeg[], asked: readonly ShownLeg[], driftBps: number): boolean {
  const before = notionals(shown);
  const most = dec(driftBps).div(10_000).plus(1);
  return [...notionals(asked)].every(([leg, usd]) => usd.lte((before.get(leg) ?? ZERO).mul(most)));
}

function notionals(legs: readonly ShownLeg[]): ReadonlyMap<string, Decimal> {
  const all = new Map<string, Decimal>();
  for (const { symbol, side, worstUsd } of legs) {
    const leg = `${symbol} ${side}`;
    all.set(leg, (all.get(leg) ?? ZERO).plus(worstUsd));
  }
  return all;
}

/** True: the approval has expired. */
export function isOver({ expiresAt }: Pick<Approval, 'expiresAt'>, now: number): boolean {
  return now >= expiresAt;
}

/** The approval after a step of its life; null: its table does not hold the step. */
export function approvalAfter(
  approval: Approval,
  event: ApprovalEvent,
  changes: Partial<Approval>,
): Approval | null {
  const next = move(APPROVAL_TRANSITIONS, approval, event, changes);
  return next.ok ? next.value : null;
}
