import type { Clock } from '../../engine/ports/system.ts';
import type { LockHolder } from '../../system/data-folder-lock.ts';
import { CliError, usage } from '../cli-error.ts';
import { type Command, DATA_DIR_FLAG, JSON_FLAG, printAnswer } from '../command.ts';
import { folderHolder } from '../folder-holder.ts';
import { startProgress } from '../progress.ts';
import { askForProof } from '../proven-connection.ts';
import { dataDirFor } from '../reach-gateway.ts';

const POLL_MS = 100;
/** A stop ends within 10 seconds. */
const PATIENCE_MS = 15_000;

export const command: Command = {
  usage: 'stop',
  about: [
    'Stops the gateway that runs on the data folder, and waits until it has ended.',
    'Orders that are under way may end; what waits goes on after the next start. Positions stay open.',
  ],
  flags: [DATA_DIR_FLAG, JSON_FLAG],
  words: [0, 0],
  async run(context) {
    const { clock, terminal } = context;
    const dataDir = dataDirFor(context);
    const holder = folderHolder(dataDir);
    if (holder === null) {
      printAnswer(context, { stopped: null }, () => terminal.out(`No gateway runs on ${dataDir}.`));
      return 0;
    }
    if (holder.pid === process.pid) throw usage('this process is the gateway itself');
    await proveHolder(holder, clock);
    try {
      process.kill(holder.pid, 'SIGTERM');
    } catch (error) {
      throw new CliError(`the gateway (pid ${holder.pid}) cannot be stopped: ${String(error)}`);
    }
    const progress = startProgress(terminal, clock, 'stopping');
    const until = clock.now() + PATIENCE_MS;
    try {
      while (folderHolder(dataDir)?.token === holder.token) {
        if (clock.now() > until) throw new CliError(`the gateway (pid ${holder.pid}) does not end`);
        await clock.sleep(POLL_MS);
      }
    } finally {
      progress.done();
    }
    printAnswer(context, { stopped: holder.pid }, () => terminal.out(`Stopped (pid ${holder.pid}).`));
    return 0;
  },
};

/**
 * @throws CliError where another program answers at the gateway's address. A gateway that starts or is frozen proves
 * nothing; its process is named by a lock that only this user can have written.
 */
async function proveHolder({ pid, url, token }: LockHolder, clock: Clock): Promise<void> {
  if (url === null) return;
  const { hostname: host, port } = new URL(url);
  if ((await askForProof({ host, port: Number(port) }, token, clock)) === 'refuted')
    throw new CliError(
      `whoever answers at ${url} does not prove to be your gateway, so the process ${pid} that its lock names was not stopped`,
    );
}
