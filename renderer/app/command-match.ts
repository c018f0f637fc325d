/** Commands that match the typed text, the likeliest first. */

export interface Findable {
  /** Name as the palette shows it. */
  readonly name: string;
  /** Further words that find the command: an instrument's id. */
  readonly words?: string | undefined;
}

/** Rank of a match, lower is likelier; null: no match. Each typed word has to occur somewhere, in any order. */
function rankOf({ name, words = '' }: Findable, typed: readonly string[]): number | null {
  const text = `${name} ${words}`.toLowerCase();
  let rank = 0;
  for (const word of typed) {
    const at = text.indexOf(word);
    if (at === -1) return null;
    // Match at the beginning, at the beginning of a word, or within a word.
    rank += at === 0 ? 0 : /[\s-]/.test(text[at - 1] ?? '') ? 1 : 2;
  }
  return rank;
}

/** A pair is written with a slash as well as without one. */
function wordsOf(typed: string): readonly string[] {
  return typed
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
}

/**
 * The pair that two typed tickers name, in their order: `sol eth`, `SOL/ETH`. Each word has to be a whole ticker, because
 * the beginning of one is a search for something else. null: they name none.
 */
export function pairOf<T extends { readonly id: string; readonly symbol: string }>(
  instruments: readonly T[],
  typed: string,
): readonly [T, T] | null {
  const words = wordsOf(typed);
  const [long, short] = words.map((word) =>
    instruments.find(({ id, symbol }) => symbol.toLowerCase() === word || id.toLowerCase() === word),
  );
  if (words.length !== 2 || long === undefined || short === undefined || long === short) return null;
  return [long, short];
}

/** The best matches, at most `most`; equally good ones keep their order. */
export function matching<T extends Findable>(
  commands: readonly T[],
  typed: string,
  most: number,
): readonly T[] {
  const words = wordsOf(typed);
  if (words.length === 0) return commands.slice(0, most);
  return commands
    .flatMap((command) => {
      const rank = rankOf(command, words);
      return rank === null ? [] : [{ command, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ command }) => command);
}
