/** The screen on which a signed-in person allows or denies the agent. Denying takes the least effort. */
import { startArming } from './arming.js';
import { abort, confirm, readInteraction } from './interaction-api.js';
import { createLimits } from './limits.js';
import { shownAccount } from './plain-words.js';
import { byId, complain, fill, show } from './screens.js';

/** @import { Account, Interaction, Refusal, Terms } from './interaction-api.js' */

const READ = 'mcp:read';
const WRITE = 'mcp:write';
const READABLE = 'Positions, orders, fills and balances of every trade account.';

/**
 * @typedef {object} DecisionOutcome
 * @property {(title: string, returnTo: string) => void} decided
 * @property {(refusal: Refusal) => Promise<void>} refused
 */

/**
 * @param {string} uid
 * @param {DecisionOutcome} outcome
 */
export function createDecisionScreen(uid, outcome) {
  const form = byId('consent-form', HTMLFormElement);
  const error = byId('consent-error', HTMLElement);
  const write = byId('write', HTMLInputElement);
  const deny = byId('deny', HTMLButtonElement);
  const allow = byId('allow', HTMLButtonElement);
  /** @type {readonly string[]} */
  let requested = [];
  let busy = false;
  let armed = false;
  let stopArming = () => {};

  const limits = createLimits(uid, {
    // Other figures have to be in sight for a moment too.
    changed: () => arm(),
    refused: outcome.refused,
  });

  function arm() {
    stopArming();
    stopArming = startArming((isArmed) => {
      armed = isArmed;
      refresh();
    });
  }

  function isReady() {
    return armed && (!write.checked || limits.isSaid());
  }

  function refresh() {
    deny.disabled = busy;
    write.disabled = busy;
    limits.lock(busy);
    limits.show(write.checked);
    allow.disabled = busy || !isReady();
    allow.textContent = write.checked ? 'Allow reading and trading' : 'Allow reading';
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   */
  async function whileBusy(work) {
    busy = true;
    refresh();
    try {
      return await work();
    } finally {
      busy = false;
      refresh();
    }
  }

  deny.addEventListener('click', async () => {
    const answer = await whileBusy(() => abort(uid));
    if (answer.ok) outcome.decided('Denied', answer.body.returnTo);
    else await outcome.refused(answer);
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (busy || !isReady()) return;
    const scopes = requested.filter((scope) => scope !== WRITE || write.checked);
    complain(error, null);
    const answer = await whileBusy(() => confirm(uid, scopes, limits.consent(write.checked)));
    if (answer.ok) {
      outcome.decided('Allowed', answer.body.returnTo);
      return;
    }
    // A 403 has two causes: another account's session (reading fails too), or a limit (the request stays open).
    const stillOpen = answer.status === 403 && (await readInteraction(uid)).ok;
    if (!stillOpen) {
      await outcome.refused(answer);
      return;
    }
    complain(error, `${answer.message}. This request stays open until its time is up.`);
    deny.focus();
  });

  write.addEventListener('change', refresh);

  return {
    /**
     * @param {Interaction} interaction
     * @param {Account} account
     * @param {Terms} terms
     */
    show({ params }, account, terms) {
      requested = params.scope.split(' ').filter((scope) => scope !== '');
      fill('account', shownAccount(account));
      fill(
        'read-explanation',
        requested.includes(READ)
          ? READABLE
          : `${READABLE} It did not ask for this, but every connected agent can do it.`,
      );
      byId('write-scope', HTMLElement).hidden = !requested.includes(WRITE);
      write.checked = false;
      limits.leave();
      limits.begin(terms);
      complain(error, null);
      refresh();
      show('consent', deny);
      arm();
    },
    leave() {
      stopArming();
      limits.leave();
    },
  };
}
