/** Search for an instrument by typed text: its ticker first, then its id. */
export interface Choice {
  readonly id: string;
  /** Ticker of the instrument. */
  readonly symbol: string;
}

/**
 * Matches, best first: whole ticker, start of the ticker, start of the id, anywhere. For an empty text, all instruments
 * in their order.
 */
export function searchInstruments<T extends Choice>(instruments: readonly T[], text: string): readonly T[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return instruments;
  return instruments
    .map((instrument, index) => ({ instrument, index, rank: rankOf(instrument, wanted) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ instrument }) => instrument);
}

const NO_MATCH = 5;

function rankOf({ id, symbol }: Choice, wanted: string): number {
  const [ticker, name] = [symbol.toLowerCase(), id.toLowerCase()];
  if (ticker === wanted || name === wanted) return 0;
  if (ticker.startsWith(wanted)) return 1;
  if (name.startsWith(wanted)) return 2;
  if (ticker.includes(wanted)) return 3;
  return name.includes(wanted) ? 4 : NO_MATCH;
}
