import { resolve } from 'node:path';
import { BackupError, makeBackup } from '../../folder/backup.ts';
import { CliError, usage } from '../cli-error.ts';
import { type Command, DATA_DIR_FLAG, JSON_FLAG, printAnswer } from '../command.ts';
import { onIdleFolder } from '../idle-folder.ts';

export const command: Command = {
  usage: 'backup <folder>',
  about: [
    'Copies the data folder to a new folder, with a checksum of every file. Stop the gateway first (tandem stop).',
    'Secrets that are in the keychain of the machine are not in it; the saved key of the command line is.',
  ],
  flags: [DATA_DIR_FLAG, JSON_FLAG],
  words: [1, 1],
  async run(context) {
    const target = resolve(context.flags.words[0] ?? '');
    if (context.flags.words[0] === '') throw usage('name a new folder for the backup');
    const made = await onIdleFolder(context, async (dataDir) => {
      try {
        const about = { version: context.version, now: context.clock.now() };
        return await makeBackup(dataDir, target, about);
      } catch (error) {
        throw error instanceof BackupError ? new CliError(error.message) : error;
      }
    });
    const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0);
    printAnswer(context, { backup: target, files: made.files.length, bytes, createdAt: made.createdAt }, () =>
      context.terminal.out(`Backed up ${made.files.length} files (${bytes} bytes) to ${target}`),
    );
    return 0;
  },
};
