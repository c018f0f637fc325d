/**
 * A gateway in a process of its own. Says `{ port }` over the pipe when it listens. Asked `watch-loop` and then
 * `longest-delay`, it tells how late a timer of its event loop was at most in between, ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { makeObjectsYoung } from '../../gateway/system/heap.ts';
import { runGateway } from './own-gateway.ts';

const RESOLUTION_MS = 1;

makeObjectsYoung();
const port = await runGateway();
let watch = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
process.on('message', (question: string) => {
  if (question === 'watch-loop') {
    watch = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    watch.enable();
    process.send?.(0);
  } else {
    watch.disable();
    process.send?.(Math.max(0, watch.max / 1e6 - RESOLUTION_MS));
  }
});
process.send?.({ port });
