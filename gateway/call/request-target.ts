/** The path and query of a request line, in both forms that a client may send. */

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([^#]*)/i;

/** `host:port` of an absolute-form target (RFC 9112 §3.2.2), null for the usual origin form. */
export function targetAuthority(url: string): string | null {
  if (url.charCodeAt(0) === 47) return null;
  return ABSOLUTE_FORM.exec(url)?.[1] ?? null;
}

/** Path and query of the target; anything that is neither form (`*`) comes back as it is and matches no route. */
export function originForm(url: string): string {
  if (url.charCodeAt(0) === 47) return url;
  const rest = ABSOLUTE_FORM.exec(url)?.[2];
  if (rest === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
