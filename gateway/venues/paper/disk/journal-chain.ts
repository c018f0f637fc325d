/** Running hash over all journal entries ever written; each entry's hash includes the previous hash. */
import { createHash } from 'node:crypto';

export function chained(hash: string, line: string | Uint8Array): string {
  return createHash('sha256').update(hash).update(line).digest('hex');
}
