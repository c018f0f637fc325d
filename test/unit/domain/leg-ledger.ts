import type { LegLedger } from '../../../gateway/domain/schedule.ts';

/** Of a leg of 1000 USD that has filled nothing. */
export function ledger(over: Partial<LegLedger> = {}): LegLedger {
  return {
    symbol: 'BTC-PERP',
    side: 'BUY',
    unit: 'USD',
    total: '1000',
    settled: '0',
    dropped: '0',
    usdPerUnit: '1',
    quantity: '0',
    notional: '0',
    ...over,
  };
}
