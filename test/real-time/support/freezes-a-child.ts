/** A test that never ends: it has a folder, and a child that is frozen. Run by `interrupted-run.test.ts` alone. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('a run that is interrupted', () => {
  it('waits for ever', () => {
    const folder = mkdtempSync(join(tmpdir(), 'frozen-'));
    const child = spawn(process.execPath, ['-e', 'process.kill(process.pid, "SIGSTOP")'], { detached: true });
    console.log(`frozen ${child.pid} ${folder}`);
    return new Promise(() => {});
  });
});
