/** Programs of another user of this machine. Only root can start them, so tests that need them are skipped elsewhere. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Users that a machine has without being told; their numbers need no name. */
export const STRANGER = 61_234;
export const FRIEND = 61_235;

export function canBeOthers(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

interface OtherProgram {
  /** Resolves with what it has printed once it has printed something. */
  readonly begun: Promise<string>;
  /** Ends its input; resolves with all that it printed. */
  end(): Promise<string>;
}

/** Starts a module (CommonJS) as `uid`. */
export function startAs(uid: number, program: string, values: readonly string[] = []): OtherProgram {
  const child = spawn(process.execPath, ['-e', program, ...values], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  const closed = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`program of user ${uid} ended with ${code}: ${err}`);
    return out;
  });
  const begun = Promise.race([once(child.stdout, 'data').then(() => out), closed]);
  for (const one of [begun, closed]) one.catch(() => undefined);
  return {
    begun,
    end() {
      child.stdin.end();
      return closed;
    },
  };
}

/** Runs a module (CommonJS) as `uid` and gives what it printed. */
export const runAs = (uid: number, program: string, values: readonly string[] = []): Promise<string> =>
  startAs(uid, program, values).end();

const CALLS = `
const headers = { 'content-type': 'application/json' };
Promise.all(JSON.parse(process.argv[1]).map(async ([method, url, body]) => {
  const answer = await fetch(url, { method, ...(body ? { body: JSON.stringify(body), headers } : {}) });
  return { status: answer.status, text: await answer.text() };
})).then((answers) => console.log(JSON.stringify(answers)));
`;

type Call = readonly [method: string, url: string, body?: unknown];
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** HTTP requests of that user, all of one program. */
export const callsAs = async (uid: number, calls: readonly Call[]): Promise<readonly Answer[]> =>
  JSON.parse(await runAs(uid, CALLS, [JSON.stringify(calls)]));

/** One HTTP request of that user. */
export async function callAs(uid: number, ...call: Call): Promise<Answer> {
  const [answer] = await callsAs(uid, [call]);
  if (answer === undefined) throw new Error('the request had no answer');
  return answer;
}
