/** Symbols of a request against the instruments that its connector has told. */
import type { TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, invalid } from '../core/errors.ts';

/** Every leg must be an instrument of the account's connector; until the connector has told any, all legs pass. */
export function checkSymbols(
  deps: Pick<EngineDeps, 'market'>,
  account: TradeAccount,
  legs: readonly { readonly symbol: string }[],
): Result<null, EngineError> {
  for (const [index, leg] of knowsMarkets(deps, account) ? legs.entries() : []) {
    if (deps.market.instrument(account.connector, leg.symbol) === undefined) {
      return unknownSymbol(`legs.${index}.symbol`, account.connector);
    }
  }
  return ok(null);
}

export function unknownSymbol(path: string, connector: string) {
  return invalid(path, `Not an instrument of connector ${connector}`, 'unknown_symbol');
}

export function knowsMarkets(deps: Pick<EngineDeps, 'market'>, account: TradeAccount): boolean {
  return deps.market.instruments(account.connector).length > 0;
}
