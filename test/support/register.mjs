import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// mocha loads a spec with require() first and falls back to import(): with require(ESM) on, tsx would
// hand out two instances of one module (one a loader), and `instanceof` and singletons would split.
Object.defineProperty(process.features, 'require_module', { value: false, configurable: true });
process.env.NODE_ENV = 'test';
// Programs that tests start know no live venue, unless the test says so.
process.env.TANDEM_LIVE ??= 'off';

// Where npm was to run no scripts there is no binary of the database's driver yet.
if (createRequire(import.meta.url)('../../build/fresh.cjs').lacksSqliteBinary()) {
  const native = fileURLToPath(new URL('../../build/native.cjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [native], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
