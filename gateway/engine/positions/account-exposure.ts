/** Exposure of an account: its baskets, the venue's margin figures, and the distance to liquidation. */
import { accountRisk, type BasketRisk } from '../../domain/account-risk.ts';
import { dec, sum, text, textRounded, ZERO } from '../../domain/decimal.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { comovement, differences, MIN_PAIR_OBSERVATIONS } from '../../domain/pair-statistics.ts';
import { ok } from '../../domain/result.ts';
import { type HeldLot, netOfLots } from '../../domain/unassigned.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type Refusable, venueFailed } from '../core/errors.ts';
import { holdingsAt } from '../execution/account-after.ts';
import { venueAccount, venueOf } from '../execution/ask-venue.ts';
import type { CandleHistory } from '../ports/market.ts';

export interface AccountExposure {
  readonly at: number;
  readonly grossNotional: string;
  readonly netNotional: string;
  readonly unassignedGross: string;
  readonly unassignedNet: string;
  readonly equity: string;
  readonly freeMargin: string;
  readonly leverage: string | null;
  readonly beta: string | null;
  readonly crossValue: string;
  readonly maintenanceMargin: string;
  readonly marginRatio: string | null;
  readonly baskets: readonly BasketRisk[];
}

type Deps = Pick<EngineDeps, 'venues' | 'market' | 'state' | 'clock'> & {
  readonly candles: Pick<CandleHistory, 'closes'>;
};

const BTC = 'BTC-PERP';
const HOUR_MS = 3_600_000;
const LOOKBACK_MS = 30 * 24 * HOUR_MS;
const PLACES = 12;

/** CONFIGURATION_ERROR while the venue does not answer. */
export type ReadExposure = (account: TradeAccount) => Refusable<AccountExposure>;

export function createAccountExposure(deps: Deps): ReadExposure {
  const betaOf = rememberBetas(deps);
  return async (account) => {
    const venue = venueOf(deps, account.connector);
    const kept = venue.accountState?.(venueAccount(account)) ?? null;
    const [balances, positions] =
      kept === null
        ? await Promise.all([venue.balances(venueAccount(account)), venue.positions(venueAccount(account))])
        : [ok(kept.balances), ok(kept.positions)];
    if (!balances.ok) return venueFailed(balances.error);
    if (!positions.ok) return venueFailed(positions.error);
    const { connector } = account;
    const markOf = (symbol: string, otherwise: string) =>
      deps.market.quote(connector, symbol)?.mark ?? otherwise;
    const holdings = holdingsAt(deps, connector, positions.value);
    const baskets = deps.state.positions.of(account.id).map(({ id, legs }) => ({
      positionId: id,
      legs: legs.filter(({ quantity }) => quantity !== '0'),
    }));
    const inBaskets = baskets.flatMap(({ legs }) =>
      legs.map(({ symbol, side, quantity, entryPrice }) => {
        const notional = dec(markOf(symbol, entryPrice)).mul(quantity);
        return { symbol, signed: side === 'BUY' ? notional : notional.neg() };
      }),
    );
    // Holdings outside baskets also move the equity and use margin, so the exposure includes them.
    const inNone = netLots(deps.state.unassigned.ofAccount(account.id)).map(
      ({ symbol, quantity, price }) => ({
        symbol,
        signed: dec(markOf(symbol, price)).mul(quantity),
      }),
    );
    const notionals = [...inBaskets, ...inNone];
    const gross = sum(notionals.map(({ signed }) => signed.abs()));
    const { equity, freeMargin } = balances.value;
    const risk = accountRisk(equity, holdings, baskets);
    const isWorth = dec(equity).gt(0);
    let exposed: ReturnType<typeof dec> | null = ZERO;
    for (const { symbol, signed } of notionals) {
      const beta = symbol === BTC ? 1 : await betaOf(connector, symbol);
      exposed = exposed === null || beta === null ? null : exposed.plus(signed.mul(beta));
    }
    return ok({
      at: deps.clock.now(),
      grossNotional: text(gross),
      netNotional: text(sum(notionals.map(({ signed }) => signed))),
      unassignedGross: text(sum(inNone.map(({ signed }) => signed.abs()))),
      unassignedNet: text(sum(inNone.map(({ signed }) => signed))),
      equity,
      freeMargin,
      leverage: isWorth ? textRounded(gross.div(equity), PLACES) : null,
      beta: exposed === null || !isWorth ? null : textRounded(exposed.div(equity), PLACES),
      crossValue: risk.crossValue,
      maintenanceMargin: risk.maintenance,
      marginRatio: risk.marginRatio,
      baskets: risk.baskets,
    });
  };
}

/** Net quantity of each instrument's lots, signed base units, with the oldest price for use without a mark. */
function netLots(lots: readonly HeldLot[]): readonly Pick<HeldLot, 'symbol' | 'quantity' | 'price'>[] {
  return [...new Set(lots.map(({ symbol }) => symbol))].map((symbol) => {
    const own = lots.filter((lot) => lot.symbol === symbol);
    return { symbol, quantity: text(netOfLots(own)), price: own[0]?.price ?? '0' };
  });
}

/** β of an instrument to BTC-PERP, read again once an hour; null: the history does not define it. */
function rememberBetas({ candles, clock }: Pick<Deps, 'candles' | 'clock'>) {
  const known = new Map<string, { readonly hour: number; readonly beta: Promise<number | null> }>();
  return (connector: string, symbol: string): Promise<number | null> => {
    const hour = Math.floor(clock.now() / HOUR_MS);
    const name = `${connector} ${symbol}`;
    const old = known.get(name);
    if (old?.hour === hour) return old.beta;
    const beta = betaAt(candles, connector, symbol, clock.now());
    known.set(name, { hour, beta });
    // A failed read is not kept for the hour.
    beta.catch(() => known.delete(name));
    return beta;
  };
}

async function betaAt(
  candles: Pick<CandleHistory, 'closes'>,
  connector: string,
  symbol: string,
  to: number,
): Promise<number | null> {
  const closes = await candles.closes({
    connector,
    symbols: [symbol, BTC],
    every: '1h',
    from: to - LOOKBACK_MS,
    to,
  });
  if (closes.length < MIN_PAIR_OBSERVATIONS) return null;
  const returns = [0, 1].map((index) =>
    differences(closes.map(({ prices }) => Math.log(Number(prices[index])))),
  );
  return comovement(returns[1] ?? [], returns[0] ?? []).beta;
}
