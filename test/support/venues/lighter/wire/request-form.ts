/** Fields of a form that was posted, as multipart/form-data or urlencoded; null: it is neither. */

export function readForm(contentType: string, body: string): Map<string, string> | null {
  const [kind = ''] = contentType.toLowerCase().split(';');
  if (kind.trim() === 'application/x-www-form-urlencoded') return new Map(new URLSearchParams(body));
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (kind.trim() !== 'multipart/form-data' || boundary === undefined) return null;
  const fields = new Map<string, string>();
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /name="([^"]*)"/i.exec(part.slice(0, end))?.[1];
    if (end < 0 || name === undefined) return null;
    fields.set(name, part.slice(end + 4).replace(/\r\n$/, ''));
  }
  return fields;
}
