/** The contract rules of both paper venues over the same underlyings; an id means the same underlying on both. */
import type { Instrument, LeverageTier } from '../../../domain/model.ts';
import { unitsText } from './price-grid.ts';
import type { Underlying } from './underlyings.ts';
import { UNDERLYINGS } from './underlyings.ts';

export type PaperConnector = 'paper' | 'paper-cross';

export function paperInstruments(connector: PaperConnector): readonly Instrument[] {
  return UNDERLYINGS.map(connector === 'paper' ? onChainRules : crossRules);
}

/**
 * Rules of an on-chain perpetuals venue: price decimals are 6 − quantity decimals, a price has at most five significant
 * figures unless it is whole, funding is hourly.
 */
function onChainRules(underlying: Underlying): Instrument {
  return {
    id: `${underlying.ticker}-PERP`,
    symbol: underlying.ticker,
    connector: 'paper',
    venueSymbol: underlying.ticker,
    multiplier: '1',
    type: 'perp',
    tickSize: unitsText(1, 6 - underlying.quantityDecimals),
    stepSize: unitsText(1, underlying.quantityDecimals),
    minQuantity: unitsText(1, underlying.quantityDecimals),
    maxQuantity: null,
    minNotional: '10',
    maxLeverage: underlying.maxLeverage,
    marginModes: ['cross', 'isolated'],
    fundingIntervalHours: 1,
    tradeability: underlying.tradeability,
    maxSignificantFigures: 5,
    priceBand: null,
    leverageTiers: onChainTiers(underlying),
  };
}

/** Rules of a centralised venue: one plain tick per instrument, cross margin only, funding every eight hours. */
function crossRules(underlying: Underlying): Instrument {
  const maxLeverage = crossLeverage(underlying.maxLeverage);
  const stepSize = unitsText(1, Math.max(0, Math.ceil(Math.log10(underlying.price / 12))));
  return {
    id: `${underlying.ticker}-PERP`,
    symbol: underlying.ticker,
    connector: 'paper-cross',
    venueSymbol: underlying.ticker,
    multiplier: '1',
    type: 'perp',
    tickSize: crossTick(underlying.price),
    stepSize,
    minQuantity: stepSize,
    maxQuantity: null,
    minNotional: '5',
    maxLeverage,
    marginModes: ['cross'],
    fundingIntervalHours: 8,
    tradeability: underlying.tradeability,
    maxSignificantFigures: null,
    priceBand: null,
    leverageTiers: crossTiers(maxLeverage),
  };
}

/** Maintenance is half the initial margin at the tier's maximum leverage. */
function tier(maxNotional: string | null, maxLeverage: number): LeverageTier {
  // 1 / (2 × leverage) to six decimals, rounded up in the venue's favour.
  const maintenanceRate = unitsText(Math.ceil(500_000 / maxLeverage), 6);
  return { maxNotional, maxLeverage, maintenanceRate };
}

function onChainTiers(underlying: Underlying): readonly LeverageTier[] {
  switch (underlying.maxLeverage) {
    case 40:
      return [tier('150000000', 40), tier(null, 20)];
    case 25:
      return [tier('100000000', 25), tier(null, 15)];
    case 20:
      return [tier('70000000', 20), tier(null, 10)];
    case 10:
      return [tier('20000000', 10), tier(null, 5)];
    default:
      return [tier(null, underlying.maxLeverage)];
  }
}

function crossLeverage(onChain: number): number {
  if (onChain >= 25) return 50;
  if (onChain >= 10) return 25;
  return 10;
}

function crossTiers(maxLeverage: number): readonly LeverageTier[] {
  const size = maxLeverage === 50 ? 10 : 1;
  return [
    tier(`${200_000 * size}`, maxLeverage),
    tier(`${1_000_000 * size}`, Math.floor(maxLeverage / 2)),
    tier(`${5_000_000 * size}`, Math.min(5, Math.floor(maxLeverage / 3))),
    tier(null, 2),
  ];
}

/** The smallest of 1 or 5 × 10^−k that is at least 0.04 basis points of the listing price. */
function crossTick(price: number): string {
  const wanted = price * 4e-6;
  const decimals = Math.max(0, Math.floor(-Math.log10(wanted)));
  if (5 * 10 ** -(decimals + 1) >= wanted) return unitsText(5, decimals + 1);
  return unitsText(1, decimals);
}
