/**
 * The thread that computes the statistics of all pairs: it gets the logarithms of all instruments' hourly closes and posts
 * the figures of a few pairs at a time, with a rest after each piece many times as long as its work, so that the
 * gateway's own thread never waits for a core.
 */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { screenPair } from '../../domain/pair-screen.ts';
import { type ScreenTask, WIDTH, writeScreen } from './screen-figures.ts';

const PAIRS_AT_ONCE = 10;
/** 495 pieces of about a millisecond: a fortieth of a core, and two thirds of the half minute that there is. */
const REST_MS = 40;
/** As `nice` counts. */
const PRIORITY = 10;

/**
 * The system runs the gateway's threads first where both want a core. Only Linux has a priority for each thread; the
 * others go by the rests alone.
 */
function yieldToOthers(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), PRIORITY);
  } catch {}
}

async function work({ closes, instruments, hours }: ScreenTask): Promise<void> {
  const columns = Array.from(
    { length: instruments },
    (_, index) => new Float64Array(closes, index * hours * Float64Array.BYTES_PER_ELEMENT, hours),
  );
  let piece: Float64Array[] = [];
  const post = async () => {
    parentPort?.postMessage(piece);
    piece = [];
    await sleep(REST_MS);
  };
  for (const [index, first] of columns.entries()) {
    for (const second of columns.slice(index + 1)) {
      const row = new Float64Array(WIDTH);
      writeScreen(screenPair(first, second), row);
      piece.push(row);
      if (piece.length >= PAIRS_AT_ONCE) await post();
    }
  }
  await post();
  parentPort?.postMessage('done');
}

yieldToOthers();
void work(workerData);
