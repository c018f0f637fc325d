/** Hyperliquid's perpetuals as instruments. Not listed: those of other builders' exchanges on it (HIP-3). */
import { dec, text } from '../../../domain/decimal.ts';
import type { Instrument, LeverageTier } from '../../../domain/model.ts';
import { type Listed, nameListings, type SymbolRules } from '../kit/symbols.ts';
import type { WireMeta } from './wire.ts';

/** A perpetual, with the fields for orders and for display. */
export interface Asset {
  /** Index in the universe: the asset id in actions. */
  readonly index: number;
  readonly coin: string;
  readonly szDecimals: number;
  readonly listed: Listed;
  readonly instrument: Instrument;
}

export interface Listing {
  readonly instruments: readonly Instrument[];
  bySymbol(symbol: string): Asset | undefined;
  byCoin(coin: string): Asset | undefined;
  readonly assets: readonly Asset[];
  /** Number of instruments that the venue lists, including those that could get no name here. */
  readonly size: number;
  /** Id by coin: a coin keeps its id for good. */
  readonly symbols: ReadonlyMap<string, string>;
}

export const EMPTY_LISTING: Listing = {
  assets: [],
  instruments: [],
  bySymbol: () => undefined,
  byCoin: () => undefined,
  size: 0,
  symbols: new Map(),
};

const RULES: SymbolRules = { prefixes: { k: '1000' }, defaultQuote: 'USDC' };
/** Decimals of prices: this less the decimals of quantities. */
const MOST_DECIMALS = 6;
const SIGNIFICANT_FIGURES = 5;
const LEAST_USD = '10';
/** "Order price cannot be more than 80% away from the reference price", in the venue's answers to orders. */
const PRICE_BAND = '0.8';

/** @param known ids by coin as they were given before */
export function listingOf(
  connector: string,
  { universe, marginTables }: WireMeta,
  known: ReadonlyMap<string, string> = new Map(),
): Listing {
  const tables = new Map((marginTables ?? []).filter((table) => table !== null));
  const names = nameListings(
    universe.flatMap((one) => (one === null ? [] : [{ key: one.name, coin: one.name, quote: 'USDC' }])),
    RULES,
    known,
  );
  const assets = universe.flatMap((one, index): readonly Asset[] => {
    const listed = one === null ? undefined : names.byKey(one.name);
    if (one === null || listed === undefined) return [];
    const tiers = tiersOf(one.maxLeverage, tables.get(one.marginTableId ?? -1)?.marginTiers ?? []);
    const { units } = listed;
    const stepSize = units.quantityToOurs(text(dec(10).pow(-one.szDecimals)));
    const instrument: Instrument = {
      id: listed.symbol,
      symbol: listed.ticker,
      connector,
      venueSymbol: one.name,
      multiplier: listed.multiplier,
      type: 'perp',
      tickSize: units.priceToOurs(text(dec(10).pow(one.szDecimals - MOST_DECIMALS))),
      stepSize,
      minQuantity: stepSize,
      maxQuantity: null,
      minNotional: LEAST_USD,
      maxLeverage: one.maxLeverage,
      marginModes: isOnlyIsolated(one) ? ['isolated'] : ['cross', 'isolated'],
      fundingIntervalHours: 1,
      tradeability:
        one.isDelisted === true
          ? { status: 'not_tradable', reason: 'delisted' }
          : { status: 'tradable', reason: null },
      maxSignificantFigures: SIGNIFICANT_FIGURES,
      priceBand: PRICE_BAND,
      leverageTiers: tiers,
    };
    return [{ index, coin: one.name, szDecimals: one.szDecimals, listed, instrument }];
  });
  const bySymbol = new Map(assets.map((asset) => [asset.instrument.id, asset]));
  const byCoin = new Map(assets.map((asset) => [asset.coin, asset]));
  return {
    assets,
    instruments: assets.map(({ instrument }) => instrument),
    bySymbol: (symbol) => bySymbol.get(symbol),
    byCoin: (coin) => byCoin.get(coin),
    size: universe.length,
    symbols: new Map([...known, ...assets.map(({ coin, instrument }) => [coin, instrument.id] as const)]),
  };
}

function isOnlyIsolated({ onlyIsolated, marginMode }: NonNullable<WireMeta['universe'][number]>): boolean {
  return onlyIsolated === true || marginMode === 'noCross' || marginMode === 'strictIsolated';
}

/** The list, with former entries in place of unreadable ones. */
export function withKnownEntries(fresh: WireMeta, known: WireMeta | null): WireMeta {
  const universe = fresh.universe.map((one, index) => one ?? known?.universe[index] ?? null);
  return { ...fresh, universe };
}

/** The venue states where a tier begins; the maintenance margin is half of the initial margin at most leverage. */
function tiersOf(
  maxLeverage: number,
  tiers: readonly { readonly lowerBound: string; readonly maxLeverage: number }[],
): readonly LeverageTier[] {
  const all = tiers.length === 0 ? [{ lowerBound: '0', maxLeverage }] : tiers;
  return all.map((tier, index) => ({
    maxNotional: all[index + 1]?.lowerBound ?? null,
    maxLeverage: tier.maxLeverage,
    maintenanceRate: text(dec(1).div(dec(tier.maxLeverage).mul(2)).toDecimalPlaces(12)),
  }));
}

/** True for a name that may be a perpetual's. Spot pairs and other builders' exchanges have `@`, `/` or `:`. */
export function isPerpetual(coin: string | null): boolean {
  return coin === null || /^[A-Za-z0-9]+$/.test(coin);
}

/** True for a perpetual that may have been listed a moment ago. */
export function isUnlisted({ byCoin }: Pick<Listing, 'byCoin'>, coin: string): boolean {
  return isPerpetual(coin) && byCoin(coin) === undefined;
}

export function isTraded({ instrument }: Listing['assets'][number]): boolean {
  return instrument.tradeability.status === 'tradable';
}
