/**
 * Signing in and deciding about one request of an agent. The gateway holds the request's state; this page reads it,
 * shows the matching screen, and leaves only for the address that the agent registered.
 */
import '../styles/tokens.css';
import '../styles/base.css';
import { useEffect, useRef, useState } from 'react';
import { Refusal } from '../../gateway/client/errors.ts';
import type { InteractionBody, InteractionTermsBody } from '../../gateway/contract/oauth.ts';
import { Countdown } from './countdown.tsx';
import { Decision } from './decision.tsx';
import { call, statusOf } from './interaction-api.ts';
import * as notices from './notices.ts';
import type { Account } from './plain-words.ts';
import { isRegisteredRedirect, isThisPage } from './return-address.ts';
import { type Notice, NoticeScreen } from './screen.tsx';
import { SignIn } from './sign-in.tsx';
import { startPage, uid } from './start-page.tsx';

const RETRY_MS = 2_000;
const params = { uid };

type Shown =
  | { readonly name: 'sign-in'; readonly isAgain: boolean }
  | { readonly name: 'decision'; readonly account: Account; readonly terms: InteractionTermsBody }
  | { readonly name: 'notice'; readonly notice: Notice };

const showing = (notice: Notice): Shown => ({ name: 'notice', notice });
const SIGN_IN_AGAIN: Shown = { name: 'sign-in', isAgain: true };
const isUnreachable = (shown: Shown) =>
  shown.name === 'notice' && shown.notice.heading === notices.UNREACHABLE.heading;

/** Screen for a refusal. @param isDecision the refused call was a decision */
async function screenFor(error: unknown, isDecision: boolean): Promise<Shown> {
  const status = statusOf(error);
  if (status === 401) return SIGN_IN_AGAIN;
  if (status === 403) return showing(notices.foreign(await call('GET /auth/me').catch(() => null)));
  if (status === 400 || status === 404) return showing(notices.GONE);
  if (error instanceof Refusal) return showing(notices.failed(error));
  return showing(isDecision ? notices.UNREACHABLE_DECIDED : notices.UNREACHABLE);
}

function ConsentPage() {
  const [shown, show] = useState<Shown>(showing(notices.LOADING));
  const [request, setRequest] = useState<InteractionBody | null>(null);
  const [email, setEmail] = useState('');
  /** Concurrent calls share one reading. */
  const opening = useRef<Promise<void> | null>(null);

  async function explain(error: unknown, isDecision = false): Promise<void> {
    const next = await screenFor(error, isDecision);
    // Another try that failed too keeps its words; as a new object, so that the page tries again.
    show((before) => (isUnreachable(before) && isUnreachable(next) ? { ...before } : next));
  }

  async function readAndShow(): Promise<void> {
    try {
      const read = await call('GET /interaction/{uid}', { params });
      const { account } = read.prompt.details;
      const terms = account && (await call('GET /interaction/{uid}/terms', { params }));
      setRequest(read);
      show(account && terms ? { name: 'decision', account, terms } : { name: 'sign-in', isAgain: false });
    } catch (error) {
      await explain(error);
    }
  }

  /** Reads the request's state and shows its screen. */
  function open(): Promise<void> {
    opening.current ??= readAndShow().finally(() => {
      opening.current = null;
    });
    return opening.current;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads at first, and again while nobody answers
  useEffect(() => {
    if (shown.name === 'notice' && shown.notice === notices.LOADING) void open();
    if (!isUnreachable(shown)) return;
    const retry = setTimeout(() => void open(), RETRY_MS);
    return () => clearTimeout(retry);
  }, [shown]);

  /** @param returnTo null: nobody is signed in, so there is no answer to return with */
  function leave(title: string, returnTo: string | null): void {
    if (request === null) return;
    const { params, client } = request;
    if (returnTo === null) show(showing(notices.closed(request)));
    else if (isRegisteredRedirect(returnTo, params.redirect_uri, client.redirectUris)) {
      show(showing(notices.leaving(title, request)));
      // Replaces this page, so that "back" does not lead to a request that is over.
      location.replace(returnTo);
    } else show(showing(notices.WRONG_ADDRESS));
  }

  return (
    <>
      {shown.name === 'sign-in' && (
        <SignIn
          key={String(shown.isAgain)}
          client={shown.isAgain ? null : (request?.client ?? null)}
          email={email}
          onEmail={setEmail}
          onSignedIn={async (returnTo) =>
            isThisPage(returnTo, location) ? open() : show(showing(notices.WRONG_ADDRESS))
          }
          onDenied={(returnTo) => leave('Denied', returnTo)}
          onRefused={explain}
        />
      )}
      {shown.name === 'decision' && request !== null && (
        <Decision
          request={request}
          account={shown.account}
          terms={shown.terms}
          onDecided={leave}
          onRefused={(error) => explain(error, true)}
        />
      )}
      {shown.name === 'notice' && (
        <NoticeScreen
          key={shown.notice.heading}
          notice={shown.notice}
          onPress={() => (shown.notice.heading === notices.FOREIGN ? show(SIGN_IN_AGAIN) : void open())}
        />
      )}
      {(shown.name !== 'notice' || shown.notice.isOpen) && request !== null && (
        <Countdown
          expiresAt={Date.parse(request.prompt.details.expiresAt)}
          onEnd={() => show(showing(notices.EXPIRED))}
        />
      )}
    </>
  );
}

// An Enter key still held down from the sign-in must not press a button of the next screen.
document.addEventListener('keydown', (event) => {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
});

startPage(<ConsentPage />);
