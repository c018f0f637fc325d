/**
 * Browser tab of a request that the desktop app shows: the tab waits for the outcome. The decision and its code never
 * pass through the tab: the app opens the client's address.
 */
import '../styles/tokens.css';
import '../styles/base.css';
import { useEffect, useState } from 'react';
import { call, statusOf } from './interaction-api.ts';
import { type Notice, NoticeScreen } from './screen.tsx';
import { startPage, uid } from './start-page.tsx';

const ASK_EVERY_MS = 1_000;

const WAITING: Notice = {
  heading: 'Decide in the Tandem window',
  text: [
    'A program wants to be connected. Tandem shows what it asks for in a window of its own; this page waits.',
  ],
  button: 'Decide here instead',
};
const ANSWERED: Notice = {
  heading: 'Answered in Tandem',
  text: ['Tandem has sent the program your decision in a new tab. This one can be closed.'],
};
const EXPIRED: Notice = {
  heading: 'This request has expired',
  text: [
    'It was not answered within 10 minutes, so nothing was allowed. To connect the program, start again from it.',
  ],
};
const UNREACHABLE: Notice = {
  heading: 'Tandem does not answer',
  text: ['It may have been stopped. This page goes on by itself as soon as it answers.'],
};

function WaitingPage() {
  const [notice, setNotice] = useState<Notice | null>(null);
  useEffect(() => {
    /** End of the request in epoch ms; infinite until the request has been read. */
    let expiresAt = Number.POSITIVE_INFINITY;
    async function read(): Promise<Notice> {
      try {
        const { prompt } = await call('GET /interaction/{uid}', { params: { uid } });
        expiresAt = Date.parse(prompt.details.expiresAt);
        return WAITING;
      } catch (error) {
        const status = statusOf(error);
        if (status === 404) return Date.now() >= expiresAt ? EXPIRED : ANSWERED;
        // 401 and 403 also mean that the request is open: once somebody has signed in, only that user's session can
        // read it, which this tab may not have.
        return status === 401 || status === 403 ? WAITING : UNREACHABLE;
      }
    }
    async function ask(): Promise<void> {
      const now = await read();
      setNotice(now);
      if (now === WAITING || now === UNREACHABLE) setTimeout(() => void ask(), ASK_EVERY_MS);
    }
    void ask();
  }, []);
  const decideHere = () => location.replace(`${location.pathname}?here=1`);
  return notice !== null && <NoticeScreen key={notice.heading} notice={notice} onPress={decideHere} />;
}

startPage(<WaitingPage />);
