import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { BackupError, restoreBackup } from '../../folder/backup.ts';
import { CliError, usage } from '../cli-error.ts';
import {
  type Command,
  type CommandContext,
  DATA_DIR_FLAG,
  isOn,
  JSON_FLAG,
  printAnswer,
  YES_FLAG,
} from '../command.ts';
import { onIdleFolder } from '../idle-folder.ts';
import { dataDirFor } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'restore <folder>',
  about: [
    'Puts a backup in the place of what is in the data folder. Stop the gateway first (tandem stop).',
    'Every file is checked before anything moves. What was there is kept beside it, in a folder before-restore-….',
  ],
  flags: [YES_FLAG, DATA_DIR_FLAG, JSON_FLAG],
  words: [1, 1],
  async run(context) {
    const source = resolve(context.flags.words[0] ?? '');
    // Said before the question, whose answer would not help.
    await onIdleFolder(context, async () => undefined);
    await makeSure(context);
    const { manifest, replaced } = await onIdleFolder(context, async (dataDir) => {
      try {
        return await restoreBackup(dataDir, source, context.clock.now());
      } catch (error) {
        throw error instanceof BackupError ? new CliError(error.message) : error;
      }
    });
    const { createdAt, version } = manifest;
    printAnswer(context, { restored: source, createdAt, version, replaced }, () => {
      context.terminal.out(`Restored the backup of ${createdAt} (Tandem ${version}).`);
      if (replaced !== null) context.terminal.out(`What was there is in ${replaced}`);
    });
    return 0;
  },
};

async function makeSure(context: CommandContext): Promise<void> {
  const dataDir = dataDirFor(context);
  if (isOn(context, '--yes') || !existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  if (!context.terminal.canAsk)
    throw usage('the data folder is not empty: say --yes to replace what is in it');
  const said = await context.terminal.ask(`Replace what is in ${dataDir}? [y/N] `);
  if (!/^y(es)?$/i.test(said.trim())) throw new CliError('nothing was restored');
}
