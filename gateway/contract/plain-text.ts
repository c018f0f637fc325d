/**
 * The characters that a text of a person or a stranger may not hold, in one place: control characters (ESC, CR, LF), line and
 * paragraph separators, lone surrogates, and what is not seen: formatting characters, which hide or turn the direction of text
 * (U+202E), fillers and blanks (U+3164, U+2800). Joiners and variation selectors stay where a script or an emoji needs them.
 */
import { z } from 'zod';

/** Scripts that are written with the joiners U+200C and U+200D (Unicode 15, 23.2). */
const JOINED = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const PICTURE = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}';
/** Hidden characters that are needed where they stand. */
const NEEDED = [
  `(?<=[${JOINED}])[\\u200c\\u200d]`,
  `(?<=[${PICTURE}])[\\ufe0e\\ufe0f]`,
  `(?<=[${PICTURE}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
].join('|');
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffc';
const HIDDEN = new RegExp(`(?!${NEEDED})[${UNSEEN}]`, 'u');
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
