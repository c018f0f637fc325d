/** The running hash over all entries ever, each chained to the one before. */
import { createHash } from 'node:crypto';

export function chained(hash: string, line: string | Uint8Array): string {
  return createHash('sha256').update(hash).update(line).digest('hex');
}
