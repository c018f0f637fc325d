/** The load process: does one task at a time for the benchmark that forked it, ends when the pipe closes. */
import { runClosedLoop } from './closed-loop.ts';
import { runFill } from './fill.ts';
import type { LoadTask } from './load-protocol.ts';
import { runStream } from './stream.ts';

function run(task: LoadTask) {
  switch (task.kind) {
    case 'closed-loop':
      return runClosedLoop(task);
    case 'fill':
      return runFill(task);
    case 'stream':
      return runStream(task);
  }
}

process.on('message', async (task: LoadTask) => {
  process.send?.(await run(task));
});
process.on('disconnect', () => process.exit(0));
