/** The screen on which a person proves who they are: a password, or a wallet where the browser has one. */
import { abort, signIn } from './interaction-api.js';
import { byId, complain, show } from './screens.js';
import { findWallet, walletCredential } from './wallet.js';

/** @import { Refusal } from './interaction-api.js' */

/**
 * @typedef {object} LoginOutcome
 * @property {(returnTo: string) => Promise<void>} signedIn
 * @property {(returnTo: string) => void} denied
 * @property {(refusal: Refusal) => Promise<void>} refused for refusals that this screen has no text for
 */

/**
 * @param {string} uid
 * @param {LoginOutcome} outcome
 */
export function createLoginScreen(uid, outcome) {
  const form = byId('login-form', HTMLFormElement);
  const error = byId('login-error', HTMLElement);
  const email = byId('email', HTMLInputElement);
  const password = byId('password', HTMLInputElement);
  const submit = byId('sign-in', HTMLButtonElement);
  const walletButton = byId('wallet-sign-in', HTMLButtonElement);
  const deny = byId('login-deny', HTMLButtonElement);
  const wallet = findWallet();
  let busy = false;

  /**
   * @template T
   * @param {() => Promise<T>} work
   */
  async function whileBusy(work) {
    const refresh = (/** @type {boolean} */ isBusy) => {
      busy = isBusy;
      for (const button of [submit, walletButton, deny]) button.disabled = isBusy;
      submit.textContent = isBusy ? 'One moment…' : 'Sign in';
    };
    refresh(true);
    try {
      return await work();
    } finally {
      refresh(false);
    }
  }

  /**
   * @param {object} credential
   * @param {(refusal: Refusal) => string} words
   */
  async function use(credential, words) {
    const answer = await whileBusy(() => signIn(uid, credential));
    password.value = '';
    if (answer.ok) await outcome.signedIn(answer.body.returnTo);
    else if ([400, 401, 403].includes(answer.status)) complain(error, words(answer));
    else await outcome.refused(answer);
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (busy) return;
    const name = email.value.trim();
    if (name === '' || password.value === '') {
      complain(error, 'Enter your e-mail and your password.');
      (name === '' ? email : password).focus();
      return;
    }
    complain(error, null);
    await use({ method: 'email', email: name, password: password.value }, ({ status }) =>
      status === 403 ? 'This request belongs to another account.' : 'E-mail or password is wrong.',
    );
    if (!error.hidden) password.focus();
  });

  walletButton.addEventListener('click', async () => {
    if (wallet === null) return;
    complain(error, null);
    const signed = await whileBusy(() => walletCredential(wallet));
    if (signed.ok)
      await use(signed.credential, ({ message }) => `The gateway refused this wallet: ${message}.`);
    else complain(error, signed.message);
  });

  deny.addEventListener('click', async () => {
    const answer = await whileBusy(() => abort(uid));
    if (answer.ok) outcome.denied(answer.body.returnTo);
    else if (answer.status === 401) show('closed');
    else await outcome.refused(answer);
  });

  return {
    /** @param {boolean} again the request is bound to an account already, whose user has to sign in again */
    show(again) {
      byId('login-reason', HTMLElement).hidden = again;
      byId('login-again', HTMLElement).hidden = !again;
      deny.hidden = again;
      walletButton.hidden = wallet === null;
      password.value = '';
      complain(error, null);
      show('login', email);
    },
  };
}
