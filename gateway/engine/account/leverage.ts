/**
 * `PUT /leverage`: an account setting per instrument. The venue is asked first; the setting is stored once the venue
 * has accepted it.
 */
import type { Placed } from '../../domain/authority.ts';
import { sum } from '../../domain/decimal.ts';
import { asksAboutOrders } from '../../domain/mandate-judgement.ts';
import type { LeverageSetting, MarginMode, TradeAccount } from '../../domain/model.ts';
import { signedQuantity } from '../../domain/position.ts';
import { ok, type Result } from '../../domain/result.ts';
import { netOfLots } from '../../domain/unassigned.ts';
import type { EngineDeps } from '../core/deps.ts';
import { busy, type EngineError, invalid, marketsUnknown, storeFailed, venueFailed } from '../core/errors.ts';
import { agentLimit } from '../core/mandate-answers.ts';
import { venueAccount, venueOf } from '../execution/ask-venue.ts';
import { knowsMarkets, unknownSymbol } from '../execution/check-symbols.ts';

export async function setLeverage(
  deps: EngineDeps,
  account: TradeAccount,
  asked: { readonly symbol: string; readonly leverage: number; readonly marginMode: MarginMode | null },
  placed: Placed,
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
  return deps.state.leverage.queue.run(`${account.id} ${asked.symbol}`, async () => {
    const broken = () => brokenBy(deps, account, asked.symbol, placed);
    const allowed = broken() ?? (await holdsUnknown(deps, account, asked.symbol, placed)) ?? broken();
    if (allowed !== null) return allowed;
    return tellAndKeep(deps, account, setting, deps.state.leverage.inForce(account.id, instrument), broken);
  });
}

/** Refusal of a holder whose change would reach what is held, or soon is; null: none. */
function brokenBy(deps: EngineDeps, account: TradeAccount, symbol: string, placed: Placed) {
  const bound = deps.warden.of(placed);
  const broken = bound === null ? null : deps.warden.shares.leverageProblem(bound, account, symbol);
  return broken === null ? null : agentLimit([broken]);
}

/** Refusal of a holder with a mandate while the venue holds what no fill has told yet; null: none. */
async function holdsUnknown(deps: EngineDeps, account: TradeAccount, symbol: string, placed: Placed) {
  const mandate = deps.warden.of(placed)?.mandate;
  if (mandate === undefined || (mandate.manage === 'ALL' && !asksAboutOrders(mandate))) return null;
  const told = await venueOf(deps, account.connector).positions(venueAccount(account));
  if (!told.ok) return venueFailed(told.error);
  const { positions, unassigned } = deps.state;
  const legs = positions.of(account.id).flatMap((position) => position.legs);
  const known = sum(legs.filter((leg) => leg.symbol === symbol).map(signedQuantity));
  const held = told.value.find((one) => one.symbol === symbol)?.quantity ?? '0';
  if (known.plus(netOfLots(unassigned.of(account.id, symbol))).eq(held)) return null;
  return busy(`The venue has told other fills of ${symbol} than are recorded yet: try again in a moment`, {
    reason: 'WAITING_ORDERS',
  });
}

type Setting = Pick<LeverageSetting, 'symbol' | 'leverage' | 'marginMode'>;

async function tellAndKeep(
  deps: EngineDeps,
  account: TradeAccount,
  wanted: Setting,
  before: Omit<Setting, 'symbol'>,
  broken: () => ReturnType<typeof agentLimit> | null,
): Promise<Result<null, EngineError>> {
  const venue = venueOf(deps, account.connector);
  const told = await venue.setLeverage(venueAccount(account), wanted);
  if (!told.ok) return venueFailed(told.error);
  // An order of the user may have been accepted while the venue was asked.
  const refused = broken();
  if (refused !== null) {
    await setBack(deps, account, wanted, before);
    return refused;
  }
  const setting: LeverageSetting = {
    tradeAccountId: account.id,
    ...wanted,
    updatedAt: deps.clock.now(),
  };
  const committed = await deps.store.commit({ leverage: [setting] });
  if (!committed.ok) {
    await setBack(deps, account, wanted, before);
    return storeFailed(committed.error);
  }
  deps.state.leverage.put(setting);
  return ok(null);
}

/** Baskets are sized by the stored setting, so the venue must not keep another one. */
async function setBack(
  deps: EngineDeps,
  account: TradeAccount,
  wanted: Setting,
  { leverage, marginMode }: Omit<Setting, 'symbol'>,
): Promise<void> {
  const { symbol } = wanted;
  const restored = await venueOf(deps, account.connector).setLeverage(venueAccount(account), {
    symbol,
    leverage,
    marginMode,
  });
  if (restored.ok) return;
  const { message } = restored.error;
  deps.logger.warn({ tradeAccountId: account.id, ...wanted, message }, 'the venue kept a refused leverage');
}
