/**
 * Approval by the user. The caller's request is made again with the approval: every current check and limit applies,
 * except the question whether a person has to approve. The resulting object is committed together with the approval's
 * end.
 */
import { type Approval, driftOf, isWithin, type ShownLeg, type ShownTerms } from '../../domain/approval.ts';
import { planOf, repriced, worstOf } from '../../domain/approval-plan.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EngineError, Refusable } from '../core/errors.ts';
import { keptAnswer } from '../core/idempotency.ts';
import type { ApprovedRequest, AskedFor } from '../ports/approval-desk.ts';
import type { IdempotencyRecord } from '../ports/unit-of-work.ts';
import { endedAnswer } from './answers.ts';
import type { Approvals } from './approval-desk.ts';
import { type Actor, BY_ITSELF, replanned, stepped } from './approval-rows.ts';
import { exposureOf, planHashOf } from './new-approval.ts';
import { changedTerms, shownTerms } from './shown-terms.ts';

const NOT_ASKED = 'Whoever asked for it has no mandate any more: it need not ask';

/** Makes the caller's request again; the error is the refusal that the caller would have got. */
export type MakeAgain = (
  approval: Approval,
  approved: ApprovedRequest,
) => Promise<Result<unknown, EngineError>>;

export interface Decision {
  readonly userId: string;
  readonly approvalId: string;
  /** Hash of the plan that the person was shown. */
  readonly planHash: string;
  readonly sessionId: string;
  readonly actor: Actor;
}

/**
 * Errors besides those of `inTurn`: RESOURCE_BUSY with `details.reason` PLAN_CHANGED (another plan was shown, or the
 * order would trade more or on other terms, `details.changed`, and has a new plan), PRICE_MOVED or MANDATE_CHANGED (it
 * has a new plan), NOT_NOW (the request was refused, with the refusal; the approval stays pending); DATABASE_ERROR.
 */
export function approve(desk: Approvals, decision: Decision, make: MakeAgain): Refusable<Approval> {
  return desk.inTurn(decision.userId, decision.approvalId, async (approval) => {
    if (decision.planHash !== approval.planHash) {
      return look('PLAN_CHANGED', 'These are not the figures that wait for you: look again');
    }
    const { kind, id } = approval.holder;
    const bound = desk.deps.book.of({ authorityKind: kind, authorityId: id });
    if (bound === null) return notBound(desk, approval);
    const used = await usedKey(desk, approval);
    if (used !== null) return keyUsed(desk, approval, used);
    const moved = await lookAgain(desk, approval, bound.version);
    return moved ?? place(desk, approval, decision, make);
  });
}

/** Withdraws the approval: its holder needs none any more and has to place the order itself. */
function notBound(desk: Approvals, approval: Approval): Promise<Result<never, EngineError>> {
  return withdrawn(desk, approval, NOT_ASKED);
}

/** Stored answer under the request's key, which the holder has used without an approval; null: the key is free. */
async function usedKey(
  { deps: { store } }: Approvals,
  { userId, holder, request: { route, idempotencyKey } }: Approval,
): Promise<IdempotencyRecord | null> {
  if (idempotencyKey === null) return null;
  return keptAnswer(store, { userId, holder }, route, idempotencyKey);
}

/** Ends the approval, because its key is used up. The answer names the object that was made with the key. */
function keyUsed(
  desk: Approvals,
  approval: Approval,
  { answer }: IdempotencyRecord,
): Promise<Result<never, EngineError>> {
  const madeId = idIn(answer);
  const because = `Its Idempotency-Key was used meanwhile and made ${madeId ?? 'something whose outcome is not known'}`;
  return withdrawn(desk, approval, because, { reason: 'KEY_USED', madeId });
}

/** Id in an answer; null: it has none, or there is no answer. */
function idIn(answer: string): string | null {
  const told: unknown = answer === '' ? null : JSON.parse(answer);
  if (typeof told !== 'object' || told === null) return null;
  const { execution, id } = told as { readonly execution?: { readonly id?: unknown }; readonly id?: unknown };
  const made = execution?.id ?? id;
  return typeof made === 'string' ? made : null;
}

async function withdrawn(
  desk: Approvals,
  approval: Approval,
  withdrawnBecause: string,
  details: object = {},
): Promise<Result<never, EngineError>> {
  const ended = desk.after(approval, 'withdraw', { withdrawnBecause });
  const unit = stepped(desk.deps, ended, 'approval.withdrawn', BY_ITSELF);
  const kept = await desk.keep(ended, unit);
  return kept.ok ? endedAnswer(ended, details) : kept;
}

/** Refusal with new figures on disk; null: the shown figures still hold. */
async function lookAgain(
  desk: Approvals,
  approval: Approval,
  version: number,
): Promise<Result<never, EngineError> | null> {
  const hasMoved = driftOf(approval.plan, marksOf(desk, approval)).gt(approval.driftBps);
  if (!hasMoved && version === approval.mandateVersion) return null;
  const legs = repriced(approval.plan.legs, marksOf(desk, approval), isInBase(approval));
  const { loosens = [], terms } = approval.plan;
  const next = withNewPlan(desk, approval, version, { legs, loosens, changes: terms?.changes ?? null });
  const kept = await desk.keep(next, replanned(next));
  if (!kept.ok) return kept;
  return hasMoved
    ? look('PRICE_MOVED', 'The price moved: look again')
    : look('MANDATE_CHANGED', 'What it may do was changed: look again');
}

function withNewPlan(
  desk: Approvals,
  approval: Approval,
  mandateVersion: number,
  { legs, loosens, changes }: Shown,
): Approval {
  const { clock } = desk.deps;
  const worstUsd = worstOf(legs) ?? approval.plan.worstUsd;
  const exposure = exposureOf(desk.deps, { ...approval, id: approval.tradeAccountId });
  const terms = termsNow(desk, approval, { legs, changes });
  const plan = { ...planOf(clock.now(), legs, worstUsd, exposure, loosens), terms };
  const planHash = planHashOf({ ...approval, mandateVersion, plan });
  return desk.after(approval, 'replan', { plan, planHash, mandateVersion, reserveUsd: worstUsd });
}

async function place(
  desk: Approvals,
  approval: Approval,
  { sessionId, actor }: Decision,
  make: MakeAgain,
): Refusable<Approval> {
  let placed: Approval | null = null;
  let news: News | null = null;
  const made = await make(approval, {
    approvalId: approval.id,
    worstPrices: worstPricesOf(approval),
    at: desk.deps.clock.now(),
    fits({ legs, loosens, changes }) {
      const shown = approval.plan.loosens ?? [];
      const changed = changedTerms(approval.plan.terms, termsNow(desk, approval, { legs, changes }));
      const fits =
        changed.length === 0 &&
        isWithin(approval.plan.legs, legs, approval.driftBps) &&
        loosens.every((one) => shown.some((other) => isSameLoss(one, other)));
      if (!fits) news = { legs, loosens, changes, changed };
      return fits;
    },
    alongside(madeId) {
      placed = desk.after(approval, 'approve', { decidedBy: sessionId, madeId });
      return stepped(desk.deps, placed, 'approval.approved', actor);
    },
  });
  const found: News | null = news;
  if (found !== null) return lookAtNews(desk, approval, found);
  if (!made.ok) return refused(made.error);
  const taken: Approval | null = placed;
  if (taken === null) {
    // The key was used between the check and the order: the answer was repeated.
    const used = await usedKey(desk, approval);
    if (used !== null) return keyUsed(desk, approval, used);
    // The order must not be placed a second time.
    await withdrawn(desk, approval, 'It was placed, but not as an approved one');
    throw new Error(`${approval.request.route} made nothing of approval ${approval.id}`);
  }
  desk.taken(taken);
  return ok(taken);
}

/** Ignores figures, which move with the prices. Their causes (size, protection, leverage) are compared separately. */
function isSameLoss(one: string, other: string): boolean {
  const [a, b] = [one, other].map((words) => words.replace(/[\d.,]+/g, ''));
  return a === b;
}

/** A request as its approver is shown it. */
interface Shown extends Pick<AskedFor, 'loosens' | 'changes'> {
  readonly legs: readonly ShownLeg[];
}

interface News extends Shown {
  readonly changed: readonly (keyof ShownTerms)[];
}

const CHANGES: Readonly<Record<keyof ShownTerms, string>> = {
  accountMode: 'the mode of the account',
  leverage: 'leverage or margin mode',
  held: 'the position',
  protection: 'take-profit or stop-loss',
  rebalance: 'automatic rebalancing',
  changes: 'the order that waits',
};

/** Stores a new plan and places nothing, because the order differs from the shown plan or would trade more. */
async function lookAtNews(
  desk: Approvals,
  approval: Approval,
  { changed, ...asked }: News,
): Promise<Result<never, EngineError>> {
  const next = withNewPlan(desk, approval, approval.mandateVersion, asked);
  const kept = await desk.keep(next, replanned(next));
  if (!kept.ok) return kept;
  if (changed.length === 0) return look('PLAN_CHANGED', 'It would do more than you were shown: look again');
  const words = changed.map((name) => CHANGES[name]).join(', ');
  return look('PLAN_CHANGED', `Changed since you looked: ${words}. Look again`, { changed });
}

function termsNow(
  { deps }: Approvals,
  approval: Approval,
  asked: Pick<Shown, 'legs' | 'changes'>,
): ShownTerms {
  const { tradeAccountId: id, connector, request } = approval;
  const exchangeIdentifier = deps.accountOf(id)?.exchangeIdentifier ?? '';
  return shownTerms(deps, { id, connector, exchangeIdentifier }, asked, request.params);
}

/** Worst prices shown. None for a pending order, which fires later: its own slippage limits it then. */
function worstPricesOf({ rests, plan }: Approval): ReadonlyMap<string, DecimalString> {
  const shown = rests ? [] : plan.legs;
  return new Map(
    shown.flatMap(({ symbol, worstPrice }) => (worstPrice === null ? [] : [[symbol, worstPrice] as const])),
  );
}

function marksOf({ deps: { market } }: Approvals, { connector }: Approval) {
  return (symbol: string) => market.quote(connector, symbol)?.mark;
}

/** True for legs in base units, and for legs that the request does not name: these are held quantities. */
function isInBase({ request: { body } }: Approval): (leg: { readonly symbol: string }) => boolean {
  const legs: unknown = typeof body === 'object' && body !== null && 'legs' in body ? body['legs'] : [];
  const inUsd = new Set(
    Array.isArray(legs)
      ? legs.flatMap((leg) => (leg?.mode === 'USD' || leg?.mode === 'WEIGHT' ? [leg.symbol] : []))
      : [],
  );
  return ({ symbol }) => !inUsd.has(symbol);
}

function look(reason: string, message: string, more: object = {}): Result<never, EngineError> {
  return fail({ code: 'RESOURCE_BUSY', message, details: { reason, ...more } });
}

function refused({ code, message, details }: EngineError): Result<never, EngineError> {
  if (code === 'DATABASE_ERROR') return fail({ code, message, details });
  return fail({
    code: 'RESOURCE_BUSY',
    message: `It cannot be placed now: ${message}`,
    details: { reason: 'NOT_NOW', errorCode: code, refusal: details },
  });
}
