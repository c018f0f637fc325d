/**
 * The gateway of a benchmark's process, as its composition root makes it. Settings come from the environment as always;
 * `BENCH_STORE=uncommitted`: acknowledgements do not wait for the disk. The gateway ends when the pipe closes.
 */
import { homedir } from 'node:os';
import { loadSettings } from '../../gateway/config.ts';
import { createGateway } from '../../gateway/index.ts';
import { openStore, type StoreOptions } from '../../gateway/store/open-store.ts';
import { ensureDataFolder } from '../../gateway/system/data-folder.ts';

/** @returns the port that it listens on */
export async function runGateway(overrides: Parameters<typeof createGateway>[1] = {}): Promise<number> {
  const loaded = loadSettings({ argv: [], env: process.env, homedir: homedir(), platform: process.platform });
  if (!loaded.ok) throw new Error(loaded.error.join('; '));
  // Built into one file, the program has no file of test settings beside it.
  const settings = { ...loaded.value, heldRunner: process.env['TANDEM_HELD_RUNNER'] === 'true' };
  const folder = ensureDataFolder(settings.dataDir);
  if (!folder.ok) throw new Error(folder.error);
  const uncommitted = {
    openStore: (options: StoreOptions) => openStore({ ...options, commitMode: 'none' }),
  };
  const gateway = await createGateway(settings, {
    ...overrides,
    ...(process.env['BENCH_STORE'] === 'uncommitted' ? uncommitted : {}),
  });
  process.once('disconnect', () => void gateway.close().finally(() => process.exit(0)));
  return gateway.port;
}
