/** A program of its own whose heap `heap.test.ts` looks at: prints what its young generation held at each step, as JSON. */
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { saveMemoryAtRest } from '../../../gateway/system/heap.ts';

const LARGE_HEAP_BYTES = 80 * 2 ** 20;
/** Enough for a collection, which takes some 20 ms. */
const ENOUGH_MS = 5_000;
const NOTHING_COMES_MS = 500;

let look: (() => void) | null = null;
const clock = {
  after(_: number, run: () => void) {
    look = run;
    return () => {
      look = null;
    };
  },
};

function youngBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
}

/** Allocates as a start does, so that the young generation grows. */
function churn(): void {
  let kept: object[] = [];
  for (let index = 0; index < 3_000_000; index += 1) {
    kept.push({ index });
    if (kept.length > 20_000) kept = [];
  }
}

/** Has the look that waits, and gives whether another one waits after it. */
function lookOnce(): boolean {
  const due = look;
  look = null;
  due?.();
  return look !== null;
}

/** On a machine that is busy with other things the loop may look busy too. False: it has looked for the last time. */
async function looksOn(): Promise<boolean> {
  for (let looks = 0; looks < 20; looks += 1) {
    if (!lookOnce()) return false;
    await sleep(NOTHING_COMES_MS);
  }
  return true;
}

async function shrinksBelow(bytes: number, withinMs: number): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(10))
    if (youngBytes() < bytes) return true;
  return false;
}

// The loop counts from its first turn on.
await sleep(1);
churn();
const grown = youngBytes();
saveMemoryAtRest(clock);
churn();
const busy = { looksAgain: lookOnce(), shrinks: await shrinksBelow(grown / 2, NOTHING_COMES_MS) };
const rest = { looksAgain: await looksOn(), shrinks: await shrinksBelow(grown / 2, ENOUGH_MS) };

const held = Array.from({ length: LARGE_HEAP_BYTES / 16 }, (_, index) => ({ index }));
churn();
const again = youngBytes();
saveMemoryAtRest(clock);
await sleep(200);
const large = {
  looksAgain: await looksOn(),
  shrinks: await shrinksBelow(again / 2, NOTHING_COMES_MS),
  held: held.length,
};

saveMemoryAtRest(clock)();
console.log(JSON.stringify({ busy, rest, large, cancelled: look === null }));
