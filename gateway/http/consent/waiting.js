/**
 * The browser tab of a request that the desktop app shows: the tab waits for the outcome. The decision and its code
 * never pass through the tab: the app opens the client's address.
 */
import { readInteraction } from './interaction-api.js';
import { byId, show, shownScreen } from './screens.js';

/** @import { ScreenName } from './screens.js' */

const ASK_EVERY_MS = 1_000;

const uid = location.pathname.split('/')[2] ?? '';
/** End of the request in epoch ms; infinite until the request has been read. */
let expiresAt = Number.POSITIVE_INFINITY;

/** @param {ScreenName} screen */
function showOnce(screen) {
  if (shownScreen() !== screen) show(screen);
}

async function ask() {
  const answer = await readInteraction(uid);
  // 401 and 403 also mean that the request is open: once somebody has signed in, only that user's session can read
  // it, which this tab may not have.
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
