/**
 * Signing in and deciding about one request of an agent. The gateway holds the request's state; this page reads it,
 * shows the matching screen, and leaves only for the address that the agent registered.
 */
import { startCountdown } from './countdown.js';
import { createDecisionScreen } from './decision-screen.js';
import { readAccount, readInteraction, readTerms } from './interaction-api.js';
import { createLoginScreen } from './login-screen.js';
import { shownAccount, shownAddress, shownName, shownTime } from './plain-words.js';
import { isRegisteredRedirect, isThisPage } from './return-address.js';
import { byId, fill, show, shownScreen } from './screens.js';

/** @import { Interaction, Refusal } from './interaction-api.js' */

const RETRY_MS = 2_000;

const uid = location.pathname.split('/')[2] ?? '';
const deadline = byId('deadline', HTMLElement);
const announcement = byId('announcement', HTMLElement);

/** @type {Interaction | null} */
let interaction = null;
/** @type {Promise<void> | null} */
let opening = null;
let stopCountdown = () => {};
let retry = 0;

const login = createLoginScreen(uid, {
  async signedIn(returnTo) {
    if (isThisPage(returnTo, location)) await open();
    else stopAt('wrong-address');
  },
  denied: (returnTo) => leave('Denied', returnTo),
  refused: (refusal) => explain(refusal),
});

const decision = createDecisionScreen(uid, {
  decided: leave,
  refused: (refusal) => explain(refusal, { decided: true }),
});

function stopWaiting() {
  stopCountdown();
  decision.leave();
  clearTimeout(retry);
  deadline.hidden = true;
  announcement.textContent = '';
}

/** @param {import('./screens.js').ScreenName} screen */
function stopAt(screen) {
  stopWaiting();
  show(screen);
}

/** @param {string} expiresAt ISO 8601 */
function countDownTo(expiresAt) {
  deadline.hidden = false;
  stopCountdown = startCountdown(Date.parse(expiresAt), {
    tick(secondsLeft) {
      fill('time-left', shownTime(secondsLeft));
      const warning = secondsLeft <= 60 ? 'This request expires in less than a minute.' : '';
      if (announcement.textContent !== warning) announcement.textContent = warning;
    },
    end: () => stopAt('expired'),
  });
}

/** @param {Interaction} about */
function describe({ client, params }) {
  const address = shownAddress(params.redirect_uri);
  fill('client-name', shownName(client));
  fill('client-id', client.clientId);
  fill('redirect-host', address.host);
  fill('redirect-kind', address.kind);
}

async function showForeign() {
  const account = await readAccount();
  const name = account.ok ? shownAccount(account.body) : 'somebody else';
  fill('foreign-explanation', `You are signed in as ${name}.`);
  show('foreign');
}

/**
 * Shows the screen for a refusal.
 * @param {Refusal} refusal
 * @param {{ decided?: boolean }} [about] `decided`: the refused call was a decision
 * @returns {Promise<void>}
 */
async function explain(refusal, { decided = false } = {}) {
  stopWaiting();
  switch (refusal.status) {
    case 0:
      if (shownScreen() !== 'unreachable') {
        byId('unknown-outcome', HTMLElement).hidden = !decided;
        show('unreachable');
      }
      retry = setTimeout(open, RETRY_MS);
      return;
    case 401:
      login.show(true);
      return;
    case 403:
      await showForeign();
      return;
    case 400:
    case 404:
      show('gone');
      return;
    default:
      fill(
        'failure',
        refusal.message === '' ? `It answered with status ${refusal.status}.` : refusal.message,
      );
      fill('request-id', refusal.requestId ?? '');
      byId('failure-request', HTMLElement).hidden = refusal.requestId === null;
      show('failed');
  }
}

async function readAndShow() {
  clearTimeout(retry);
  const answer = await readInteraction(uid);
  if (!answer.ok) return explain(answer);
  const read = answer.body;
  const { account } = read.prompt.details;
  const terms = account === undefined ? null : await readTerms(uid);
  if (terms !== null && !terms.ok) return explain(terms);
  stopWaiting();
  interaction = read;
  describe(read);
  if (account === undefined || terms === null) login.show(false);
  else decision.show(read, account, terms.body);
  countDownTo(read.prompt.details.expiresAt);
}

/** Reads the request's state and shows its screen; concurrent calls share one reading. */
function open() {
  opening ??= readAndShow().finally(() => {
    opening = null;
  });
  return opening;
}

/**
 * @param {string} title
 * @param {string} returnTo
 */
function leave(title, returnTo) {
  if (interaction === null || !isRegisteredRedirect(returnTo, interaction)) {
    stopAt('wrong-address');
    return;
  }
  fill('leaving-title', title);
  stopAt('leaving');
  // Replaces this page, so that "back" does not lead to a request that is over.
  location.replace(returnTo);
}

for (const id of ['back-to-login', 'try-again', 'reload']) {
  byId(id, HTMLButtonElement).addEventListener('click', open);
}
byId('change-account', HTMLButtonElement).addEventListener('click', () => login.show(true));

// An Enter key still held down from the sign-in must not press a button of the next screen.
document.addEventListener('keydown', (event) => {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
});

show('loading');
await open();
