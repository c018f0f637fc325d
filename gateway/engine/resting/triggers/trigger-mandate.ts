/** Mandate rules for an agent's triggers: reservations, closes and changes. */

import { jsonOf } from '../../../domain/approval.ts';
import { placedBy } from '../../../domain/authority.ts';
import type { JsonValue } from '../../../domain/canonical-json.ts';
import { type DecimalString, dec, text } from '../../../domain/decimal.ts';
import { loosenedClose, loosenedPlan } from '../../../domain/loosening.ts';
import type { Principal, TradeAccount, TradeLeg } from '../../../domain/model.ts';
import { otherSide } from '../../../domain/position.ts';
import { approvedAt } from '../../../domain/position-setup.ts';
import type { Result } from '../../../domain/result.ts';
import { scaledText } from '../../../domain/scaled.ts';
import type { Trigger } from '../../../domain/trigger.ts';
import type { Loss } from '../../core/asked.ts';
import { askedOf } from '../../core/caller.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { busy, type EngineError, FINE } from '../../core/errors.ts';
import type { Admission } from '../../core/reservations.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { endsUsersPause } from '../../core/users-pause.ts';
import { actorOf, loosenedByOrder, loosenedUnit, mayChangeProtection } from '../../execution/loosening.ts';
import { isAtRest, mayWait } from '../../execution/may-wait.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';

/** Reservations for opening triggers: the worst case of each. @param made id of the requested object */
export function reservedFor(
  { warden }: Pick<EngineDeps, 'warden'>,
  account: TradeAccount,
  triggers: readonly Trigger[],
  made: string,
) {
  const orders = triggers.map((trigger) => {
    return { id: trigger.id, usd: scaledText(warden.worstOf(account, trigger)) };
  });
  return { what: 'TRIGGER', orders, made, tradeAccountId: account.id } as const;
}

/** Reduction of a position by a CLOSE trigger, in base units. */
export function closedBy({ legs, fraction, slippage }: Pick<Trigger, 'legs' | 'fraction' | 'slippage'>) {
  const share = (amount: DecimalString) => text(dec(amount).mul(fraction ?? 1));
  const taken = legs.map(({ symbol, side, amount }): TradeLeg => {
    return { symbol, side: otherSide(side), mode: 'BASE', amount: share(amount) };
  });
  return { legs: taken, slippage };
}

/**
 * Checks that the caller may change or resume a trigger, judged as if it were new. null: no mandate binds the caller.
 * @param loosens protection that the change removes
 */
export function mayChange(
  deps: Pick<EngineDeps, 'warden' | 'state'>,
  principal: Principal,
  account: TradeAccount,
  { before, after, loosens }: TriggerChange,
): Result<Admission | null, EngineError> {
  const { warden } = deps;
  const bound = warden.ofPrincipal(principal);
  if (bound !== null && before.pauseReason === 'AGENT_LIMIT')
    return busy('Its mandate stopped it: its user may resume it', { reason: 'AGENT_LIMIT' });
  if (before.kind === 'CLOSE') return mayEnd(deps, principal, account, before, loosens);
  const isHis = bound !== null && warden.isHis(bound, before);
  const { id, basketKey, ladderId } = before;
  // Applies to the user's own triggers too: moving their level to the price places the order now.
  return mayWait(deps, principal, () => ({
    ...{ account, basketKey, rests: isHis ? 1 : 0, asked: askedOf(principal), loosens, isOwn: isHis },
    changes: termsOf(before),
    kind: ladderId === null ? 'when' : 'ladder',
    trades: [before],
    setup: after,
    ...(isHis ? { without: { waiting: { id, usd: null } } } : {}),
  }));
}

/** A change of a pending trigger. */
export interface TriggerChange {
  readonly before: Trigger;
  readonly after: Trigger;
  readonly loosens: readonly Loss[];
}

/** Checks that the caller may end, pause or change a closing trigger. null: no mandate binds the caller. */
export function mayEnd(
  { warden, state }: Pick<EngineDeps, 'warden' | 'state'>,
  principal: Principal,
  account: TradeAccount,
  trigger: Trigger,
  loosens: readonly Loss[],
): Result<Admission | null, EngineError> {
  const { bracketType } = trigger;
  // After ending the current bracket, an agent could set another one.
  const free = bracketType === null ? FINE : endsUsersPause({ warden }, principal, trigger);
  if (!free.ok) return free;
  const bound = warden.ofPrincipal(principal);
  const position = state.positions.get(trigger.positionId ?? '');
  const settled = bracketType === null ? FINE : isAtRest({ warden, state }, principal, position);
  if (!settled.ok) return settled;
  // A bracket closes the whole position, another trigger only the share of its holder.
  const actsOn = bracketType === null || position === undefined ? null : { position };
  const isOwn = bound === null || actsOn !== null || warden.isHis(bound, trigger);
  const kind = bracketType === null ? 'when' : 'protect';
  return mayChangeProtection({ warden }, principal, {
    account,
    kind,
    isOwn,
    actsOn,
    loosens,
    changes: termsOf(trigger),
  });
}

/** Terms of a trigger that its approver was shown. A feed pauses and resumes it by itself: its status is none of them. */
function termsOf(trigger: Trigger): JsonValue {
  const { condition, legs, totalUsd, fraction, slippage, priceSource, onLegFailure } = trigger;
  const { takeProfit, stopLoss, expiresAt, armed } = trigger;
  const traded = { legs, totalUsd, fraction, slippage, priceSource, onLegFailure };
  return jsonOf({ condition, ...traded, takeProfit, stopLoss, expiresAt, bracket: armed?.bracket });
}

/** Protection that a change of a trigger removes. */
export function loosenedByChange(
  deps: Pick<EngineDeps, 'state' | 'market'>,
  before: Trigger,
  after: Trigger,
): readonly Loss[] {
  if (before.kind === 'CLOSE') return listed(loosenedClose(before, after));
  const { legs } = before;
  const position = deps.state.positions.ofBasket(before.tradeAccountId, before.basketKey);
  return [
    ...listed(loosenedPlan('TAKE_PROFIT', before.takeProfit, after.takeProfit, legs)),
    ...listed(loosenedPlan('STOP_LOSS', before.stopLoss, after.stopLoss, legs)),
    ...loosenedByOrder(deps, position, after),
  ];
}

function listed(words: string | null): readonly Loss[] {
  return words === null ? [] : [{ words }];
}

/** A change to be committed, with the rows beside it. @param principal undefined: the user */
export function committedWith(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market' | 'warden'>,
  principal: Principal | undefined,
  before: Trigger,
  change: {
    readonly after: Trigger;
    readonly admission?: Admission | null;
    readonly loosens?: readonly Loss[];
  },
): { readonly after: Trigger; readonly rest: UnitOfWork } {
  const { admission = null, loosens = [] } = change;
  const approved = admission?.approved ?? null;
  const after = approved === null ? change.after : approvedAt(change.after, approved.at);
  const told =
    principal === undefined
      ? {}
      : loosenedUnit(deps, actorOf(principal, placedBy(principal)), before, loosens);
  return { after, rest: oneUnit(approved?.alongside(after.id) ?? {}, told) };
}
