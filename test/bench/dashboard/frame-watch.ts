/** Times of frames, long tasks and the main thread's work in a page while it is left alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { quantile } from '../statistics.ts';

export interface FrameFigures {
  readonly p95FrameMs: number;
  readonly p99FrameMs: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  /** Share of the time in which the main thread was in a task. */
  readonly mainThread: number;
}

const BEGIN = `(() => {
  const watch = { frames: [], long: [], stopped: false };
  globalThis.__watch = watch;
  watch.observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watch.long.push(duration);
  });
  watch.observer.observe({ type: 'longtask' });
  let last = null;
  const tick = (at) => {
    if (last !== null) watch.frames.push(at - last);
    last = at;
    if (!watch.stopped) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})()`;
const END = `(() => {
  const { frames, long, observer } = globalThis.__watch;
  globalThis.__watch.stopped = true;
  for (const { duration } of observer.takeRecords()) long.push(duration);
  observer.disconnect();
  return { frames, long };
})()`;

export async function watchFrames(page: Page, devtools: CDPSession, ms: number): Promise<FrameFigures> {
  const tasks = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
    return { at: of('Timestamp'), busy: of('TaskDuration') };
  };
  await page.evaluate(BEGIN);
  const before = await tasks();
  await sleep(ms);
  const after = await tasks();
  const { frames, long } = await page.evaluate<{ frames: number[]; long: number[] }>(END);
  return {
    p95FrameMs: quantile(frames, 0.95),
    p99FrameMs: quantile(frames, 0.99),
    longTasks: long.length,
    longestTaskMs: Math.max(0, ...long),
    mainThread: (after.busy - before.busy) / (after.at - before.at),
  };
}
