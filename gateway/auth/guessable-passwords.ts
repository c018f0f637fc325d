/**
 * Passwords that an attacker tries first: the commonest passwords, and those made of words about the user or the
 * program. The list of common passwords is loaded on first use, so that no start waits for it.
 */
import { hash } from 'node:crypto';

/** The program's own words that people build passwords on; the caller adds the user's. */
const OWN_WORDS = ['tandem', 'gateway', 'trading', 'password', 'passphrase'];
/** Shorter words are ignored: many passwords contain them by chance. */
const LEAST_WORD_CHARS = 4;
/** Minimum number of letters that must remain when a password's guessable words are removed. */
const LEAST_LETTERS_LEFT = 3;

/** Common form of a text: compatibility forms and letter case do not make a password harder to guess. */
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

/** True: the password repeats one piece of up to four characters, as `1111111111` and `abcabcabcabc` do. */
function isRepeated(password: string): boolean {
  return /^(.{1,4}?)\1+$/su.test(password);
}

function isOfWords(password: string, words: readonly string[]): boolean {
  let left = password;
  for (const word of words) if (word.length >= LEAST_WORD_CHARS) left = left.replaceAll(word, ' ');
  return left !== password && (left.match(/\p{L}/gu)?.length ?? 0) < LEAST_LETTERS_LEFT;
}

/** Words of e-mail and name: `ada.lovelace@example.org` has `ada.lovelace`, `lovelace` and `example`. */
function wordsOf(about: readonly (string | null)[]): string[] {
  const whole = about.flatMap((text) => (text === null ? [] : [folded(text)]));
  // Longest words first: removing a short word first would leave pieces of the longer words that contain it.
  return [
    ...whole,
    ...whole.flatMap((text) => text.split('@')),
    ...whole.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)),
  ]
    .concat(OWN_WORDS)
    .sort((a, b) => b.length - a.length);
}

/** @param about e-mail address and name of the user of the password */
export async function isGuessable(password: string, about: readonly (string | null)[]): Promise<boolean> {
  const typed = folded(password);
  return isRepeated(typed) || isOfWords(typed, wordsOf(about)) || (await isCommon(typed));
}
