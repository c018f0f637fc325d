/** First step of the page: exchanges the ticket of a sign-in link, if there is one, then reads the session. */
import { Refusal } from '../../gateway/client/client.ts';
import { gateway } from '../api/client.ts';
import { entered, readSession } from '../api/session.ts';
import { say } from '../components/toast.tsx';
import { loadAhead } from './screens.tsx';

const LINK_PATH = '/app/link';
/** Ticket behind the `#`: no server, server log or referrer ever sees it. */
const TICKET = /^#([A-Za-z0-9_-]+)$/;

/** @param navigate replaces the address, so that the used link is neither shown nor kept in the history */
export async function enter(navigate: (to: string, options: { replace: boolean }) => void): Promise<void> {
  loadAhead(location.pathname.replace(/^\/app/, ''));
  const ticket = location.pathname === LINK_PATH ? TICKET.exec(location.hash)?.[1] : undefined;
  if (ticket === undefined) return readSession();
  navigate('/', { replace: true });
  try {
    await gateway.call('POST /auth/link', { body: { ticket } });
    await entered();
  } catch (error) {
    await readSession();
    if (error instanceof Refusal)
      say('This link is used up', {
        kind: 'error',
        detail: 'It signs in once, within a minute. Sign in here, or start Tandem again.',
      });
  }
}
