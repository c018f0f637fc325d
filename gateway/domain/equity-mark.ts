/** An equity sample as a point on the equity curve of one source of results, or of all trading. */
import { type Atto, atto } from './atto.ts';
import type { DecimalString } from './decimal.ts';
import type { EquitySample, HistorySource } from './portfolio.ts';

export interface EquityMark {
  readonly at: number;
  /** Deposits of all time. */
  readonly deposits: Atto;
  /** Deposits since the previous sample. */
  readonly flow: Atto;
  /** Result of all time: realised PnL − fees + funding + unrealised PnL. */
  readonly pnl: Atto;
  readonly unrealized: Atto;
}

/** A mark as a point of the index, for which its unrealised part does not count. */
export type PathMark = Omit<EquityMark, 'unrealized'>;

/** @param source null: all trading */
export function markOf(sample: EquitySample, source: HistorySource | null): EquityMark {
  const { gatewayUnrealized, externalUnrealized } = sample;
  return { ...pathMarkOf(sample, source), unrealized: sumOf(source, gatewayUnrealized, externalUnrealized) };
}

export function pathMarkOf(sample: EquitySample, source: HistorySource | null): PathMark {
  const { at, deposits, flow, gatewayPnl, externalPnl } = sample;
  return {
    at,
    deposits: atto(deposits),
    flow: atto(flow),
    pnl: sumOf(source, gatewayPnl, externalPnl),
  };
}

/** @param rows time, deposits, flow, gateway PnL and external PnL of each sample, oldest first */
export function pathMarksOf(
  rows: readonly (readonly [number, DecimalString, DecimalString, DecimalString, DecimalString])[],
  source: HistorySource | null,
): readonly PathMark[] {
  let paid = { text: '0', amount: 0n };
  return rows.map(([at, deposits, flow, gatewayPnl, externalPnl]) => {
    // Deposits seldom change, and reading decimals is most of the cost of ten thousand samples.
    if (deposits !== paid.text) paid = { text: deposits, amount: atto(deposits) };
    return { at, deposits: paid.amount, flow: atto(flow), pnl: sumOf(source, gatewayPnl, externalPnl) };
  });
}

function sumOf(source: HistorySource | null, gateway: DecimalString, external: DecimalString): Atto {
  return (source === 'external' ? 0n : atto(gateway)) + (source === 'gateway' ? 0n : atto(external));
}
