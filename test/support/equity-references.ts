/** Sampled histories with metrics computed independently; `test/data/equity-references.py` has the derivation. */
import { readFileSync } from 'node:fs';
import type { PortfolioReference } from './portfolio-references.ts';

export interface EquityReference {
  readonly name: string;
  /** Equity before the first day, USD. */
  readonly capital: string;
  readonly days: readonly {
    /** Realised, net of fees and funding, USD. */
    readonly net: string;
    readonly samples: readonly {
      /** Minute of the day. */
      readonly minute: number;
      readonly deposits: string;
      readonly pnl: string;
      readonly unrealized: string;
    }[];
  }[];
  readonly series: readonly {
    readonly equity: string;
    readonly net: string;
    readonly unrealized: string;
    /** Paid in that day. */
    readonly came: string;
    readonly basis: 'MARKED' | 'REALIZED';
  }[];
  readonly returns: readonly string[];
  readonly expected: Omit<PortfolioReference['expected'], 'beta' | 'rolling'>;
}

export function equityReferences(): readonly EquityReference[] {
  return JSON.parse(readFileSync(new URL('../data/equity-references.json', import.meta.url), 'utf8'));
}
