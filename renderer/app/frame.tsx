/** Rail, top bar and the screen of the address. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { desktop } from '../api/desktop.ts';
import { followAccount } from '../api/live.ts';
import { useMaybeAccount, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { EmptyState, Skeleton } from '../components/states.tsx';
import { useOsNotifications } from '../features/os-notifications/use-os-notifications.ts';
import { CommandPalette } from './command-palette.tsx';
import css from './frame.module.css';
import { Rail } from './rail.tsx';
import { HIDDEN_SCREENS, SCREENS, type Screen } from './screens.tsx';
import { TopBar } from './top-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const FIRST = SCREENS[0]?.path ?? '/showcase';

/** Trade shows them beside its ticket, whose button they would cover. */
const SHOWS_SENT_ORDERS = '/trade';
const SentOrderCards = lazy(async () => {
  const { SentOrderCards: view } = await import('../features/sent-orders/sent-order-cards.tsx');
  return { default: view };
});

export function Frame() {
  const account = useMaybeAccount();
  const [location, navigate] = useLocation();
  const [palette, setPalette] = useState(false);
  const id = account?.id;
  const connector = account?.connector;
  // A session that ended took its stream along; the next one begins another.
  const signedIn = useSession(({ phase }) => phase === 'signed-in');
  useEffect(
    () =>
      !signedIn || id === undefined || connector === undefined ? undefined : followAccount(id, connector),
    [signedIn, id, connector],
  );
  useOsNotifications();
  useShortcuts(() => setPalette(true));
  useEffect(() => desktop.onScreenAsked((path) => navigate(path)), [navigate]);
  useEffect(() => {
    const screen = [...SCREENS, ...HIDDEN_SCREENS].find(({ path }) => isAt(location, path));
    document.title = screen === undefined ? 'Tandem' : `${screen.name} · Tandem`;
  }, [location]);
  return (
    <div className={css['frame']}>
      <a className={css['skip']} href="#main">
        Skip to the screen
      </a>
      <Rail />
      <TopBar onPalette={() => setPalette(true)} />
      <main id="main" className={css['main']} tabIndex={-1}>
        <ErrorBoundary resetOn={location}>
          <Suspense fallback={<Skeleton rows={10} />}>
            <Switch>
              <Route path="/">
                <Redirect to={FIRST} replace />
              </Route>
              {[...SCREENS, ...HIDDEN_SCREENS].map((screen) => (
                <Route key={screen.path} path={`${screen.path}/*?`}>
                  <Shown screen={screen} hasAccount={account !== null} accountId={id} />
                </Route>
              ))}
              <Route>
                <NoScreen />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      {account !== null && !isAt(location, SHOWS_SENT_ORDERS) && (
        <ErrorBoundary>
          <Suspense fallback={null}>
            <div className={css['cards']}>
              <SentOrderCards key={id} />
            </div>
          </Suspense>
        </ErrorBoundary>
      )}
      <CommandPalette open={palette} onClose={() => setPalette(false)} />
    </div>
  );
}

function isAt(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}

/** Another account is another screen: nothing half-typed for one is sent on the other. */
function Shown({
  screen,
  hasAccount,
  accountId,
}: {
  readonly screen: Screen;
  readonly hasAccount: boolean;
  readonly accountId: string | undefined;
}) {
  const { view: View, needsAccount } = screen;
  const [, navigate] = useLocation();
  if (needsAccount && !hasAccount)
    return (
      <EmptyState
        title="No trade account yet"
        action={
          <Button kind="primary" onClick={() => navigate('/accounts')}>
            Add an account
          </Button>
        }
      >
        A paper account is funded with simulated money and needs no credentials.
      </EmptyState>
    );
  return <View key={needsAccount ? accountId : 'all'} />;
}

function NoScreen() {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      title="There is no such screen"
      action={<Button onClick={() => navigate('/', { replace: true })}>Go to the first one</Button>}
    />
  );
}
