/**
 * The user says yes. The request is made again as its caller made it, with the approval in hand: every check and limit of the
 * moment binds, only the question whether a person has to be asked is left out. What it becomes is committed together with
 * the approval's end.
 */
import { type Approval, driftOf, isWithin, type ShownLeg, type ShownTerms } from '../../domain/approval.ts';
import { planOf, repriced, worstOf } from '../../domain/approval-plan.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EngineError, Refusable } from '../core/errors.ts';
import { keptAnswer } from '../core/idempotency.ts';
import type { ApprovedRequest } from '../ports/approval-desk.ts';
import type { IdempotencyRecord } from '../ports/unit-of-work.ts';
import { endedAnswer } from './answers.ts';
import type { Approvals } from './approval-desk.ts';
import { type Actor, BY_ITSELF, replanned, stepped } from './approval-rows.ts';
import { exposureOf, planHashOf } from './new-approval.ts';
import { changedTerms, shownTerms } from './shown-terms.ts';

const NOT_ASKED = 'Whoever asked for it has no mandate any more: it need not ask';

/** Makes the request again as whoever asked for it; the error is the refusal that it would have got. */
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
 * Errors besides those of `inTurn`: RESOURCE_BUSY with `details.reason` PLAN_CHANGED (another plan was shown; or it would
 * trade more by now or on other terms, `details.changed`, and there is a new plan), PRICE_MOVED or MANDATE_CHANGED (there is a new plan to be looked at), NOT_NOW (what the request was refused with stands
 * beside it: the approval waits on), DATABASE_ERROR.
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

/** Whoever asked may order by itself by now, and has to do so itself. */
function notBound(desk: Approvals, approval: Approval): Promise<Result<never, EngineError>> {
  return withdrawn(desk, approval, NOT_ASKED);
}

/** Answer kept under the request's key, which whoever asked has used without being asked; null: the key is free. */
async function usedKey(
  { deps: { store } }: Approvals,
  { userId, holder, request: { route, idempotencyKey } }: Approval,
): Promise<IdempotencyRecord | null> {
  if (idempotencyKey === null) return null;
  return keptAnswer(store, { userId, holder }, route, idempotencyKey);
}

/** Its key can make nothing else: the approval ends, and the person is told what was made under it. */
function keyUsed(
  desk: Approvals,
  approval: Approval,
  { answer }: IdempotencyRecord,
): Promise<Result<never, EngineError>> {
  const madeId = idIn(answer);
  const because = `Its Idempotency-Key was used meanwhile and made ${madeId ?? 'something whose outcome is not known'}`;
  return withdrawn(desk, approval, because, { reason: 'KEY_USED', madeId });
}

/** Id of what an answer tells of; null: it has none, or there is no answer. */
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

/** A refusal with new figures on disk; null: what was shown still holds. */
async function lookAgain(
  desk: Approvals,
  approval: Approval,
  version: number,
): Promise<Result<never, EngineError> | null> {
  const hasMoved = driftOf(approval.plan, marksOf(desk, approval)).gt(approval.driftBps);
  if (!hasMoved && version === approval.mandateVersion) return null;
  const legs = repriced(approval.plan.legs, marksOf(desk, approval), isInBase(approval));
  const next = withNewPlan(desk, approval, version, { legs, loosens: approval.plan.loosens ?? [] });
  const kept = await desk.keep(next, replanned(next));
  if (!kept.ok) return kept;
  return hasMoved
    ? look('PRICE_MOVED', 'The price moved: look again')
    : look('MANDATE_CHANGED', 'What it may do was changed: look again');
}

/** Trades and losses of the request at a moment. */
interface AskedFor {
  readonly legs: readonly ShownLeg[];
  readonly loosens: readonly string[];
}

function withNewPlan(
  desk: Approvals,
  approval: Approval,
  mandateVersion: number,
  { legs, loosens }: AskedFor,
): Approval {
  const { clock } = desk.deps;
  const worstUsd = worstOf(legs) ?? approval.plan.worstUsd;
  const exposure = exposureOf(desk.deps, { ...approval, id: approval.tradeAccountId });
  const terms = termsNow(desk, approval, legs);
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
    fits(legs, loosens) {
      const shown = approval.plan.loosens ?? [];
      const changed = changedTerms(approval.plan.terms, termsNow(desk, approval, legs));
      const fits =
        changed.length === 0 &&
        isWithin(approval.plan.legs, legs, approval.driftBps) &&
        loosens.every((one) => shown.some((other) => isSameLoss(one, other)));
      if (!fits) news = { legs, loosens, changed };
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
    // The key was used between the look and the order: the answer was repeated.
    const used = await usedKey(desk, approval);
    if (used !== null) return keyUsed(desk, approval, used);
    // It must not be made once more.
    await withdrawn(desk, approval, 'It was placed, but not as an approved one');
    throw new Error(`${approval.request.route} made nothing of approval ${approval.id}`);
  }
  desk.taken(taken);
  return ok(taken);
}

/** Figures aside: they move with the prices, and what they follow from (size, protection, leverage) is bound by itself. */
function isSameLoss(one: string, other: string): boolean {
  const [a, b] = [one, other].map((words) => words.replace(/[\d.,]+/g, ''));
  return a === b;
}

interface News extends AskedFor {
  readonly changed: readonly (keyof ShownTerms)[];
}

const CHANGES: Readonly<Record<keyof ShownTerms, string>> = {
  accountMode: 'the mode of the account',
  leverage: 'leverage or margin mode',
  held: 'the position',
  protection: 'take-profit or stop-loss',
};

/** The order differs from what was shown, or would trade more: nothing is placed, and there is a new plan. */
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

function termsNow({ deps }: Approvals, approval: Approval, legs: readonly ShownLeg[]): ShownTerms {
  const { tradeAccountId: id, connector, request } = approval;
  const exchangeIdentifier = deps.accountOf(id)?.exchangeIdentifier ?? '';
  return shownTerms(deps, { id, connector, exchangeIdentifier }, legs, request.params);
}

/** What waits on the gateway fires at a price of another day: its own slippage binds it then. */
function worstPricesOf({ rests, plan }: Approval): ReadonlyMap<string, DecimalString> {
  const shown = rests ? [] : plan.legs;
  return new Map(
    shown.flatMap(({ symbol, worstPrice }) => (worstPrice === null ? [] : [[symbol, worstPrice] as const])),
  );
}

function marksOf({ deps: { market } }: Approvals, { connector }: Approval) {
  return (symbol: string) => market.quote(connector, symbol)?.mark;
}

/** Legs that the request names in base units, and those that it does not name: they are what is held. */
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
