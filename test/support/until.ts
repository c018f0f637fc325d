/** Waits for states instead of times. */
import type { FakeClock } from './fake-clock.ts';
import { settled } from './outstanding.ts';

type Found<T> = T | null | undefined | false;
type Look<T> = () => Promise<Found<T>> | Found<T>;

const STEP_MS = 50;
/** The longer it waits already, the less often it looks, and once a second at least: a TWAP of ten minutes has its looks too. */
const MOST_STEP_MS = 1_000;
const PASSED_PER_STEP = 20;
/** More than any work waits for. */
const LONGEST_MS = 600_000;
/** Looks at something that needs no time to pass. */
const LOOKS = 2_000;

/**
 * Moves time until `look` finds what is wanted: anything but null, undefined and false. Time stands still for what needs
 * none.
 * @param what the sentence of the failure
 * @param withinMs by `clock`
 */
export async function until<T>(
  clock: Pick<FakeClock, 'advance'>,
  what: string,
  look: Look<T>,
  withinMs = 45_000,
): Promise<T> {
  for (let passedMs = 0; ; ) {
    // Effects of passed time have been settled by `advance`.
    const found = (await look()) || (passedMs === 0 && (await settled().then(look)));
    if (found !== null && found !== undefined && found !== false) return found;
    if (passedMs >= withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    const stepMs = stepAfter(passedMs);
    await clock.advance(stepMs);
    passedMs += stepMs;
  }
}

const stepAfter = (passedMs: number) =>
  Math.min(MOST_STEP_MS, Math.max(1, Math.floor(passedMs / STEP_MS / PASSED_PER_STEP)) * STEP_MS);

/** The same for what needs no time to pass: the event loop and the disk go on, every clock stands still. */
export async function untilSettled<T>(what: string, look: Look<T>): Promise<T> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await settled();
  }
  throw new Error(`it did not come to that: ${what}`);
}

/** Moves time until `work` has ended: a gateway that stops, a request that is held for a while. */
export async function whileTimePasses<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  await settled();
  for (let passedMs = 0; !isOver && passedMs < LONGEST_MS; passedMs += STEP_MS) await clock.advance(STEP_MS);
  if (!isOver) throw new Error(`it did not end within ${LONGEST_MS} ms of the test's time`);
  return over;
}
