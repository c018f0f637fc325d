import { withoutHidden } from '../contract/plain-text.ts';

/** Cleans texts of strangers: removes characters that hide text or turn its direction, and cuts long ones. */
const MAX_CHARS = 200;

export function untrusted(text: string, most = MAX_CHARS): string {
  return [...withoutHidden(text)].slice(0, most).join('');
}
