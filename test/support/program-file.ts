/** Programs that tests start. `node test/run.mjs` has compiled them, so that Node needs no tsx, which takes 2 s of processor time. */
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Path of the compiled JavaScript. @param source URL of the TypeScript file */
export function programFile(source: URL): string {
  const path = relative(ROOT, fileURLToPath(source));
  return join(ROOT, 'dist', 'test', path.replace(/\.ts$/, '.js'));
}
