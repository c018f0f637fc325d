/** Frame of the dashboard: rail, top bar and the screen at the page's address. */
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { desktop } from '../api/desktop.ts';
import { followAccount } from '../api/live.ts';
import { chooseAccount, useAccounts, useMaybeAccount, useSession } from '../api/session.ts';
import { ahead } from '../components/ahead.tsx';
import { AccountMark, markOf, moneyWord } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState, Skeleton } from '../components/states.tsx';
import { useBasketAsked } from '../features/basket-search/basket-search.ts';
import { useOsNotifications } from '../features/os-notifications/use-os-notifications.ts';
import type { Sought } from './command-palette.tsx';
import css from './frame.module.css';
import { GatewayNotice } from './gateway-notice.tsx';
import { PanicNotice } from './panic-notice.tsx';
import { PLACES } from './places.ts';
import { Rail } from './rail.tsx';
import { ALL_SCREENS, isAt, type Screen, screenAt } from './screens.tsx';
import { TopBar } from './top-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

/** The Trade screen shows the cards of sent orders beside its ticket. In the frame they would cover its button. */
const SHOWS_SENT_ORDERS = PLACES.trade.path;
// Not needed for the first render: loaded right after it, so that it is ready when somebody opens it.
const commands = ahead(async () => (await import('./command-palette.tsx')).CommandPalette);
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }));
const SentOrderCards = lazy(async () => ({
  default: (await import('../features/sent-orders/sent-order-cards.tsx')).SentOrderCards,
}));

export function Frame() {
  const account = useMaybeAccount();
  const [location, navigate] = useLocation();
  const [palette, setPalette] = useState<Sought | null>(null);
  const [keys, setKeys] = useState(false);
  commands.useFetched();
  const showKeys = useCallback(() => setKeys(true), []);
  const id = account?.id;
  const connector = account?.connector;
  const money = account === null ? undefined : moneyWord(account);
  // The stream ends with its session; a new session starts a new stream.
  const signedIn = useSession(({ phase }) => phase === 'signed-in');
  useEffect(
    () =>
      !signedIn || id === undefined || connector === undefined ? undefined : followAccount(id, connector),
    [signedIn, id, connector],
  );
  useOsNotifications();
  useShortcuts({ onPalette: () => setPalette('ALL'), onKeys: showKeys });
  useBasketAsked((otherThan) => setPalette({ otherThan }));
  // A basket search belongs to an account, which may be removed in another tab meanwhile.
  if (account === null && palette !== null && palette !== 'ALL') setPalette(null);
  useEffect(() => desktop.onScreenAsked((path) => navigate(path)), [navigate]);
  useEffect(() => {
    const screen = screenAt(location);
    const name = screen === undefined ? 'Tandem' : `${screen.name} · Tandem`;
    // The money word comes first, because tabs and task bars cut titles at their end.
    document.title = money === undefined ? name : `${money} · ${name}`;
  }, [location, money]);
  return (
    <div className={css['frame']}>
      <a className={css['skip']} href="#main">
        Skip to the screen
      </a>
      <Rail />
      <TopBar onPalette={() => setPalette('ALL')} />
      <div className={css['notice']}>
        <GatewayNotice hasStream={account !== null} />
        <PanicNotice />
      </div>
      <main id="main" className={css['main']} tabIndex={-1}>
        <ErrorBoundary resetOn={location}>
          <Switch>
            <Route path="/">
              <Redirect to={PLACES.trade.path} replace />
            </Route>
            {ALL_SCREENS.map((screen) => (
              <Route key={screen.path} path={`${screen.path}/*?`}>
                <Shown screen={screen} accountId={id} />
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
      {palette !== null && (
        <Suspense fallback={null}>
          <commands.View sought={palette} onClose={() => setPalette(null)} onKeys={showKeys} />
        </Suspense>
      )}
      {keys && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** The account id is part of the key, so that nothing half-typed for one account is sent on another. */
function Shown({ screen, accountId }: { readonly screen: Screen; readonly accountId: string | undefined }) {
  const { view: View, needsAccount } = screen;
  const [, navigate] = useLocation();
  const accounts = useAccounts();
  // A screen whose file is still loading shows its heading already.
  const onItsWay = (
    <Page title={screen.name}>
      <Skeleton rows={10} />
    </Page>
  );
  if (needsAccount && accountId === undefined && accounts.length > 0)
    return (
      <Page title={screen.name}>
        <EmptyState
          title="Choose a trade account"
          action={
            <span className={css['choices']}>
              {accounts.map((one) => (
                <Button key={one.id} onClick={() => chooseAccount(one.id)}>
                  <AccountMark {...markOf(one)} />
                </Button>
              ))}
            </span>
          }
        >
          Every account here is live. Choose the one to show.
        </EmptyState>
      </Page>
    );
  if (needsAccount && accountId === undefined)
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
          A paper account has play money and needs no credentials.
        </EmptyState>
      </Page>
    );
  return (
    <Suspense fallback={onItsWay}>
      <View key={needsAccount ? accountId : 'all'} />
    </Suspense>
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
            Go to {PLACES.trade.name}
          </Button>
        }
      />
    </Page>
  );
}
