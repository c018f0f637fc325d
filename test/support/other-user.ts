/** Programs of another user of this machine. Only root can start them, so tests that need them are skipped elsewhere. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Users that a machine has without being told; their numbers need no name. */
export const STRANGER = 61_234;
export const FRIEND = 61_235;

export function canBeOthers(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Runs a module (CommonJS) as `uid` and gives what it printed. */
export async function runAs(uid: number, program: string, values: readonly string[] = []): Promise<string> {
  const child = spawn(process.execPath, ['-e', program, ...values], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`program of user ${uid} ended with ${code}: ${err}`);
  return out;
}

const CALL = `
const [method, url, body] = process.argv.slice(1);
fetch(url, { method, ...(body ? { body, headers: { 'content-type': 'application/json' } } : {}) })
  .then(async (answer) => console.log(JSON.stringify({ status: answer.status, text: await answer.text() })));
`;

/** One HTTP request of that user. */
export async function callAs(
  uid: number,
  method: string,
  url: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const values = [method, url, ...(body === undefined ? [] : [JSON.stringify(body)])];
  return JSON.parse(await runAs(uid, CALL, values));
}
