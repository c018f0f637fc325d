import { withoutHidden } from '../contract/plain-text.ts';

/** Texts that strangers wrote: what could hide in them, or turn the reading direction, is taken out, and they are cut. */
const MAX_CHARS = 200;

export function untrusted(text: string, most = MAX_CHARS): string {
  return [...withoutHidden(text)].slice(0, most).join('');
}
