// Builds of pages are written to a folder beside their place and swapped in whole, so that a gateway that serves a page
// meanwhile never finds half of it.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Folder beside `target` that this process builds into. */
export const draftOf = (target) => `${target}.${process.pid}`;

/** @param page file that a whole build has */
export function swapWhenDone(target, page) {
  return {
    name: 'swap-when-done',
    closeBundle() {
      const draft = draftOf(target);
      // Vite calls the hook also after a build that failed, or that wrote elsewhere.
      if (!existsSync(join(draft, page))) return;
      const old = `${draft}.old`;
      if (existsSync(target)) renameSync(target, old);
      renameSync(draft, target);
      rmSync(old, { recursive: true, force: true });
    },
  };
}
