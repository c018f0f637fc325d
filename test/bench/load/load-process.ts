/** The load process: does one task at a time for the benchmark that forked it, ends when the pipe closes. */
import { runClosedLoop } from './closed-loop.ts';
import { runFill } from './fill.ts';
import type { LoadAnswer, LoadTask } from './load-protocol.ts';
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

function answer(message: LoadAnswer): void {
  process.send?.(message);
}

process.on('message', (task: LoadTask) => {
  run(task).then(
    (result) => answer({ ok: true, result }),
    (error: unknown) =>
      answer({ ok: false, message: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
