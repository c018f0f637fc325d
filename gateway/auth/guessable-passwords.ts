/**
 * Passwords that somebody who guesses tries first: the commonest ones, and those made of words about this very user or
 * program. The list is loaded on first use, so that no start waits for it.
 */
import { hash } from 'node:crypto';

/** Words of the program that people build passwords on; what the user's own are, is asked. */
const OWN_WORDS = ['tandem', 'gateway', 'trading', 'password', 'passphrase'];
/** A shorter word is in many passwords by chance. */
const LEAST_WORD_CHARS = 4;
/** What must be left of a password without the words, counting letters only. */
const LEAST_LETTERS_LEFT = 3;

/** As people type it: compatibility forms and upper and lower case make no new password for who guesses. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

async function isCommon(password: string): Promise<boolean> {
  const { COMMON_PASSWORDS, HASH_BYTES } = await import('./common-passwords.ts');
  const sorted = Buffer.from(COMMON_PASSWORDS, 'base64');
  const wanted = hash('sha256', password, 'buffer').subarray(0, HASH_BYTES);
  let from = 0;
  let to = sorted.length / HASH_BYTES;
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = sorted.compare(wanted, 0, HASH_BYTES, middle * HASH_BYTES, (middle + 1) * HASH_BYTES);
    if (order === 0) return true;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** One piece of up to four characters, again and again: `1111111111`, `abcabcabcabc`. */
function isRepeated(password: string): boolean {
  return /^(.{1,4}?)\1+$/su.test(password);
}

function isOfWords(password: string, words: readonly string[]): boolean {
  let left = password;
  for (const word of words) if (word.length >= LEAST_WORD_CHARS) left = left.replaceAll(word, ' ');
  return left !== password && (left.match(/\p{L}/gu)?.length ?? 0) < LEAST_LETTERS_LEFT;
}

/** What the user calls itself: of `ada.lovelace@example.org` also `ada.lovelace`, `lovelace` and `example`. */
function wordsOf(about: readonly (string | null)[]): string[] {
  const whole = about.flatMap((text) => (text === null ? [] : [folded(text)]));
  // The longest first: a word in a word would leave pieces of it.
  return [
    ...whole,
    ...whole.flatMap((text) => text.split('@')),
    ...whole.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)),
  ]
    .concat(OWN_WORDS)
    .sort((a, b) => b.length - a.length);
}

/** @param about e-mail address and name of the user whose password it will be */
export async function isGuessable(password: string, about: readonly (string | null)[]): Promise<boolean> {
  const typed = folded(password);
  return isRepeated(typed) || isOfWords(typed, wordsOf(about)) || (await isCommon(typed));
}
