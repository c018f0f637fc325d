/**
 * The browser tab of a request that the desktop app shows: waits for the outcome. The decision itself, and the code that
 * comes of it, never pass through here: the app opens the client's address.
 */
import { readInteraction } from './interaction-api.js';
import { byId, show, shownScreen } from './screens.js';

/** @import { ScreenName } from './screens.js' */

const ASK_EVERY_MS = 1_000;

const uid = location.pathname.split('/')[2] ?? '';
/** Epoch ms, once it was read. */
let expiresAt = Number.POSITIVE_INFINITY;

/** @param {ScreenName} screen */
function showOnce(screen) {
  if (shownScreen() !== screen) show(screen);
}

async function ask() {
  const answer = await readInteraction(uid);
  // Once somebody has signed in, the request can be read with their session only, which this tab need not have.
  const isOpen = answer.ok || answer.status === 401 || answer.status === 403;
  if (answer.ok) expiresAt = Date.parse(answer.body.prompt.details.expiresAt);
  if (!isOpen && answer.status === 404) {
    showOnce(Date.now() >= expiresAt ? 'expired' : 'answered');
    return;
  }
  showOnce(isOpen ? 'waiting' : 'unreachable');
  setTimeout(ask, ASK_EVERY_MS);
}

byId('decide-here', HTMLButtonElement).addEventListener('click', () => {
  location.replace(`${location.pathname}?here=1`);
});

await ask();
