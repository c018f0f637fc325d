/** Lighter's perpetual markets as instruments. Its spot markets are left out. */
import { dec, text } from '../../../domain/decimal.ts';
import type { Instrument, MarginMode, Tradeability } from '../../../domain/model.ts';
import { type Listed, nameListings, type SymbolRules } from '../kit/symbols.ts';
import type { WireMarket } from './wire.ts';

/** A market, with the fields for orders and for display. */
export interface Asset {
  readonly index: number;
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly listed: Listed;
  readonly instrument: Instrument;
}

export interface Listing {
  readonly instruments: readonly Instrument[];
  readonly assets: readonly Asset[];
  bySymbol(symbol: string): Asset | undefined;
  byIndex(index: number): Asset | undefined;
  /** Id by key: a market keeps its id for good. */
  readonly symbols: ReadonlyMap<string, string>;
}

export const EMPTY_LISTING: Listing = {
  instruments: [],
  assets: [],
  bySymbol: () => undefined,
  byIndex: () => undefined,
  symbols: new Map(),
};

const RULES: SymbolRules = { prefixes: { k: '1000', '1000': '1000' }, defaultQuote: 'USDC' };
/** Margin fractions are in ten-thousandths. */
export const WHOLE = 10_000;
const ISOLATED_ONLY = 1;

/** An index may be given to another market after a delisting: only with its symbol it names one. */
const keyOf = ({ market_id, symbol }: WireMarket) => `${market_id}:${symbol}`;

/** @param known ids by key as they were given before */
export function listingOf(
  connector: string,
  { order_book_details: all }: { readonly order_book_details: readonly WireMarket[] },
  known: ReadonlyMap<string, string> = new Map(),
): Listing {
  const perps = all.filter(({ market_type }) => (market_type ?? 'perp') === 'perp');
  const names = nameListings(
    perps.map((one) => ({ key: keyOf(one), coin: one.symbol, quote: 'USDC' })),
    RULES,
    known,
  );
  const assets = perps.flatMap((one): readonly Asset[] => {
    const listed = names.byKey(keyOf(one));
    if (listed === undefined) return [];
    const { units } = listed;
    const maxLeverage = Math.max(1, Math.floor(WHOLE / one.min_initial_margin_fraction));
    const maintenanceRate = text(dec(one.maintenance_margin_fraction).div(WHOLE));
    const instrument: Instrument = {
      id: listed.symbol,
      symbol: listed.ticker,
      connector,
      venueSymbol: one.symbol,
      multiplier: listed.multiplier,
      type: 'perp',
      tickSize: units.priceToOurs(text(dec(10).pow(-one.price_decimals))),
      stepSize: units.quantityToOurs(text(dec(10).pow(-one.size_decimals))),
      minQuantity: units.quantityToOurs(one.min_base_amount),
      maxQuantity: null,
      minNotional: one.min_quote_amount,
      maxLeverage,
      marginModes: marginModesOf(one),
      fundingIntervalHours: 1,
      tradeability: tradeabilityOf(one),
      maxSignificantFigures: null,
      priceBand: null,
      leverageTiers: [{ maxNotional: null, maxLeverage, maintenanceRate }],
    };
    return [
      {
        index: one.market_id,
        sizeDecimals: one.size_decimals,
        priceDecimals: one.price_decimals,
        listed,
        instrument,
      },
    ];
  });
  const bySymbol = new Map(assets.map((asset) => [asset.instrument.id, asset]));
  const byIndex = new Map(assets.map((asset) => [asset.index, asset]));
  return {
    assets,
    instruments: assets.map(({ instrument }) => instrument),
    bySymbol: (symbol) => bySymbol.get(symbol),
    byIndex: (index) => byIndex.get(index),
    symbols: new Map([...known, ...assets.map(({ listed }) => [listed.key, listed.symbol] as const)]),
  };
}

/** Spot markets have indexes from here on. */
const SPOT_FROM = 2_048;

/** True for a perpetual that may have been listed a moment ago. */
export function isUnlisted({ byIndex }: Pick<Listing, 'byIndex'>, index: number): boolean {
  return index < SPOT_FROM && byIndex(index) === undefined;
}

function marginModesOf({ market_config }: WireMarket): readonly MarginMode[] {
  return market_config?.market_margin_mode === ISOLATED_ONLY ? ['isolated'] : ['cross', 'isolated'];
}

function tradeabilityOf({ status, market_config, multiplier }: WireMarket): Tradeability {
  // A word that is not known here counts as a halt.
  if (status !== 'active') return { status: 'not_tradable', reason: status };
  if (multiplier !== null && multiplier !== '1')
    return { status: 'not_tradable', reason: 'its units are not known here' };
  if (market_config?.force_reduce_only === true)
    return { status: 'reduce_only', reason: 'the venue lets positions only be closed' };
  return { status: 'tradable', reason: null };
}
