/** The perpetual markets of the emulated venue. An index is a market's name on the wire; prices and sizes are integers there. */
import { type Decimal, dec, ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { Fraction, Market as SharedMarket } from '../../shared/world/parts.ts';

export interface Market extends SharedMarket {
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  /** Smallest order in base units, and in USDC. */
  readonly minBase: Decimal;
  readonly minQuote: Decimal;
  /** Ten-thousandths of the notional. The smallest initial margin is the highest leverage. */
  readonly minInitial: number;
  readonly closeout: number;
  status: 'active' | 'inactive';
  forceReduceOnly: boolean;
  last: Decimal;
  dayTrades: number;
  dayBase: Decimal;
  dayQuote: Decimal;
}

export interface MarketTemplate {
  readonly index: number;
  readonly symbol: string;
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly mark: string;
  /** Default: the smallest step. */
  readonly minBase?: string;
  /** Ten-thousandths. Default 500, with 200 at least. */
  readonly defaultInitial?: number;
  readonly minInitial?: number;
  readonly onlyIsolated?: boolean;
  readonly status?: Market['status'];
}

function listed(
  index: number,
  symbol: string,
  [sizeDecimals, priceDecimals]: readonly [size: number, price: number],
  mark: string,
  rest: Partial<MarketTemplate> = {},
): MarketTemplate {
  return { index, symbol, sizeDecimals, priceDecimals, mark, ...rest };
}

/** Indexes and decimals as on the venue where they are known; the prices are made up. */
export const DEFAULT_MARKETS: readonly MarketTemplate[] = [
  listed(0, 'ETH', [4, 2], '4000', { minBase: '0.0050' }),
  listed(1, 'BTC', [5, 1], '100000', { minBase: '0.00020' }),
  listed(2, 'SOL', [3, 3], '200', { minBase: '0.050', minInitial: 400 }),
  listed(3, 'DOGE', [0, 6], '0.2', { minBase: '10', minInitial: 1000 }),
  listed(4, '1000PEPE', [0, 6], '0.0125', { minInitial: 1000 }),
  listed(7, 'XRP', [0, 6], '2.5', { minBase: '20', minInitial: 500 }),
  listed(8, 'LINK', [1, 5], '20', { minInitial: 1000 }),
  listed(9, 'AVAX', [2, 4], '25', { minInitial: 1000 }),
  listed(24, 'HYPE', [2, 4], '40', { minInitial: 1000 }),
  listed(25, 'BNB', [2, 4], '900', { minInitial: 500 }),
  listed(39, 'ADA', [1, 5], '0.8', { minInitial: 1000 }),
  listed(40, 'ATOM', [2, 4], '5', { minInitial: 2000, defaultInitial: 2000 }),
  listed(41, 'DYDX', [1, 5], '1.25', { minInitial: 2000, defaultInitial: 2000 }),
  listed(50, 'PURR', [0, 6], '0.2', { minInitial: 3300, defaultInitial: 3300, onlyIsolated: true }),
  listed(51, 'MATIC', [1, 5], '0.5', { status: 'inactive' }),
];

/** Fractions on the wire are in ten-thousandths: 500 is 5 %. */
export function ticks(count: number): Fraction {
  return [count, 10_000];
}

export function makeMarket(template: MarketTemplate): Market {
  const mark = dec(template.mark);
  const minInitial = template.minInitial ?? 200;
  return {
    ...{ index: template.index, name: template.symbol },
    ...{ sizeDecimals: template.sizeDecimals, priceDecimals: template.priceDecimals },
    minBase: template.minBase === undefined ? dec(10).pow(-template.sizeDecimals) : dec(template.minBase),
    minQuote: dec(10),
    defaultInitial: ticks(template.defaultInitial ?? Math.max(500, minInitial)),
    maintenance: ticks(Math.round(minInitial * 0.6)),
    ...{ minInitial, closeout: Math.round(minInitial * 0.4) },
    onlyIsolated: template.onlyIsolated ?? false,
    status: template.status ?? 'active',
    forceReduceOnly: false,
    ...{ mark, oracle: mark, last: mark, prevDay: mark },
    fundingRate: dec('0.000012'),
    ...{ openInterest: dec(1000), dayTrades: 0, dayBase: ZERO, dayQuote: ZERO },
  };
}

/** Smallest steps of sizes and prices. */
export function steps({ sizeDecimals, priceDecimals }: Market): {
  readonly size: Decimal;
  readonly price: Decimal;
} {
  return { size: dec(10).pow(-sizeDecimals), price: dec(10).pow(-priceDecimals) };
}
