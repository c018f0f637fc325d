/**
 * Retires lots that the venue no longer holds, for example from before the reset of a paper account. If the baskets
 * alone explain the venue's position, and the difference is settled (`core/gaps.ts`), the lots in no basket are set to
 * zero and the trader is notified.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import { netOfLots } from '../../../domain/unassigned.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { commitDurably, type StopSignal } from '../../core/durable.ts';
import { type Holding, isConfirmed } from '../../core/position-evidence.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { askVenue } from '../../execution/ask-venue.ts';
import { transferFill } from '../../execution/closing/transfer-fill.ts';
import { confirmedFill } from '../../execution/fill-row.ts';
import { lostNotice } from '../../notices/lost-notice.ts';
import type { Difference } from '../reconcile.ts';

/**
 * @param differences as just read, while no execution runs
 * @returns true when a lot was retired
 */
export async function retireLots(
  deps: EngineDeps & { readonly signal: StopSignal },
  account: TradeAccount,
  differences: readonly Difference[],
): Promise<boolean> {
  deps.state.gaps.noteAll(account.id, new Set(differences.map(({ symbol }) => symbol)));
  let isChanged = false;
  for (const difference of differences) {
    const retire = () => retireLotsOf(deps, account, difference);
    const isRetired = await deps.state.unassigned.alone(account.id, [difference.symbol], retire);
    isChanged ||= isRetired;
  }
  return isChanged;
}

async function retireLotsOf(
  deps: EngineDeps & { readonly signal: StopSignal },
  account: TradeAccount,
  { symbol, baskets, unassigned, venue }: Difference,
): Promise<boolean> {
  const { state, clock, ids, logger, store } = deps;
  const gap = dec(venue).minus(baskets).minus(unassigned);
  const now = clock.now();
  state.gaps.note(account.id, symbol, gap, clock.uptime());
  const lots = state.unassigned.of(account.id, symbol).filter(({ source }) => source === 'OUTSIDE');
  const net = netOfLots(lots);
  const isExplained = !net.isZero() && gap.eq(net.neg());
  if (!isExplained || state.claims.isRunning(account.id)) return false;
  const isSettled = (isProven: boolean) =>
    state.gaps.isSettled(account.id, symbol, gap, { uptime: clock.uptime(), isProven });
  const holding = { venue, recorded: dec(venue).minus(gap) };
  if (!isSettled(false) && !(isSettled(true) && (await isConfirmedNow(deps, account, symbol, holding))))
    return false;
  const gone = new Set(lots.map(({ id }) => id));
  const waiting = (await store.provisionalFills(account.id)).filter(({ id }) => gone.has(id));
  if (state.claims.isRunning(account.id)) return false;
  const unassignedLots = lots.map((lot) => ({ ...lot, quantity: '0' }));
  const fills = lots.map((lot) => {
    const quantity = dec(lot.quantity);
    return transferFill({
      id: ids.next(),
      tradeAccountId: account.id,
      connector: account.connector,
      tradeId: `x:${lot.id}:gone:b`,
      cause: 'ADJUSTMENT',
      symbol,
      side: quantity.isNegative() ? 'BUY' : 'SELL',
      quantity: text(quantity.abs()),
      price: lot.price,
      positionId: null,
      timestamp: now,
    });
  });
  const changedFills = waiting.map(confirmedFill);
  const lost = { symbol, side: net.isNegative() ? 'SELL' : 'BUY', quantity: text(net.abs()) } as const;
  const told = lostNotice(deps, account, lost);
  await commitDurably(deps, oneUnit({ fills, unassignedLots, changedFills }, told), deps.signal);
  state.unassigned.put(unassignedLots);
  logger.warn({ tradeAccountId: account.id, symbol }, 'Holdings in no basket that the venue does not have');
  return true;
}

/** Asks the venue again, also for balances, and checks that its answer for the instrument is the same. */
async function isConfirmedNow(
  deps: EngineDeps,
  account: TradeAccount,
  symbol: string,
  holding: Holding,
): Promise<boolean> {
  const view = await askVenue(deps, account);
  if (!view.ok || !dec(view.value.net.get(symbol) ?? '0').eq(holding.venue)) return false;
  const { connector } = account;
  const facts = {
    instrument: deps.market.instrument(connector, symbol),
    quote: deps.market.quote(connector, symbol),
  };
  return isConfirmed(holding, view.value, facts);
}
