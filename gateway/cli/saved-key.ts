/** The command line's own API key: from the environment, or from `cli.json` in the data folder. Never from argv. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../system/atomic-file.ts';
import { verifyDataFolder } from '../system/data-folder.ts';
import { CliError } from './cli-error.ts';

const savedKey = z.strictObject({ apiKey: z.string().regex(/^tdm_[A-Za-z0-9_-]{43}$/) });

/** @throws CliError where another user could read, or has put, a key */
function savedKeyPath(dataDir: string): string {
  const folder = verifyDataFolder(dataDir);
  if (!folder.ok) throw new CliError(folder.error);
  return join(dataDir, 'cli.json');
}

/** null: there is no key. Throws CliError when the file is there and damaged, or in a folder of another user. */
export function findApiKey(
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
): string | null {
  const fromEnvironment = env['TANDEM_API_KEY'];
  if (fromEnvironment) return fromEnvironment.trim();
  const file = env['TANDEM_API_KEY_FILE'];
  if (file) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new CliError(
        `TANDEM_API_KEY_FILE: ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const path = savedKeyPath(dataDir);
  let raw: string;
  try {
    raw = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null;
    throw new CliError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return savedKey.parse(JSON.parse(raw)).apiKey;
  } catch {
    throw new CliError(`${path} is damaged; write it anew with: tandem keys create --save`);
  }
}

/** Replaces the saved key; mode 0600. Returns the file's path. */
export async function saveApiKey(dataDir: string, apiKey: string): Promise<string> {
  const path = savedKeyPath(dataDir);
  await writeFileAtomically(path, `${JSON.stringify({ apiKey }, null, 2)}\n`, 0o600);
  return path;
}
