/** Frame of the dashboard: rail, top bar and the screen at the page's address. */
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { desktop } from '../api/desktop.ts';
import { followAccount } from '../api/live.ts';
import { useMaybeAccount, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState, Skeleton } from '../components/states.tsx';
import { useOsNotifications } from '../features/os-notifications/use-os-notifications.ts';
import { CommandPalette } from './command-palette.tsx';
import css from './frame.module.css';
import { GatewayNotice } from './gateway-notice.tsx';
import { PanicNotice } from './panic-notice.tsx';
import { Rail } from './rail.tsx';
import { HIDDEN_SCREENS, SCREENS, type Screen } from './screens.tsx';
import { TopBar } from './top-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const FIRST = SCREENS[0]?.path ?? '/showcase';

/**
 * The Trade screen shows the cards of sent orders beside its ticket, where the frame's cards would cover the button.
 */
const SHOWS_SENT_ORDERS = '/trade';
const KeysDialog = lazy(async () => {
  const { KeysDialog: view } = await import('./keys-dialog.tsx');
  return { default: view };
});
const SentOrderCards = lazy(async () => {
  const { SentOrderCards: view } = await import('../features/sent-orders/sent-order-cards.tsx');
  return { default: view };
});

export function Frame() {
  const account = useMaybeAccount();
  const [location, navigate] = useLocation();
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  const showKeys = useCallback(() => setKeys(true), []);
  const id = account?.id;
  const connector = account?.connector;
  // The stream ended with its session; a new session begins a new stream.
  const signedIn = useSession(({ phase }) => phase === 'signed-in');
  useEffect(
    () =>
      !signedIn || id === undefined || connector === undefined ? undefined : followAccount(id, connector),
    [signedIn, id, connector],
  );
  useOsNotifications();
  useShortcuts({ onPalette: () => setPalette(true), onKeys: showKeys });
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
      <div className={css['notice']}>
        <GatewayNotice />
        <PanicNotice />
      </div>
      <main id="main" className={css['main']} tabIndex={-1}>
        <ErrorBoundary resetOn={location}>
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
      <CommandPalette open={palette} onClose={() => setPalette(false)} onKeys={showKeys} />
      {keys && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      )}
    </div>
  );
}

function isAt(location: string, path: string): boolean {
  return location === path || location.startsWith(`${path}/`);
}

/** The account id is part of the key, so that nothing half-typed for one account is sent on another. */
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
      <Page title={screen.name}>
        <EmptyState
          title="No trade account yet"
          action={
            <Button kind="primary" onClick={() => navigate('/accounts?add')}>
              Add an account
            </Button>
          }
        >
          A paper account is funded with simulated money and needs no credentials.
        </EmptyState>
      </Page>
    );
  return (
    <Suspense fallback={<ScreenOnItsWay name={screen.name} />}>
      <View key={needsAccount ? accountId : 'all'} />
    </Suspense>
  );
}

/** A screen whose file is still being read has its heading already. */
function ScreenOnItsWay({ name }: { readonly name: string }) {
  return (
    <Page title={name}>
      <Skeleton rows={10} />
    </Page>
  );
}

function NoScreen() {
  const [, navigate] = useLocation();
  return (
    <Page title="Not found">
      <EmptyState
        title="There is no such screen"
        action={
          <Button kind="primary" onClick={() => navigate('/', { replace: true })}>
            Go to {SCREENS[0]?.name}
          </Button>
        }
      />
    </Page>
  );
}
