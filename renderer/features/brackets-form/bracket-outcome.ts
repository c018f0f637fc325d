/** Meaning of a bracket in dollars and as a level of the chart. */
import { bracketGain, bracketLevel, type EntryFacts } from '../ratio-chart/levels.ts';
import { type BracketDraft, transformOf } from './bracket-draft.ts';
import type { BracketSide } from './bracket-text.ts';

export interface BracketOutcome {
  /** Gain or loss before fees, a fraction of the gross notional, signed; null: not known. */
  readonly share: number | null;
  /** The same in USD, signed; null: not known. */
  readonly usd: string | null;
  /** Level of the subject; null: not known. */
  readonly level: string | null;
}

/** Outcome of a typed bracket, for display only; null: it is off, or its text is not a number. */
export function bracketOutcome(
  side: BracketSide,
  draft: Pick<BracketDraft, 'isOn' | 'type' | 'value' | 'transformed'>,
  facts: EntryFacts,
): BracketOutcome | null {
  const value = draft.value.trim();
  if (!draft.isOn || value === '' || !Number.isFinite(Number(value))) return null;
  const kind = side === 'takeProfit' ? 'take-profit' : 'stop-loss';
  const bracket = { type: draft.type, value, ...transformOf(draft) };
  const share = bracketGain(kind, bracket, facts);
  const level = bracketLevel(kind, bracket, facts)?.value ?? null;
  const usd = share === null || facts.gross === null ? null : (share * facts.gross).toFixed(2);
  return { share, usd, level };
}
