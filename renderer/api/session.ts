/**
 * The signed-in user, their trade accounts and the chosen account. Tabs tell each other when the session begins or
 * ends.
 */
import { useMemo } from 'react';
import { create } from 'zustand';
import { type Answer, Refusal, type TandemClient, Unauthorized } from '../../gateway/client/client.ts';
import { forgetSession, gateway, queries } from './client.ts';

export type TradeAccount = Answer<'GET /trade-accounts'>['tradeAccounts'][number];
export type User = Answer<'GET /auth/me'>;
export type Registration = Answer<'GET /app/start'>['registration'];

/**
 * `expired`: the gateway has ended the session; the screen stays as it is while the user signs in again.
 * `unreachable`: the gateway did not answer at the start.
 */
export type Phase = 'starting' | 'unreachable' | 'signed-out' | 'signed-in' | 'expired';

interface SessionFacts {
  readonly phase: Phase;
  readonly registration: Registration;
  /** A registration from this page needs the setup code. */
  readonly asksSetupCode: boolean;
  readonly user: User | null;
  readonly accounts: readonly TradeAccount[];
  readonly accountId: string | null;
  readonly startError: unknown;
}

const CHOSEN = 'tandem.account';
const PROLONG_MS = 6 * 3_600_000;

export const useSession = create<SessionFacts>(() => ({
  phase: 'starting',
  registration: 'closed',
  asksSetupCode: false,
  user: null,
  accounts: [],
  accountId: null,
  startError: null,
}));

const tabs = new BroadcastChannel('tandem.session');
tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'signed-out') leave();
  else if (data === 'signed-in') void readSession();
});

/** Never chooses a live account by itself: a live account is shown only after a person has chosen it here. */
function choose(accounts: readonly TradeAccount[], wanted: string | null): string | null {
  const chosen = accounts.find(({ id }) => id === wanted) ?? accounts.find(({ mode }) => mode === 'PAPER');
  return chosen?.id ?? null;
}

/** Number of times that this page's user has signed out, here or in another tab. */
let timesLeft = 0;

/**
 * Asks the gateway for this browser's session. Never rejects: a failure is in `startError`. An answer that comes after
 * the user has signed out meanwhile changes nothing.
 */
export async function readSession(): Promise<void> {
  const asOf = timesLeft;
  try {
    const { signedIn, registration, setupCode: asksSetupCode = false } = await gateway.call('GET /app/start');
    if (timesLeft !== asOf) return;
    if (!signedIn) {
      const { phase } = useSession.getState();
      const over = phase === 'signed-in' || phase === 'expired';
      useSession.setState({
        phase: over ? 'expired' : 'signed-out',
        registration,
        asksSetupCode,
        startError: null,
      });
      return;
    }
    const [user, { tradeAccounts }] = await Promise.all([
      gateway.call('GET /auth/me'),
      gateway.call('GET /trade-accounts'),
    ]);
    if (timesLeft !== asOf) return;
    const before = useSession.getState();
    // Another user may have signed in: the previous user's data are dropped.
    if (before.user !== null && before.user.id !== user.id) queries.clear();
    const wanted = before.user?.id === user.id ? before.accountId : localStorage.getItem(CHOSEN);
    useSession.setState({
      phase: 'signed-in',
      registration,
      asksSetupCode,
      user,
      accounts: tradeAccounts,
      accountId: choose(tradeAccounts, wanted),
      startError: null,
    });
    if (before.phase === 'expired') void queries.invalidateQueries();
  } catch (error) {
    if (timesLeft !== asOf) return;
    if (error instanceof Unauthorized) useSession.setState({ phase: 'signed-out', startError: null });
    else if (useSession.getState().phase === 'starting' || useSession.getState().phase === 'unreachable')
      useSession.setState({ phase: 'unreachable', startError: error });
  }
}

/** Reads the session after a sign-in or a registration. */
export async function entered(): Promise<void> {
  await readSession();
  tabs.postMessage('signed-in');
}

function leave(): void {
  timesLeft += 1;
  forgetSession();
  queries.clear();
  useSession.setState({ phase: 'signed-out', user: null, accounts: [], accountId: null });
}

/** @throws the gateway's error, except that the session has already ended */
export async function signOut(): Promise<void> {
  try {
    await gateway.call('POST /auth/logout');
  } catch (error) {
    if (!(error instanceof Unauthorized)) throw error;
  }
  leave();
  tabs.postMessage('signed-out');
}

/** Marks the session as expired after a 401 that a refresh did not mend. */
export function sessionEnded(): void {
  if (useSession.getState().phase === 'signed-in') useSession.setState({ phase: 'expired' });
}

/** An unused session ends after 12 hours; an open page keeps its session alive. */
export function keepAlive(): () => void {
  const timer = setInterval(() => {
    if (useSession.getState().phase !== 'signed-in') return;
    gateway.call('POST /auth/session/refresh', { body: {} }).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 401) sessionEnded();
    });
  }, PROLONG_MS);
  return () => clearInterval(timer);
}

export function chooseAccount(accountId: string): void {
  localStorage.setItem(CHOSEN, accountId);
  useSession.setState({ accountId });
}

/** Reads the accounts after one was added, renamed or removed. */
export async function refreshAccounts(): Promise<void> {
  const asOf = timesLeft;
  const { tradeAccounts } = await gateway.call('GET /trade-accounts');
  if (timesLeft !== asOf) return;
  const { accountId } = useSession.getState();
  useSession.setState({ accounts: tradeAccounts, accountId: choose(tradeAccounts, accountId) });
}

export function useUser(): User | null {
  return useSession((facts) => facts.user);
}

export function useAccounts(): readonly TradeAccount[] {
  return useSession((facts) => facts.accounts);
}

/** The chosen trade account; null: the user has none, or has only live accounts and has chosen none of them. */
export function useMaybeAccount(): TradeAccount | null {
  return useSession(({ accounts, accountId }) => accounts.find(({ id }) => id === accountId) ?? null);
}

/** The chosen trade account, for screens that the frame shows only when there is one. */
export function useAccount(): TradeAccount {
  const account = useMaybeAccount();
  if (account === null) throw new Error('No trade account is chosen');
  return account;
}

/** The client on the chosen account. */
export function useClient(): TandemClient {
  const id = useSession(({ accountId }) => accountId);
  return useMemo(() => (id === null ? gateway : gateway.onAccount(id)), [id]);
}
