/** Texts that strangers wrote: what could hide in them, or turn the reading direction, is taken out, and they are cut. */
const MAX_CHARS = 200;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

export function untrusted(text: string, most = MAX_CHARS): string {
  const shown = text.replace(HIDDEN, ' ').replace(/\s+/gu, ' ').trim();
  return [...shown].slice(0, most).join('');
}
