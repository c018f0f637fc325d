/** Loads the program behind the front door, with a turn of the event loop after each large part: who asks is answered. */

const LARGE_PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('./http/app.ts'),
  () => import('./contract/every-route.ts'),
  () => import('./auth/auth.ts'),
  () => import('./store/open-store.ts'),
  () => import('./paper-venues.ts'),
];

/** The turn that has nothing to do yet takes the connections, the next one what they send. */
const TURNS = 2;

async function answerMeanwhile(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The composition root. */
export async function loadGateway(): Promise<typeof import('./index.ts')> {
  await answerMeanwhile();
  for (const load of LARGE_PARTS) {
    await load();
    await answerMeanwhile();
  }
  return import('./index.ts');
}
