/** Waits while a gateway starts on the data folder, so that a command right after `tandem start` finds it. */
import type { CommandContext } from './command.ts';
import { folderHolder } from './folder-holder.ts';
import { dataDirFor } from './reach-gateway.ts';

const PATIENCE_MS = 30_000;
const POLL_MS = 100;

/**
 * Resolves when the gateway of the data folder serves, has ended, or has not served within 30 seconds; at once where
 * none starts, or where the command names a gateway on another machine.
 */
export async function waitWhileStarting(context: CommandContext): Promise<void> {
  const { clock, env, flags, interrupted, terminal } = context;
  const named = flags.texts.get('--url') ?? env['TANDEM_URL'];
  if (named?.startsWith('https:') === true) return;
  const dataDir = dataDirFor(context);
  const starting = folderHolder(dataDir);
  if (starting === null || starting.url !== null) return;
  terminal.err(
    `tandem: the gateway (pid ${starting.pid}) is starting: waiting for it, up to ${PATIENCE_MS / 1_000} s`,
  );
  const until = clock.now() + PATIENCE_MS;
  while (clock.now() < until && !interrupted.aborted) {
    const holder = folderHolder(dataDir);
    if (holder === null || holder.url !== null) return;
    await clock.sleep(POLL_MS);
  }
}
