// Counts lines of the repository that are written by hand: `npm run lines`. Generated files are not in it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const WRITTEN = /\.(ts|tsx|mts|cts|js|mjs|cjs|css|html|py|sh)$/;
const PARTS = { product: ['gateway', 'renderer'], 'desktop and build': ['main', 'build'], tests: ['test'] };

for (const [part, folders] of Object.entries(PARTS)) {
  const counts = folders.map((folder) => {
    const paths = execFileSync('git', ['ls-files', folder], { cwd: ROOT, encoding: 'utf8' }).split('\n');
    return paths
      .filter((path) => WRITTEN.test(path))
      .reduce((sum, path) => sum + readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1, 0);
  });
  const all = counts.reduce((sum, one) => sum + one, 0);
  console.log(`${part}: ${all} lines (${folders.map((folder, at) => `${folder} ${counts[at]}`).join(', ')})`);
}
