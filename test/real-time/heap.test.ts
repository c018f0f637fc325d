import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { programFile } from '../support/program-file.ts';

const PROGRAM = programFile(new URL('./support/heap-program.ts', import.meta.url));

describe('memory that a start leaves behind', () => {
  it('is given back once the program rests, unless there is much in use', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM]);
    const { busy, rest, large, cancelled } = JSON.parse(stdout);
    expect(busy).to.deep.equal({ looksAgain: true, shrinks: false });
    expect(rest).to.deep.equal({ looksAgain: false, shrinks: true });
    expect(large).to.deep.include({ looksAgain: false, shrinks: false });
    expect(cancelled).to.equal(true);
  });
});
