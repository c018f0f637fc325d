/** Checks a request's symbols against the instruments that its connector lists. */
import { dec } from '../../domain/decimal.ts';
import type { Instrument, TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, invalid, marketsUnknown } from '../core/errors.ts';
import type { MarketData } from '../ports/market.ts';

/**
 * Every leg must be an instrument of the account's connector. While the connector has not listed any yet, all legs
 * pass.
 */
export function checkSymbols(
  deps: Pick<EngineDeps, 'market'>,
  account: TradeAccount,
  legs: readonly { readonly symbol: string }[],
): Result<null, EngineError> {
  if (!knowsMarkets(deps, account)) return ok(null);
  for (const [index, { symbol }] of legs.entries())
    if (deps.market.instrument(account.connector, symbol) === undefined)
      return unknownSymbol(deps, account.connector, `legs.${index}.symbol`, symbol);
  return ok(null);
}

/** Error for a symbol that does not exist. Most callers gave the ticker shown to people instead of the id. */
export function unknownSymbol(
  { market }: { readonly market: Pick<MarketData, 'instruments'> },
  connector: string,
  path: string,
  symbol: string,
) {
  const wanted = symbol.toUpperCase();
  const meant = market
    .instruments(connector)
    .find((one) => one.symbol.toUpperCase() === wanted || one.id.toUpperCase() === wanted);
  const hint = meant === undefined ? '' : `: did you mean ${meant.id}?`;
  return invalid(path, `Not an instrument of connector ${connector}${hint}`, 'unknown_symbol');
}

export function knowsMarkets(deps: Pick<EngineDeps, 'market'>, account: TradeAccount): boolean {
  return deps.market.instruments(account.connector).length > 0;
}

export interface PricedLeg {
  readonly instrument: Instrument;
  /** Mark price, USD, > 0. */
  readonly mark: string;
}

/** Legs by symbol. Refuses a leg without a known price, or whose instrument does not accept this kind of order. */
export function pricedLegs(
  deps: Pick<EngineDeps, 'market'>,
  account: TradeAccount,
  legs: readonly { readonly symbol: string }[],
  kind: 'OPEN' | 'CLOSE',
): Result<ReadonlyMap<string, PricedLeg>, EngineError> {
  const priced = new Map<string, PricedLeg>();
  for (const [index, { symbol }] of legs.entries()) {
    const instrument = deps.market.instrument(account.connector, symbol);
    const mark = deps.market.quote(account.connector, symbol)?.mark;
    if (instrument === undefined || mark === undefined || dec(mark).lte(0)) return marketsUnknown();
    const { status } = instrument.tradeability;
    if (status === 'not_tradable' || (status === 'reduce_only' && kind === 'OPEN')) {
      return invalid(`legs.${index}.symbol`, `The instrument is ${status}`, status);
    }
    priced.set(symbol, { instrument, mark });
  }
  return ok(priced);
}
