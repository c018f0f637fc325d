// Writes gateway/auth/common-passwords.ts anew from lists of passwords, one a line, the commonest first:
//   node build/common-passwords.mjs <list> …
// From each list come all of the first 10,000 passwords, and at least the first 5,000, that have the minimum length.
// The committed file comes from the ten million passwords that Mark Burnett published, and from the list of zxcvbn-ts.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../gateway/auth/common-passwords.ts', import.meta.url));
const LEAST_CHARS = 10;
const OF_EACH_LIST = 5_000;
/** Bytes of a hash: one in two hundred million of the other passwords is refused by mistake. */
const HASH_BYTES = 5;
const LINE_CHARS = 104;

const found = new Set();
for (const list of process.argv.slice(2)) {
  const lines = readFileSync(list, 'utf8')
    .split('\n')
    .map((line) => line.replace(/\r$/, '').normalize('NFKC').toLowerCase());
  const long = lines.filter((password) => password.length >= LEAST_CHARS);
  for (const password of long.slice(0, OF_EACH_LIST)) found.add(password);
}
const hashes = [...found]
  .map((password) => createHash('sha256').update(password).digest().subarray(0, HASH_BYTES))
  .sort(Buffer.compare);
const text = Buffer.concat(hashes).toString('base64');
const lines = text.match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')) ?? [];
writeFileSync(
  FILE,
  `/**
 * Made by build/common-passwords.mjs: the first ${HASH_BYTES} bytes of SHA-256 of ${found.size.toLocaleString('en')} common passwords of ${LEAST_CHARS} characters and
 * more, in lower case, sorted, as base64. All of the 10,000 commonest that are long enough are among them.
 */
export const HASH_BYTES = ${HASH_BYTES};

export const COMMON_PASSWORDS: string = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`,
);
