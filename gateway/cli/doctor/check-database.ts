import { existsSync } from 'node:fs';
import { databaseFile } from '../../config.ts';
import { openHandle, type SqliteHandle, type SqlValue } from '../../store/file/sqlite-handle.ts';
import { timestampOf } from '../../store/migrations/schema-migration.ts';
import { MIGRATIONS } from '../../store/migrations/steps.ts';
import { type Finding, findingsOf, messageOf } from './finding.ts';

const { bad, fine } = findingsOf('database');

/** Schema version that this program brings a file to. */
function newestVersion(): number {
  return Math.max(...MIGRATIONS.map((migration) => migration.version));
}

/**
 * Time of the newest migration, epoch ms: no correct clock of a machine that runs this program can be before it.
 */
export function newestSchemaTime(): number {
  return Math.max(...MIGRATIONS.map(timestampOf));
}

/** Opens the file read-only, looks for damage, and compares its schema with the program's. Writes nothing. */
export async function checkDatabase(dataDir: string): Promise<Finding> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return fine('none yet; it is made at the first start');
  const restore = `restore a backup copy from ${dataDir}, or start with another folder: tandem start --data-dir <folder>`;
  let handle: SqliteHandle;
  try {
    handle = await openHandle(file, 'read-only');
  } catch (error) {
    return bad(`${file} does not open: ${messageOf(error)}`, `check its owner and mode: ls -l '${file}'`);
  }
  try {
    const damage = await only(handle, 'PRAGMA quick_check(1)');
    if (damage !== 'ok') return bad(`${file} is damaged: ${String(damage)}`, restore);
    const version = Number(await only(handle, 'PRAGMA user_version'));
    if (version > newestVersion()) {
      return bad(
        `${file} has schema ${version}, this program knows up to ${newestVersion()}`,
        'install the newer Tandem again',
      );
    }
    const pending = version < newestVersion() ? `, brought to ${newestVersion()} at the next start` : '';
    return fine(`opens, undamaged, schema ${version}${pending}`);
  } catch (error) {
    return bad(`${file} is damaged or no database: ${messageOf(error)}`, restore);
  } finally {
    await handle.close();
  }
}

/** The single value that a pragma answers. */
async function only(handle: SqliteHandle, pragma: string): Promise<SqlValue | undefined> {
  const [row] = await handle.all(pragma);
  return Object.values(row ?? {})[0];
}
