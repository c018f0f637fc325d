/** Live venues at which `tandem venue check --order` has found that orders do what they should. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { databaseFile } from '../../config.ts';
import { openHandle } from '../../store/file/sqlite-handle.ts';
import { type Finding, findingsOf } from './finding.ts';

const { fine } = findingsOf('live venues');
const PREFIX = 'venue-proof:';
const proof = z.object({ at: z.number(), version: z.string(), override: z.string().nullable() });

export async function checkVenues(dataDir: string): Promise<Finding> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return fine('none used yet');
  const handle = await openHandle(file, 'read-only');
  try {
    const rows = await handle.all(`SELECT key, value FROM settings WHERE key LIKE '${PREFIX}%' ORDER BY key`);
    const proven = rows.flatMap(({ key, value }) => {
      const kept = proof.safeParse(JSON.parse(String(value)));
      if (!kept.success) return [];
      const { at, version, override } = kept.data;
      const where = override === null ? '' : ', on an override';
      return [
        `${String(key).slice(PREFIX.length)} ${new Date(at).toISOString().slice(0, 10)} by version ${version}${where}`,
      ];
    });
    const how = 'tandem venue check <connector> --testnet --order';
    return fine(
      proven.length === 0 ? `orders not proven anywhere: ${how}` : `orders proven: ${proven.join('; ')}`,
    );
  } finally {
    await handle.close();
  }
}
