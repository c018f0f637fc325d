/** What the mandate of an agent says about its triggers: reserving for them, closing by them, changing them. */
import { type DecimalString, dec, text } from '../../../domain/decimal.ts';
import type { Principal, TradeAccount, TradeLeg } from '../../../domain/model.ts';
import { otherSide } from '../../../domain/position.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { scaledText } from '../../../domain/scaled.ts';
import type { Trigger } from '../../../domain/trigger.ts';
import { askedOf } from '../../core/caller.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { busy, type EngineError } from '../../core/errors.ts';
import type { Admission } from '../../core/reservations.ts';
import { broughtBy } from '../../execution/may-place.ts';
import { mayWait } from '../../execution/may-wait.ts';

/** What is reserved for triggers that open: the worst case of each. @param made id of the object that was asked for */
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

/** Base units that a trigger of kind CLOSE takes out of its position. */
export function closedBy({ legs, fraction }: Pick<Trigger, 'legs' | 'fraction'>): readonly TradeLeg[] {
  const share = (amount: DecimalString) => text(dec(amount).mul(fraction ?? 1));
  return legs.map(({ symbol, side, amount }) => {
    return { symbol, side: otherSide(side), mode: 'BASE', amount: share(amount) };
  });
}

/** Whether the caller may change or resume a trigger, judged as if it were new. null: there is nothing to reserve. */
export function mayChange(
  deps: Pick<EngineDeps, 'warden' | 'state'>,
  principal: Principal,
  account: TradeAccount,
  trigger: Trigger,
  after: Trigger,
): Result<Admission | null, EngineError> {
  const { warden } = deps;
  const bound = warden.ofPrincipal(principal);
  if (bound === null) return ok(null);
  if (trigger.pauseReason === 'AGENT_LIMIT')
    return busy('Its mandate stopped it: its user may resume it', { reason: 'AGENT_LIMIT' });
  const isHis = warden.isHis(bound, trigger);
  const { id, basketKey, ladderId, bracketType } = trigger;
  if (trigger.kind === 'OPEN' && isHis) {
    return mayWait(deps, principal, () => ({
      ...{ account, basketKey, rests: 1, asked: askedOf(principal) },
      kind: ladderId === null ? 'when' : 'ladder',
      trades: [trigger],
      brings: broughtBy(after),
      without: { waiting: { id, usd: null } },
    }));
  }
  const admitted = warden.admit(bound, {
    ...{ account, trades: [], isOwn: isHis, opensPosition: false, rests: 0, request: null, isRequest: true },
    kind: bracketType === null ? 'when' : 'protect',
    effect: 'CHANGES',
  });
  return admitted.ok ? ok(null) : admitted;
}
