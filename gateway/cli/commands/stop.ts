import { dataFolderHolder } from '../../system/data-folder-lock.ts';
import { CliError, usage } from '../cli-error.ts';
import { type Command, DATA_DIR_FLAG, JSON_FLAG, printAnswer } from '../command.ts';
import { startProgress } from '../progress.ts';
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
    const holder = dataFolderHolder(dataDir);
    if (holder === null) {
      printAnswer(context, { stopped: null }, () => terminal.out(`No gateway runs on ${dataDir}.`));
      return 0;
    }
    if (holder.pid === process.pid) throw usage('this process is the gateway itself');
    try {
      process.kill(holder.pid, 'SIGTERM');
    } catch (error) {
      throw new CliError(`the gateway (pid ${holder.pid}) cannot be stopped: ${String(error)}`);
    }
    const progress = startProgress(terminal, clock, 'stopping');
    const until = clock.now() + PATIENCE_MS;
    try {
      while (dataFolderHolder(dataDir)?.token === holder.token) {
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
