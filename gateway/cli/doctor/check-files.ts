/** Check: the files of the data folder belong together. Repairs them where that is safe. */
import { existsSync } from 'node:fs';
import { examineFolder, mendOf, REPAIRS, type Repair } from '../../folder/examine-folder.ts';
import { findMove } from '../../folder/folder-home.ts';
import { repairFolder } from '../../folder/repair-folder.ts';
import { dataFolderHolder } from '../../system/data-folder-lock.ts';
import { paper } from '../../venues/paper/connector.ts';
import { CliError, usage } from '../cli-error.ts';
import { folderHolder } from '../folder-holder.ts';
import { type Finding, findingsOf } from './finding.ts';

const { bad, fine } = findingsOf('data files');

export async function checkFiles(dataDir: string): Promise<Finding> {
  if (!existsSync(dataDir)) return fine('none yet');
  if (dataFolderHolder(dataDir) !== null) return fine('in use by the running gateway, which has looked');
  const fault = await examineFolder(dataDir, paper.connectors, { thorough: true });
  if (fault !== null) return bad(fault.what, mendOf(fault));
  const move = await findMove(dataDir, false);
  return move === null ? fine('belong together') : bad(move.what, move.mend);
}

/** Resolves with one sentence for each repair. */
export async function repairFiles(
  dataDir: string,
  repair: string | undefined,
  now: number,
): Promise<readonly string[]> {
  if (repair === undefined || !isRepair(repair))
    throw usage(`--repair takes one of ${Object.keys(REPAIRS).join(', ')}`);
  const holder = folderHolder(dataDir);
  if (holder !== null)
    throw new CliError(
      `a gateway (pid ${holder.pid}) runs on ${dataDir}; stop it before its files are repaired`,
    );
  const done = existsSync(dataDir) ? await repairFolder(dataDir, paper.connectors, repair, now) : [];
  return done.length > 0 ? done : [`There is nothing in ${dataDir} that --repair ${repair} is for.`];
}

function isRepair(word: string): word is Repair {
  return Object.hasOwn(REPAIRS, word);
}
