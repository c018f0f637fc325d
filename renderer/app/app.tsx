/** The whole page, chosen by the state of the session. */
import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { keepAlive, readSession, useSession } from '../api/session.ts';
import { ahead } from '../components/ahead.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Toasts } from '../components/toast.tsx';
import { enter } from './enter.ts';
import { useFirstRun } from './first-run-state.ts';
import { Frame } from './frame.tsx';
import css from './gate.module.css';
import { GatePage } from './gate-page.tsx';
import { watchUnauthorized } from './watch-unauthorized.ts';

const RETRY_MS = 2_000;
// Signed-in users need neither at first. Both are preloaded: when a session ends, the gateway may be away.
const signIn = ahead(async () => (await import('./sign-in.tsx')).SignIn);
const sessionExpired = ahead(async () => (await import('./sign-in.tsx')).SessionExpired);
const FirstRun = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }));

export function App() {
  const phase = useSession((facts) => facts.phase);
  const [, navigate] = useLocation();
  signIn.useFetched();
  sessionExpired.useFetched();
  useEffect(() => {
    void enter(navigate);
    const unwatch = watchUnauthorized();
    const stop = keepAlive();
    return () => {
      unwatch();
      stop();
    };
  }, [navigate]);
  useEffect(() => {
    if (phase !== 'unreachable') return;
    const timer = setInterval(() => void readSession(), RETRY_MS);
    return () => clearInterval(timer);
  }, [phase]);
  return (
    <>
      <ErrorBoundary onRetry={signIn.fetchAgain}>
        <Content />
      </ErrorBoundary>
      {phase === 'expired' && (
        // A separate boundary: if the file of the sign-in fails to load, the page and all typed text stay.
        <div className={css['over']}>
          <ErrorBoundary onRetry={sessionExpired.fetchAgain}>
            <Suspense fallback={null}>
              <sessionExpired.View />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
      <Toasts />
    </>
  );
}

function Content() {
  const phase = useSession((facts) => facts.phase);
  const registration = useSession((facts) => facts.registration);
  const startError = useSession((facts) => facts.startError);
  const firstRun = useFirstRun((state) => state.step);
  const onItsWay = (
    <GatePage isWaiting>
      <Skeleton rows={3} />
    </GatePage>
  );
  const settingUp = (
    <Suspense fallback={onItsWay}>
      <FirstRun />
    </Suspense>
  );
  switch (phase) {
    case 'starting':
      return onItsWay;
    case 'unreachable':
      return (
        <GatePage isWaiting>
          <ErrorState error={startError} onRetry={() => void readSession()} />
        </GatePage>
      );
    case 'signed-out':
      if (registration === 'first') return settingUp;
      return (
        <Suspense fallback={onItsWay}>
          <signIn.View />
        </Suspense>
      );
    default:
      return firstRun === null ? <Frame /> : settingUp;
  }
}
