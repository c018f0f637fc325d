/**
 * Loads the rest of the program after front-door.ts has opened the port, with a pause after each large part in which
 * requests are answered.
 */
import type { FrontDoor } from './front-door.ts';
import { VENUE_PLUGS } from './venues/registry.ts';

const LARGE_PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('./http/app.ts'),
  () => import('./contract/every-route.ts'),
  () => import('./auth/auth.ts'),
  () => import('./store/open-store.ts'),
  ...VENUE_PLUGS.map(({ load }) => load),
];

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets the event loop accept connections, check their users, and read and answer their requests. */
async function answerMeanwhile({ server }: Pick<FrontDoor, 'server'>): Promise<void> {
  await turn();
  await turn();
  await server.admitted();
  await turn();
  await turn();
}

/** Resolves with the module of the composition root. */
export async function loadGateway(door: Pick<FrontDoor, 'server'>): Promise<typeof import('./index.ts')> {
  await answerMeanwhile(door);
  for (const load of LARGE_PARTS) {
    await load();
    await answerMeanwhile(door);
  }
  return import('./index.ts');
}
