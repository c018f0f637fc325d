/** `POST /trade/open`: opens a basket, or adds to the open one with the same legs (ADJUST). */
import type { LegFailurePolicy, Principal, TradeAccount, TradeLeg } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { BasketPlan } from '../domain/sizing.ts';
import { type AcceptDeps, acceptExecution, type OrderCommand } from './accept.ts';
import type { EngineDeps } from './deps.ts';
import { type EngineError, invalid, marketsUnknown } from './errors.ts';
import type { Answered } from './idempotency.ts';
import { plan } from './prepare.ts';

export interface OpenBasket {
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: string | null;
  readonly slippage: string;
  readonly onLegFailure: LegFailurePolicy;
  readonly clientId: string | null;
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
  return acceptExecution(deps, command, key, () => {
    // Not before: a repeated request gets its first answer, whatever the venue does now.
    if (!knowsMarkets(deps, account)) return marketsUnknown();
    const position = deps.book.openPosition(account.id, key) ?? null;
    return ok({
      legs: basket.legs,
      totalUsd: basket.totalUsd,
      slippage: basket.slippage,
      intent: position === null ? 'OPEN' : 'ADJUST',
      position,
      onLegFailure: basket.onLegFailure,
      clientId: basket.clientId,
      reduces: false,
    });
  });
}

/** `dryRun`: the plan of the moment; nothing is recorded, nothing is claimed. */
export async function dryRunBasket(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  basket: OpenBasket,
): Promise<Result<BasketPlan, EngineError>> {
  const valid = checkBasket(deps, principal, account, basket);
  if (!valid.ok) return valid;
  const planned = await plan(deps, { account, ask: basket, reduces: false });
  if (planned.ok) return planned;
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
  for (const [index, leg] of knowsMarkets(deps, account) ? basket.legs.entries() : []) {
    if (deps.market.instrument(account.connector, leg.symbol) === undefined) {
      return invalid(
        `legs.${index}.symbol`,
        `Not an instrument of connector ${account.connector}`,
        'unknown_symbol',
      );
    }
  }
  return checkClient(deps, principal, basket.clientId);
}

function knowsMarkets(deps: Pick<EngineDeps, 'market'>, account: TradeAccount): boolean {
  return deps.market.instruments(account.connector).length > 0;
}

/** `clientId` attributes a trade to an integration; an unknown or inactive one is a 400. */
export function checkClient(
  deps: Pick<EngineDeps, 'isActiveClient'>,
  principal: Principal,
  clientId: string | null,
): Result<null, EngineError> {
  if (clientId === null || deps.isActiveClient(principal, clientId)) return ok(null);
  return invalid('clientId', 'Unknown or inactive clientId', 'unknown_client');
}

export function basketKeyOf(
  deps: Pick<EngineDeps, 'basketKey'>,
  legs: readonly { readonly symbol: string; readonly side: string }[],
): string {
  const of = (side: string) => legs.filter((leg) => leg.side === side).map((leg) => leg.symbol);
  return deps.basketKey(of('BUY'), of('SELL'));
}
