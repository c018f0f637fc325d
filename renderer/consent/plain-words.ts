/** Contents of a request as text for a person. The names and addresses come from strangers. */
import type { InteractionBody } from '../../gateway/contract/oauth.ts';

const LONGEST_NAME = 80;

/** A name without characters that hide, reorder or break text. */
export function shownName({ clientId, clientName }: InteractionBody['client']): string {
  const clean = clientName
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...(clean === '' ? clientId : clean)];
  return characters.length <= LONGEST_NAME
    ? characters.join('')
    : `${characters.slice(0, LONGEST_NAME).join('')}…`;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Host and port of the redirect URI (the default port included), and the kind of program that answers there. */
export function shownAddress(redirectUri: string): { readonly host: string; readonly kind: string } {
  const { hostname, port, protocol } = new URL(redirectUri);
  const usual = protocol === 'https:' ? '443' : '80';
  return {
    host: `${hostname}:${port === '' ? usual : port}`,
    kind: LOOPBACK.includes(hostname) ? 'a program on this computer' : 'a server, not this computer',
  };
}

export type Account = NonNullable<InteractionBody['prompt']['details']['account']>;

export function shownAccount({ email, walletAddress }: Account): string {
  return email ?? walletAddress ?? 'this gateway’s user';
}

export function shownTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "3 days ago". @param at ISO 8601 */
export function sinceWords(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1_000;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}
