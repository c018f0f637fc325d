/**
 * `PUT /leverage`: an account setting per instrument. The venue is asked first; the setting is stored once the venue
 * has accepted it.
 */
import type { LeverageSetting, MarginMode, TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, invalid, marketsUnknown, storeFailed, venueFailed } from '../core/errors.ts';
import { venueAccount, venueOf } from '../execution/ask-venue.ts';
import { knowsMarkets, unknownSymbol } from '../execution/check-symbols.ts';

export async function setLeverage(
  deps: EngineDeps,
  account: TradeAccount,
  asked: { readonly symbol: string; readonly leverage: number; readonly marginMode: MarginMode | null },
): Promise<Result<null, EngineError>> {
  const venue = venueOf(deps, account.connector);
  const instrument = deps.market.instrument(account.connector, asked.symbol);
  if (!knowsMarkets(deps, account)) return marketsUnknown();
  if (instrument === undefined) return unknownSymbol(deps, account.connector, 'symbol', asked.symbol);
  if (asked.leverage > instrument.maxLeverage) {
    return invalid('leverage', `Must be at most ${instrument.maxLeverage} for ${instrument.id}`, 'too_big');
  }
  if (venue.info.marginMode === 'required' && asked.marginMode === null) {
    return invalid('marginMode', `Required on connector ${account.connector}`);
  }
  if (venue.info.marginMode === 'rejected' && asked.marginMode !== null) {
    return invalid('marginMode', `Not accepted on connector ${account.connector}`);
  }
  const marginMode = asked.marginMode ?? 'cross';
  if (!instrument.marginModes.includes(marginMode)) {
    return invalid('marginMode', `${instrument.id} does not support ${marginMode} margin`);
  }
  const setting: Setting = { symbol: asked.symbol, leverage: asked.leverage, marginMode };
  return deps.state.leverage.queue.run(`${account.id} ${asked.symbol}`, () =>
    tellAndKeep(deps, account, setting, deps.state.leverage.inForce(account.id, instrument)),
  );
}

type Setting = Pick<LeverageSetting, 'symbol' | 'leverage' | 'marginMode'>;

async function tellAndKeep(
  deps: EngineDeps,
  account: TradeAccount,
  wanted: Setting,
  before: Omit<Setting, 'symbol'>,
): Promise<Result<null, EngineError>> {
  const venue = venueOf(deps, account.connector);
  const told = await venue.setLeverage(venueAccount(account), wanted);
  if (!told.ok) return venueFailed(told.error);
  const setting: LeverageSetting = {
    tradeAccountId: account.id,
    ...wanted,
    updatedAt: deps.clock.now(),
  };
  const committed = await deps.store.commit({ leverage: [setting] });
  if (!committed.ok) {
    // Baskets are sized by the stored setting, so the venue must not keep another one.
    const { leverage, marginMode } = before;
    const restored = await venue.setLeverage(venueAccount(account), {
      symbol: wanted.symbol,
      leverage,
      marginMode,
    });
    if (!restored.ok) {
      const { message } = restored.error;
      deps.logger.warn(
        { tradeAccountId: account.id, ...wanted, message },
        'the venue kept a refused leverage',
      );
    }
    return storeFailed(committed.error);
  }
  deps.state.leverage.put(setting);
  return ok(null);
}
