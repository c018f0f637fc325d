/** `POST /trade/open`: opens a basket, or adds to the open basket with the same legs (ADJUST). */
import type { AccountAfter } from '../../domain/account-after.ts';
import { type Placed, placedBy } from '../../domain/authority.ts';
import { askedBrackets, type OpeningBrackets, openingBrackets } from '../../domain/bracket-fate.ts';
import type { ExpectedPlan } from '../../domain/expected-fill.ts';
import type { LegFailurePolicy, Principal, TradeAccount } from '../../domain/model.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import type { Protection } from '../../domain/protection.ts';
import { liveBetaPair } from '../../domain/rebalance.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { BasketPlan, BasketRequest } from '../../domain/sizing.ts';
import type { BracketKind } from '../../domain/trigger.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, invalid, marketsUnknown } from '../core/errors.ts';
import type { Answered } from '../core/idempotency.ts';
import { givesWayTo } from '../core/users-brackets.ts';
import { replacesUsersPause } from '../core/users-pause.ts';
import { acceptExecution, type OrderCommand } from './accept.ts';
import { afterOpening } from './account-after.ts';
import { basketKeyOf } from './basket-key.ts';
import {
  checkBrackets,
  checkBracketsFit,
  checkValueOfPlan,
  imaginedLegs,
  wholeLegs,
} from './bracket-checks.ts';
import { checkSymbols, knowsMarkets } from './check-symbols.ts';
import { expectedOf } from './expected.ts';
import { planWithView } from './prepare.ts';
import { protectionAfter, tradedBy, withAdded } from './protection-after.ts';
import type { AcceptDeps } from './start-execution.ts';

export interface OpenBasket extends BasketRequest {
  readonly onLegFailure: LegFailurePolicy;
  readonly clientId: string | null;
  /** Brackets and rebalancing to be set on the position with the first fills. Default none. */
  readonly setup?: PositionSetup | null;
}

export interface DryRun {
  readonly plan: BasketPlan;
  readonly brackets: OpeningBrackets | null;
  /** Fills expected from the venue's order books. */
  readonly expected: ExpectedPlan;
  /** Account after the fills; null: unknown. */
  readonly after: AccountAfter | null;
  /** Protection of the whole position after all fills at the marks. */
  readonly protection: readonly Protection[];
}

export async function openBasket(
  deps: AcceptDeps,
  principal: Principal,
  command: OrderCommand,
  basket: OpenBasket,
): Promise<Result<Answered, EngineError>> {
  const valid = checkBasket(deps, principal, command.account, basket);
  if (!valid.ok) return valid;
  const { account } = command;
  const key = basketKeyOf(deps, basket.legs);
  return acceptExecution(deps, placedBy(principal), command, key, () => {
    // Checked only for a first request: a repeated one gets its first answer, whatever the venue's state is.
    if (!knowsMarkets(deps, account)) return marketsUnknown();
    const position = deps.state.positions.ofBasket(account.id, key) ?? null;
    const setup = basket.setup ?? null;
    const brackets = bracketsOfOpening(deps, account, placedBy(principal), basket);
    const passed = checkSet(deps, account, basket, brackets);
    if (!passed.ok) return passed;
    return ok({
      legs: basket.legs,
      totalUsd: basket.totalUsd,
      slippage: basket.slippage,
      intent: position === null ? 'OPEN' : 'ADJUST',
      position,
      onLegFailure: basket.onLegFailure,
      clientId: basket.clientId,
      setup,
      brackets,
    });
  });
}

/** Effect on the position's brackets; null: the order brings none, and no agent has set one on what it adds to. */
function bracketsOfOpening(
  deps: Pick<EngineDeps, 'state' | 'basketKey' | 'warden'>,
  account: TradeAccount,
  placed: Placed,
  { legs, setup }: OpenBasket,
): OpeningBrackets | null {
  const position = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, legs));
  const present = position === undefined ? [] : deps.state.positions.bracketsOf(position.id);
  const asked = setup ?? {};
  const brackets = openingBrackets(asked, present, givesWayTo(deps, placed));
  return askedBrackets(asked).length === 0 && brackets.kept.length === 0 ? null : brackets;
}

/** Refuses new brackets whose level the market has already passed. */
function checkSet(
  deps: EngineDeps,
  account: TradeAccount,
  { legs, totalUsd }: OpenBasket,
  brackets: OpeningBrackets | null,
): Result<null, EngineError> {
  if (brackets === null) return ok(null);
  const position = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, legs));
  const held = position?.legs ?? imaginedLegs(deps, account.connector, legs, totalUsd);
  const of = (kind: BracketKind, isValue: boolean) =>
    brackets.set.find((one) => one.kind === kind && (one.bracket.type === 'POSITION_VALUE') === isValue)
      ?.bracket ?? null;
  const setIf = (isValue: boolean) => ({
    takeProfit: of('TAKE_PROFIT', isValue),
    stopLoss: of('STOP_LOSS', isValue),
  });
  const passed = checkBrackets(deps, account.connector, setIf(false), held);
  return passed.ok ? checkValueOfPlan(deps, account, { legs, totalUsd, ...setIf(true) }) : passed;
}

/** `dryRun`: the plan at this moment. Records and claims nothing. */
export async function dryRunBasket(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  basket: OpenBasket,
): Promise<Result<DryRun, EngineError>> {
  const valid = checkBasket(deps, principal, account, basket);
  if (!valid.ok) return valid;
  const added = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, basket.legs));
  const free = replacesUsersPause(deps, placedBy(principal), added, basket.setup);
  if (!free.ok) return free;
  const planned = await planWithView(deps, { account, basket, placed: placedBy(principal) });
  if (planned.ok) {
    const { plan, view } = planned.value;
    const expected = await expectedOf(deps, account, plan);
    const brackets = bracketsOfOpening(deps, account, placedBy(principal), basket);
    const position = deps.state.positions.ofBasket(account.id, basketKeyOf(deps, basket.legs)) ?? null;
    const whole = withAdded(deps, account.connector, position, tradedBy(plan));
    const { legs, totalUsd } = basket;
    const asked = wholeLegs(position, imaginedLegs(deps, account.connector, legs, totalUsd));
    const staysNear = deps.warden.shares.keepsStopNear(placedBy(principal), position);
    return ok({
      plan,
      brackets,
      protection: protectionAfter(deps, account.connector, position, whole, { brackets, asked, staysNear }),
      expected,
      after: afterOpening(deps, account, view, plan, expected),
    });
  }
  return fail({
    code: planned.error.errorCode === 'CONFIGURATION_ERROR' ? 'CONFIGURATION_ERROR' : 'VALIDATION_ERROR',
    message: planned.error.error,
    details: { reason: planned.error.errorCode },
  });
}

function checkBasket(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  basket: OpenBasket,
): Result<null, EngineError> {
  for (const checked of [
    checkSymbols(deps, account, basket.legs),
    checkSetup(basket),
    checkClient(deps, principal, basket.clientId),
  ]) {
    if (!checked.ok) return checked;
  }
  return ok(null);
}

/** Refuses a setup that cannot fit the legs at any price. */
function checkSetup({ legs, setup }: OpenBasket): Result<null, EngineError> {
  if (setup === undefined || setup === null) return ok(null);
  const fitting = checkBracketsFit(setup, legs);
  if (!fitting.ok || setup.autoRebalance?.mode !== 'LIVE_BETA') return fitting;
  const isPair = liveBetaPair(legs.map(({ side }) => ({ side, quantity: '1' }))).ok;
  return isPair
    ? ok(null)
    : invalid('autoRebalance.mode', 'LIVE_BETA needs exactly one long and one short leg');
}

/** `clientId` attributes a trade to an integration; VALIDATION_ERROR if it is unknown or inactive. */
export function checkClient(
  deps: Pick<EngineDeps, 'isActiveClient'>,
  principal: Principal,
  clientId: string | null,
): Result<null, EngineError> {
  if (clientId === null || deps.isActiveClient(principal, clientId)) return ok(null);
  return invalid('clientId', 'Unknown or inactive clientId', 'unknown_client');
}
