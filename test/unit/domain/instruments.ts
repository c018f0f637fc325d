/** Instruments and quotes for tests of the domain. */
import type { Instrument, Quote } from '../../../gateway/domain/model.ts';

export function instrument(over: Partial<Instrument> = {}): Instrument {
  return {
    id: 'BTC-PERP',
    symbol: 'BTC',
    connector: 'paper',
    venueSymbol: 'BTC',
    multiplier: '1',
    type: 'perp',
    tickSize: '0.1',
    stepSize: '0.00001',
    minQuantity: over.stepSize ?? '0.00001',
    maxQuantity: null,
    minNotional: '10',
    maxLeverage: 40,
    marginModes: ['cross', 'isolated'],
    fundingIntervalHours: 1,
    tradeability: { status: 'tradable', reason: null },
    maxSignificantFigures: 5,
    priceBand: null,
    leverageTiers: [{ maxNotional: null, maxLeverage: 40, maintenanceRate: '0.0125' }],
    ...over,
  };
}

export function quote(mark: string, over: Partial<Quote> = {}): Quote {
  return {
    id: 'BTC-PERP',
    symbol: 'BTC',
    mark,
    index: mark,
    mid: mark,
    bid: mark,
    ask: mark,
    last: mark,
    price24hAgo: mark,
    updatedAt: 1_000,
    ...over,
  };
}
