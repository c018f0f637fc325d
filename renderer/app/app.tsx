/** The whole page, chosen by the state of the session. */
import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { keepAlive, readSession, useSession } from '../api/session.ts';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Toasts } from '../components/toast.tsx';
import { enter } from './enter.ts';
import { useFirstRun } from './first-run-state.ts';
import { Frame } from './frame.tsx';
import { GatePage } from './gate-page.tsx';
import { SessionExpired, SignIn } from './sign-in.tsx';
import { watchUnauthorized } from './watch-unauthorized.ts';

const RETRY_MS = 2_000;
const FirstRun = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }));

export function App() {
  const phase = useSession((facts) => facts.phase);
  const [, navigate] = useLocation();
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
      <ErrorBoundary>
        <Content />
      </ErrorBoundary>
      {phase === 'expired' && <SessionExpired />}
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
      return registration === 'first' ? settingUp : <SignIn />;
    default:
      return firstRun === null ? <Frame /> : settingUp;
  }
}
