/** Ctrl-C of `npm test`. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { until } from './support/until.ts';

const RUNNER = fileURLToPath(new URL('../run.mjs', import.meta.url));
const FREEZES = 'test/real-time/support/freezes-a-child.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a run of the tests that is interrupted', () => {
  let run: ChildProcessByStdio<null, Readable, null>;
  let frozen: { readonly pid: number; readonly folder: string };
  beforeEach(async () => {
    run = spawn(process.execPath, [RUNNER, FREEZES], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: run.stdout })) {
      const [, pid, folder = ''] = /^frozen (\d+) (.+)$/.exec(line) ?? [];
      if (pid === undefined) continue;
      frozen = { pid: Number(pid), folder };
      break;
    }
    expect(isAlive(frozen.pid)).to.equal(true);
    expect(existsSync(frozen.folder)).to.equal(true);
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`${signal} ends every child, frozen ones too, and removes their folders`, async () => {
      run.kill(signal);
      expect(await once(run, 'exit')).to.deep.equal([code, null]);
      await until('the frozen child has ended', () => !isAlive(frozen.pid));
      expect(existsSync(frozen.folder)).to.equal(false);
    });
  }

  it('a run that is killed leaves no process behind', async () => {
    run.kill('SIGKILL');
    await once(run, 'exit');
    await until('the frozen child has ended', () => !isAlive(frozen.pid));
  });
});
