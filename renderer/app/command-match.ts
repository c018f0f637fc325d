/** Commands that match the typed text, the likeliest first. */

const WITHIN = 2;

export interface Findable {
  /** Name as the palette shows it. */
  readonly name: string;
  /** Further words that find the command: an instrument's id. */
  readonly words?: string | undefined;
}

/**
 * Place of each typed word in the name and words, in any order: 0 at the start, 1 at the start of a word, 2 within a
 * word; null: a typed word does not occur.
 */
function placesOf({ name, words = '' }: Findable, typed: readonly string[]): readonly number[] | null {
  const text = `${name} ${words}`.toLowerCase();
  const places: number[] = [];
  for (const word of typed) {
    const at = text.indexOf(word);
    if (at === -1) return null;
    places.push(at === 0 ? 0 : /[\s-]/.test(text[at - 1] ?? '') ? 1 : WITHIN);
  }
  return places;
}

/** Accepts a pair written with a slash as well as without one. */
function wordsOf(typed: string): readonly string[] {
  return typed
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
}

/**
 * The pair of two typed tickers, in their order: `sol eth`, `SOL/ETH`. Each word has to be a whole ticker, because the
 * start of a ticker is a search for something else. null: the words name no pair.
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
      const places = placesOf(command, words);
      return places === null ? [] : [{ command, rank: places.reduce((sum, place) => sum + place, 0) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ command }) => command);
}

/** Groups of matches in their order; groups that match only in the middle of words come last. */
export function likelierFirst<T extends { readonly commands: readonly Findable[] }>(
  groups: readonly T[],
  typed: string,
): readonly T[] {
  const words = wordsOf(typed);
  const isFar = ({ commands }: T) =>
    commands.every((command) => placesOf(command, words)?.includes(WITHIN) ?? false);
  return [...groups.filter((group) => !isFar(group)), ...groups.filter(isFar)];
}
