/**
 * Generations of a venue's records. Orders and trades are numbered, and history cursors count; a journal that was
 * emptied or removed from outside takes the latest numbers with it. Each such loss begins a generation, whose name is
 * part of the ids and cursors given out from then on, so that none is issued twice. Folders of earlier versions
 * continue in a first generation without a name.
 */
import { createHash } from 'node:crypto';

export interface Generation {
  /** Eight hexadecimal digits; '' for the first generation of a folder of earlier versions. */
  readonly name: string;
  /** History items per account when the generation began. */
  readonly history: Readonly<Record<string, number>>;
}

export type IdKind = 'order' | 'trade';

/**
 * How a trade id relates to this venue: issued by it; beyond the last number it issued; or of an unknown generation.
 */
export type Standing = 'issued' | 'ahead' | 'foreign';

const LETTERS: Readonly<Record<IdKind, string>> = { order: 'o', trade: 't' };
const CURSOR = /^(?:([0-9a-f]{8})\.)?(\d{1,15})$/;

/** Name made of the folder's seed and the moment, so that equal runs issue equal ids. @param at epoch ms */
export function generationName(seed: number, at: number, sequence: number): string {
  return createHash('sha256').update(`${seed}:${at}:${sequence}`).digest('hex').slice(0, 8);
}

export function issuedId(connector: string, kind: IdKind, generation: string, number: number): string {
  return `${connector}-${LETTERS[kind]}${generation === '' ? '' : `${generation}.`}${number}`;
}

/** null: not a trade id of this connector. @param sequence the last number issued */
export function standingOf(
  tradeId: string,
  connector: string,
  generations: readonly Generation[],
  sequence: number,
): Standing | null {
  const prefix = `${connector}-${LETTERS.trade}`;
  if (!tradeId.startsWith(prefix)) return null;
  // The trade id of each part of a liquidation that was spread over several positions ends in `#` and a number.
  const [, name = '', number] = tradeId.slice(prefix.length).replace(/#\d+$/, '').match(CURSOR) ?? [];
  if (number === undefined) return null;
  const index = generations.findIndex((generation) => generation.name === name);
  if (index < 0) return 'foreign';
  return index < generations.length - 1 || Number(number) <= sequence ? 'issued' : 'ahead';
}

export function cursorText(generations: readonly Generation[], item: number): string {
  const name = generations.at(-1)?.name ?? '';
  return name === '' ? String(item) : `${name}.${item}`;
}

/**
 * History item at which a cursor continues. A cursor of an earlier generation continues at the end of that generation
 * at the latest, so that no item of the next one is left out; a cursor of a generation that is not on record begins
 * anew. null: the text is not a cursor.
 */
export function cursorItem(
  cursor: string | null,
  account: string,
  generations: readonly Generation[],
): number | null {
  if (cursor === null) return 0;
  const [, name = '', digits] = cursor.match(CURSOR) ?? [];
  if (digits === undefined) return null;
  const item = Number(digits);
  const index = generations.findIndex((generation) => generation.name === name);
  if (index < 0) return generations.length === 0 ? item : 0;
  const next = generations[index + 1];
  return next === undefined ? item : Math.min(item, next.history[account] ?? 0);
}
