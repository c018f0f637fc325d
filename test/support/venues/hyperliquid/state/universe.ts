/** The instruments of the emulated venue: an asset's id is its place in the list, as on the real one. */
import { type Decimal, dec, ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { Market } from '../../shared/world/parts.ts';

export interface Asset extends Market {
  szDecimals: number;
  maxLeverage: number;
  marginTableId: number;
  readonly marginMode: AssetTemplate['marginMode'];
  isDelisted: boolean;
  /** Orders are refused, everything else goes on. */
  halted: boolean;
  dayVolume: Decimal;
  dayNotional: Decimal;
}

export interface AssetTemplate {
  readonly name: string;
  readonly szDecimals: number;
  readonly maxLeverage: number;
  readonly mark: string;
  /** The deprecated form of `marginMode`. */
  readonly onlyIsolated?: boolean;
  readonly marginMode?: 'noCross' | 'strictIsolated';
  readonly isDelisted?: boolean;
}

/** Sizes and leverages as the venue's own list has them; the prices are made up. */
export const DEFAULT_UNIVERSE: readonly AssetTemplate[] = [
  { name: 'BTC', szDecimals: 5, maxLeverage: 40, mark: '100000' },
  { name: 'ETH', szDecimals: 4, maxLeverage: 25, mark: '4000' },
  { name: 'ATOM', szDecimals: 2, maxLeverage: 5, mark: '5' },
  { name: 'MATIC', szDecimals: 1, maxLeverage: 20, mark: '0.5', isDelisted: true },
  { name: 'DYDX', szDecimals: 1, maxLeverage: 5, mark: '1.25' },
  { name: 'SOL', szDecimals: 2, maxLeverage: 20, mark: '200' },
  { name: 'AVAX', szDecimals: 2, maxLeverage: 10, mark: '25' },
  { name: 'BNB', szDecimals: 3, maxLeverage: 10, mark: '900' },
  { name: 'DOGE', szDecimals: 0, maxLeverage: 10, mark: '0.2' },
  { name: 'kPEPE', szDecimals: 0, maxLeverage: 10, mark: '0.0125' },
  { name: 'HYPE', szDecimals: 2, maxLeverage: 10, mark: '40' },
  { name: 'XRP', szDecimals: 0, maxLeverage: 20, mark: '2.5' },
  { name: 'PURR', szDecimals: 0, maxLeverage: 3, mark: '0.2', onlyIsolated: true },
];

/** BTC's tiers: above the bound (USD of position) less leverage. All others have one tier, whose id is its leverage. */
export const BTC_TABLE = 56;
export const BTC_TIERS = [
  { lowerBound: '0.0', maxLeverage: 40 },
  { lowerBound: '150000000.0', maxLeverage: 20 },
];

export function makeAsset(template: AssetTemplate, index: number): Asset {
  const mark = dec(template.mark);
  return {
    index,
    name: template.name,
    szDecimals: template.szDecimals,
    maxLeverage: template.maxLeverage,
    marginTableId: template.name === 'BTC' ? BTC_TABLE : template.maxLeverage,
    onlyIsolated: template.onlyIsolated ?? template.marginMode !== undefined,
    marginMode: template.marginMode,
    get defaultInitial() {
      return [1, Math.min(20, this.maxLeverage)] as const;
    },
    // Half of the initial margin at the highest leverage.
    get maintenance() {
      return [1, 2 * this.maxLeverage] as const;
    },
    isDelisted: template.isDelisted ?? false,
    halted: false,
    ...{ mark, oracle: mark, prevDay: mark },
    fundingRate: dec('0.0000125'),
    ...{ openInterest: dec(1000), dayVolume: ZERO, dayNotional: ZERO },
  };
}
