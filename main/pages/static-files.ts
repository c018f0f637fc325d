/**
 * The files of the dashboard, by a list that is read once: a file outside the list is not served, whatever the path
 * says.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface StaticFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

export interface StaticFiles {
  /** `assets/index-4f3a.js`; null: there is no such file. */
  read(name: string): Promise<StaticFile | null>;
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

export function staticFiles(folder: string): StaticFiles {
  let listing: Promise<ReadonlySet<string>> | null = null;
  return {
    async read(name) {
      listing ??= list(folder);
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (type === undefined || !(await listing).has(name)) return null;
      return { content: new Uint8Array(await readFile(join(folder, name))), type };
    },
  };
}

/**
 * Names of files, with `/` between the parts on every system. Without a dashboard the list is empty and the window says
 * so.
 */
async function list(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const walk = async (prefix: string): Promise<void> => {
    for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) await walk(`${name}/`);
      else if (entry.isFile()) found.add(name);
    }
  };
  await walk('').catch(() => undefined);
  return found;
}
