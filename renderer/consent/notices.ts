/** Words of the screens on which there is nothing to decide. */
import type { InteractionBody } from '../../gateway/contract/oauth.ts';
import { type Account, shownAccount, shownAddress, shownName } from './plain-words.ts';
import type { Notice } from './screen.tsx';

export const LOADING: Notice = { heading: 'Reading the request…', text: [] };

export const GONE: Notice = {
  heading: 'There is nothing to decide here',
  text: [
    'This request was already answered, has expired, or never existed. A request lives for 10 minutes and is answered once.',
    'To connect an agent, start again from the agent.',
  ],
};

export const EXPIRED: Notice = {
  heading: 'This request has expired',
  text: [
    'It was not answered within 10 minutes, so nothing was allowed.',
    'To connect the agent, start again from the agent.',
  ],
};

export const WRONG_ADDRESS: Notice = {
  heading: 'Stopped: unexpected address',
  text: [
    'The answer points to an address that is not the one this agent registered. This page did not follow it. Start again from the agent; if it happens again, do not connect it.',
  ],
};

export const UNREACHABLE: Notice = {
  heading: 'The gateway does not answer',
  text: ['It may have been stopped. Start it again; this page goes on by itself as soon as it answers.'],
  button: 'Try now',
};

export const UNREACHABLE_DECIDED: Notice = {
  ...UNREACHABLE,
  text: [
    ...UNREACHABLE.text,
    'Your last decision may or may not have arrived. If this page says that there is nothing to decide, it has.',
  ],
};

export const leaving = (title: string, { params }: InteractionBody): Notice => ({
  heading: title,
  text: [
    `Going back to ${shownAddress(params.redirect_uri).host}. If nothing happens, return to the agent; this window can be closed.`,
  ],
});

/** Isolates keep the name apart from the text around it, whichever way its letters run. */
export const closed = ({ client }: InteractionBody): Notice => ({
  heading: 'Nothing was allowed',
  text: [
    `You are not signed in, so \u2068${shownName(client)}\u2069 gets no answer; its request ends by itself. You can close this window.`,
  ],
  button: 'Back to signing in',
  isOpen: true,
});

export const FOREIGN = 'This request belongs to another account';

/** @param account who is signed in; null: it could not be read */
export const foreign = (account: Account | null): Notice => ({
  heading: FOREIGN,
  text: [
    `You are signed in as ${account === null ? 'somebody else' : shownAccount(account)}.`,
    'Nothing was allowed. Sign in with the account that began this, or start again from the agent.',
  ],
  button: 'Sign in with the other account',
});

export const failed = ({ message, requestId }: { message: string; requestId: string | null }): Notice => ({
  heading: 'The gateway could not do this',
  text: [message, ...(requestId === null ? [] : [`Request id ${requestId}`])],
  button: 'Try again',
});
