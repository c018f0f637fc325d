// node:fs with globSync, which Node 20 has not and the conformance suite imports by name.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export * from 'node:fs';

/** Knows `*` and `**`. */
export function globSync(pattern, { cwd = process.cwd() } = {}) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '(.+/)?')
    .replace(/(?<!\.)\*/g, '[^/]*');
  const wanted = new RegExp(`^${source}$`);
  return readdirSync(cwd, { recursive: true })
    .map((name) => join(String(name)))
    .filter((name) => wanted.test(name));
}
