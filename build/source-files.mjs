import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of the project that hold code. */
export const CODE_FOLDERS = ['gateway', 'renderer', 'main', 'build', 'test'];

/**
 * Files below `folders` whose path matches `pattern`, installed packages left out.
 * @returns paths relative to `root`, with `/` on every system
 */
export function sourceFiles(root, folders, pattern) {
  const found = [];
  const queue = [...folders];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules') queue.push(path);
      if (entry.isFile() && pattern.test(path)) found.push(path);
    }
  }
  return found.sort();
}
