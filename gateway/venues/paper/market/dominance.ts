/**
 * Bitcoin dominance of the simulated market: BTC's share of the market's capitalisation,
 * 100 × supply(BTC) × price(BTC) ÷ (Σ supply × index price + capitalisation that is not listed).
 */

/** Circulating units in late July 2025, rounded, of listings above one billion USD then. `k` tickers count thousands. */
const SUPPLY: Readonly<Record<string, number>> = {
  BTC: 19.9e6,
  ETH: 120.7e6,
  SOL: 538e6,
  DOGE: 150e9,
  XRP: 59.2e9,
  AVAX: 422e6,
  LINK: 678e6,
  HYPE: 334e6,
  SUI: 3.46e9,
  ARB: 5.15e9,
  LTC: 76.1e6,
  BNB: 139.3e6,
  AAVE: 15.2e6,
  ADA: 35.4e9,
  NEAR: 1.24e9,
  DOT: 1.6e9,
  ATOM: 392e6,
  UNI: 600e6,
  APT: 655e6,
  INJ: 97.7e6,
  kPEPE: 420.7e9,
  kSHIB: 589e9,
  kBONK: 80.6e9,
  FIL: 681e6,
  CRV: 1.37e9,
  TRX: 94.7e9,
  TON: 2.42e9,
  BCH: 19.9e6,
  ETC: 152.8e6,
  XLM: 31.1e9,
  HBAR: 42.4e9,
  ALGO: 8.73e9,
  ICP: 536e6,
  ENA: 6.35e9,
  ONDO: 3.16e9,
  WLD: 1.78e9,
  JUP: 3e9,
  TAO: 9.6e6,
  RENDER: 518e6,
  TRUMP: 200e6,
  FARTCOIN: 1e9,
  PENGU: 62.9e9,
};

/** Capitalisation of stablecoins and of everything else that is not listed here; constant. */
const UNLISTED_USD = 380e9;

export class Dominance {
  private readonly supply: Float64Array;
  private readonly bitcoin: number;

  /** @throws without BTC among the tickers */
  constructor(tickers: readonly string[]) {
    this.supply = Float64Array.from(tickers, (ticker) => SUPPLY[ticker] ?? 0);
    this.bitcoin = tickers.indexOf('BTC');
    if (this.bitcoin < 0) throw new Error('dominance needs BTC to be listed');
  }

  /**
   * Dominance in per cent. @param logPrice natural logarithms of index prices, USD, in the order of the tickers
   */
  percent(logPrice: Float64Array): number {
    let total = UNLISTED_USD;
    let bitcoin = 0;
    for (const [i, supply] of this.supply.entries()) {
      if (supply === 0) continue;
      const capitalisation = supply * Math.exp(logPrice[i] ?? 0);
      total += capitalisation;
      if (i === this.bitcoin) bitcoin = capitalisation;
    }
    return (100 * bitcoin) / total;
  }
}
