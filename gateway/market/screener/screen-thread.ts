/**
 * The thread that computes the statistics of all pairs: it gets the logarithms of all instruments' hourly closes and posts
 * the figures of a few pairs at a time, with a rest after each piece several times as long as its work, so that the
 * gateway's own thread never waits for a core.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { screenPair } from '../../domain/pair-screen.ts';
import { type ScreenTask, WIDTH, writeScreen } from './screen-figures.ts';

const PAIRS_AT_ONCE = 10;
/** The rest is this many times as long as the work before it: a thirtieth of a core, and two thirds of the time there is. */
const REST = 29;
/** On a busy machine the work is slow because of others: 495 pieces are to end within half a minute all the same. */
const LONGEST_REST_MS = 45;

async function work({ closes, instruments, hours }: ScreenTask): Promise<void> {
  const columns = Array.from(
    { length: instruments },
    (_, index) => new Float64Array(closes, index * hours * Float64Array.BYTES_PER_ELEMENT, hours),
  );
  let piece: Float64Array[] = [];
  let since = performance.now();
  const post = async () => {
    parentPort?.postMessage(piece);
    piece = [];
    const restMs = Math.min(REST * (performance.now() - since), LONGEST_REST_MS);
    await new Promise((resolve) => setTimeout(resolve, restMs));
    since = performance.now();
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

void work(workerData);
