/**
 * Protection removed by agents and by programs with a mandate: its description in words, the mandate's permission, and
 * the notification and audit entry that are committed with it.
 */
import type { Placed } from '../../domain/authority.ts';
import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import { type AskedBrackets, askedBrackets, type ReversalBrackets } from '../../domain/bracket-fate.ts';
import type { JsonValue } from '../../domain/canonical-json.ts';
import { Decimal, type DecimalString, dec, textRounded, ZERO } from '../../domain/decimal.ts';
import { bracketWords, loosenedBracket, loosenedNotification } from '../../domain/loosening.ts';
import type { MandateKind } from '../../domain/mandate.ts';
import type { Position, Principal, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { ActsOn, Loss } from '../core/asked.ts';
import { askedOf } from '../core/caller.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { EngineError } from '../core/errors.ts';
import type { Admission } from '../core/reservations.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { noticeOf } from '../notices/notify.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { armedFor } from './armed-bracket.ts';

type Deps = Pick<EngineDeps, 'state' | 'market'>;

/** Protection lost by a change of a position's brackets. A bracket left out stays, and null removes it. */
export function loosenedByBrackets(deps: Deps, position: Position, change: AskedBrackets): readonly Loss[] {
  const set = askedBrackets(change);
  return deps.state.positions.bracketsOf(position.id).flatMap((present) => {
    const kind = present.bracketType;
    if (change[kind === 'TAKE_PROFIT' ? 'takeProfit' : 'stopLoss'] === undefined) return [];
    const bracket = set.find((one) => one.kind === kind)?.bracket ?? null;
    const after = bracket === null ? null : armedFor(deps, position, kind, bracket);
    const words = loosenedBracket(present, after, position.legs);
    return words === null ? [] : [{ words, owner: present }];
  });
}

/** Protection lost by brackets that come with an order and replace those of the position. */
export function loosenedByOrder(
  deps: Deps,
  position: Position | null | undefined,
  setup: AskedBrackets | null | undefined,
): readonly Loss[] {
  if (position == null || setup == null) return [];
  const replacing = askedBrackets(setup).filter(({ bracket }) => bracket.replaces === true);
  if (replacing.length === 0) return [];
  return loosenedByBrackets(
    deps,
    position,
    Object.fromEntries(replacing.map(({ path, bracket }) => [path, bracket])),
  );
}

/** Loss of a rebalancing that trades to keep the hedge. */
export function rebalanceEnded(config: AutoRebalance): Loss {
  return { words: 'Automatic rebalancing stopped', owner: config };
}

/**
 * Stop-losses that do not move to the opposite position, and rebalancing, which ends with the present one. If the
 * opposite position has a stop-loss of its own, it is protected.
 */
export function loosenedByReversal(
  { state }: Pick<EngineDeps, 'state'>,
  position: Pick<Position, 'id'>,
  { dropped }: ReversalBrackets,
): readonly Loss[] {
  const stops = dropped
    .filter(({ from, reason }) => from.bracketType === 'STOP_LOSS' && reason !== 'OPPOSITE_POSITION_HAS_ONE')
    .map(({ from }) => ({
      words: `Stop-loss not carried over (${bracketWords(from.armed.bracket)})`,
      owner: from,
    }));
  const config = state.positions.rebalanceOf(position.id);
  return config?.action === 'TRADE' ? [...stops, rebalanceEnded(config)] : stops;
}

/** Net exposure of a position before and after a trade, and the value of one step of each leg, USD. */
interface Hedge {
  readonly was: Decimal;
  readonly is: Decimal;
  readonly lots: Decimal;
}

/** @param trade base units that reduce or add to the position; a reduction is capped at the held quantity */
function hedgeOf(
  { market }: Pick<EngineDeps, 'market'>,
  { connector, legs }: Pick<Position, 'connector' | 'legs'>,
  trade: readonly Pick<TradeLeg, 'symbol' | 'side' | 'amount'>[],
): Hedge {
  let [before, after, lots] = [ZERO, ZERO, ZERO];
  for (const { symbol, side, quantity, entryNotional } of legs) {
    if (quantity === '0') continue;
    const mark = dec(market.quote(connector, symbol)?.mark ?? dec(entryNotional).div(quantity));
    const signed = side === 'BUY' ? mark : mark.neg();
    const traded = trade.find((leg) => leg.symbol === symbol);
    const more = dec(traded?.amount ?? 0);
    const left = traded?.side === side ? more.plus(quantity) : Decimal.max(dec(quantity).minus(more), ZERO);
    before = before.plus(signed.mul(quantity));
    after = after.plus(signed.mul(left));
    lots = lots.plus(mark.mul(market.instrument(connector, symbol)?.stepSize ?? 0));
  }
  return { was: before.abs(), is: after.abs(), lots };
}

/** Largest total exposure from trades within lot rounding, as a multiple of one step of each leg. */
const PEELED_LOTS = 2;

/** Hedge that a trade removes: net exposure grows by more than lot rounding explains. Legs are in base units. */
export function loosenedByTrade(
  deps: Deps,
  position: Pick<Position, 'id' | 'connector' | 'legs'>,
  trade: readonly Pick<TradeLeg, 'symbol' | 'side' | 'amount'>[],
): readonly Loss[] {
  const { was, is, lots } = hedgeOf(deps, position, trade);
  const more = is.minus(was);
  const peeled = more.plus(deps.state.peeled.get(position.id) ?? ZERO);
  if (more.lte(0) || (more.lte(lots) && peeled.lte(lots.mul(PEELED_LOTS)))) return [];
  return [
    { words: `Hedge made smaller: ${textRounded(was, 2)} USD net before, ${textRounded(is, 2)} USD after` },
  ];
}

/** Adds a trade's change of net exposure within lot rounding to the position's total. */
export function countPeeled(
  deps: Deps,
  position: Pick<Position, 'id' | 'connector' | 'legs'>,
  trade: readonly Pick<TradeLeg, 'symbol' | 'side' | 'amount'>[],
): void {
  const { was, is, lots } = hedgeOf(deps, position, trade);
  const more = is.minus(was);
  // Larger changes needed an approval.
  if (more.gt(lots)) return;
  const { peeled } = deps.state;
  const sum = more.plus(peeled.get(position.id) ?? ZERO);
  if (sum.gt(0)) peeled.set(position.id, sum);
  else peeled.delete(position.id);
}

/**
 * Checks that the caller's mandate allows a change of protection. null: no mandate binds it.
 * @param isOwn the caller may touch the position under `manage: OWN`
 * @param actsOn target affected as a whole; left out: none
 */
export function mayChangeProtection(
  { warden }: Pick<EngineDeps, 'warden'>,
  principal: Principal,
  asked: {
    readonly account: TradeAccount;
    readonly kind: MandateKind;
    readonly isOwn: boolean;
    readonly actsOn?: ActsOn | null;
    readonly loosens: readonly Loss[];
    /** Terms of the trigger that is changed, before. Default null. */
    readonly changes?: JsonValue;
    /** Slippage of a take-profit that specifies one. */
    readonly closingSlippage?: DecimalString | undefined;
  },
): Result<Admission | null, EngineError> {
  const bound = warden.ofPrincipal(principal);
  if (bound === null) return ok(null);
  const { account, kind, isOwn, actsOn = null, loosens, closingSlippage, changes = null } = asked;
  const isLess = loosens.length > 0;
  const request = askedOf(principal);
  return warden.admit(bound, {
    ...{ account, kind, isOwn, actsOn, trades: [], opensPosition: false, rests: 0, isRequest: true },
    effect: isLess ? 'LOOSENS' : 'TIGHTENS',
    loosens: isLess ? loosens : undefined,
    closingSlippage,
    changes,
    // More protection needs no approval, whatever was asked earlier in the same words.
    request: isLess || request?.approved != null ? request : null,
  });
}

/** Object that lost its protection. */
export interface Unprotected extends Pick<Position, 'userId' | 'tradeAccountId' | 'connector'> {
  readonly legs: Parameters<typeof noticeOf>[2]['legs'];
  readonly positionId: string | null;
  /** Subject of the audit entry if no position is known. */
  readonly id: string;
}

/** Notification and audit entry of removed protection; none if the user removes it. */
export function loosenedUnit(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market' | 'warden'>,
  by: Placed & { readonly client?: string },
  { id, legs, positionId, ...of }: Unprotected,
  loosens: readonly Loss[],
): UnitOfWork {
  const { authorityKind, authorityId } = by;
  if (loosens.length === 0 || authorityKind === null || !deps.warden.isAgent(by)) return {};
  const reason = loosens.map(({ words }) => words).join('; ');
  const entry = {
    id: deps.ids.next(),
    userId: of.userId,
    action: 'protection.loosened',
    subjectId: positionId ?? id,
    method: authorityKind,
    client: by.client ?? authorityId,
    ip: null,
    says: null,
    at: deps.clock.now(),
  } as const;
  return oneUnit(
    { audit: [entry] },
    noticeOf(deps, of, { legs, positionId }, (subject) => loosenedNotification(subject, reason)),
  );
}

/** The caller as the audit log names it. */
export function actorOf(principal: Principal, placed: Placed): Parameters<typeof loosenedUnit>[1] {
  return principal.kind === 'oauth_grant' ? { ...placed, client: principal.clientId } : placed;
}
