/** Histories with metrics computed independently; `test/data/portfolio-references.py` has the derivation. */
import { readFileSync } from 'node:fs';

export interface PortfolioReference {
  readonly name: string;
  /** Equity before the first day, USD. */
  readonly capital: string;
  /** Result of each day, USD. */
  readonly nets: readonly string[];
  /** The market's return of each day. */
  readonly market: readonly (string | null)[];
  readonly expected: {
    readonly sharpe: string | null;
    readonly sortino: string | null;
    readonly calmar: string | null;
    readonly volatility: string | null;
    readonly valueAtRisk95: string | null;
    readonly expectedShortfall95: string | null;
    readonly beta: string | null;
    readonly ulcerIndex: string | null;
    /** Days by number. */
    readonly maxDrawdown: {
      readonly value: string;
      readonly pct: string;
      readonly from: number | null;
      readonly to: number | null;
      readonly recoveredAt: number | null;
    } | null;
    /** Figures of the last seven days. */
    readonly rolling: {
      readonly sharpe: string | null;
      readonly sortino: string | null;
      readonly volatility: string | null;
    } | null;
  };
}

export function portfolioReferences(): readonly PortfolioReference[] {
  return JSON.parse(readFileSync(new URL('../data/portfolio-references.json', import.meta.url), 'utf8'));
}
