/** An emulated venue in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Method = (...given: never[]) => unknown;

/** The script from another process: every call answers a promise. */
export type RemoteScript<Script> = {
  readonly [K in keyof Script]: Script[K] extends Method
    ? (...given: Parameters<Script[K]>) => Promise<ReturnType<Script[K]>>
    : never;
};

export interface RemoteVenue<Script> {
  readonly pid: number;
  readonly url: string;
  readonly wsUrl: string;
  readonly controlUrl: string;
  readonly script: RemoteScript<Script>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));

/** @param emulator the URL of a module that exports `startEmulator`, which is called with `options` */
export async function launch<Script>(emulator: string, options: object): Promise<RemoteVenue<Script>> {
  const args = ['--import', 'tsx', PROGRAM, emulator, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => {
      throw new Error('the emulated venue ended before it served');
    }),
  ]);
  const { url, wsUrl, controlUrl } = JSON.parse(String(line));
  return {
    ...{ pid: child.pid ?? 0, url, wsUrl, controlUrl },
    script: scriptAt<Script>(controlUrl),
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The script of an emulator that somebody else started. */
export function scriptAt<Script>(controlUrl: string): RemoteScript<Script> {
  return new Proxy({} as RemoteScript<Script>, {
    get: (_, call) => {
      // A promise would be asked for `then`.
      if (typeof call !== 'string' || call === 'then') return undefined;
      return async (...given: unknown[]) => {
        const response = await fetch(controlUrl, {
          method: 'POST',
          // A kept connection may be closed by the other side while this is under way, and a call must not be made twice.
          headers: { connection: 'close' },
          body: JSON.stringify({ call, with: given }),
        });
        const body = (await response.json()) as { readonly answer?: unknown; readonly error?: string };
        if (!response.ok) throw new Error(body.error ?? `the script answered ${response.status}`);
        return body.answer;
      };
    },
  });
}
