/**
 * The characters that a text of a person or a stranger may not hold, in one place: control characters (ESC, CR, LF), line and
 * paragraph separators, lone surrogates, and formatting characters, which hide or turn the direction of text (U+202E). The
 * joiners U+200C and U+200D are needed in writing and stay.
 */
import { z } from 'zod';

const HIDDEN = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
const ALL_HIDDEN = new RegExp(`(?:${HIDDEN.source})+`, 'gu');
/** A character that can be seen: no space, formatting character or unassigned code point. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

export const hasHidden = (text: string): boolean => HIDDEN.test(text);
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** The text with a space for hidden characters. */
export function blankHidden(text: string): string {
  return text.replace(ALL_HIDDEN, ' ');
}

/** As `blankHidden`, trimmed, with one space for several: for who cannot be asked to send another text. */
export function withoutHidden(text: string): string {
  return blankHidden(text).replace(/\s+/gu, ' ').trim();
}

export const NO_HIDDEN = 'Must have visible characters only: no control characters, no changes of direction';
export const NOT_VISIBLE = 'Must have a visible character';

/** Input: a name of an account, a key or a destination. Trimmed. */
export function nameInput(most: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => !hasHidden(text), NO_HIDDEN)
    .refine((text) => text === '' || isVisible(text), NOT_VISIBLE);
}
