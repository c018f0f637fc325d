/** Results of the command palette: screens, lists, actions, accounts, positions, pending orders, instruments. */
import { Bookmark, ChartCandlestick, Layers, LayoutList, ListOrdered, Moon, Sun, Wallet } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useInstruments, useTicker } from '../api/market.ts';
import { useAllRows, useGet } from '../api/queries.ts';
import { chooseAccount, useAccounts, useMaybeAccount } from '../api/session.ts';
import { changeSettings, shownTheme, useSettings } from '../api/settings.ts';
import { moneyWord } from '../components/badge.tsx';
import { linkOf, savedBasket } from '../features/basket/basket.ts';
import { tradeHref } from '../features/basket-link/basket-link.ts';
import { basketName } from '../features/basket-name/basket-name.ts';
import { type Findable, pairOf } from './command-match.ts';
import { SCREENS } from './screens.tsx';
import { useActions } from './use-actions.ts';

export interface Command extends Findable {
  readonly id: string;
  readonly icon?: ReactNode;
  /** Text at the end of the command's line: a shortcut, an id. */
  readonly hint?: string | undefined;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly name: string;
  /** Too many commands to be listed before something is typed. */
  readonly isTypedFor?: boolean;
  readonly commands: readonly Command[];
}

/** Lists that are tabs of a screen: address, name, screen. */
const LISTS = [
  ['/orders/executions', 'Executions', 'Orders'],
  ['/orders/triggers', 'Triggers', 'Orders'],
  ['/orders/twap', 'TWAP', 'Orders'],
  ['/orders/ladders', 'Ladders', 'Orders'],
  ['/orders/alerts', 'Alerts', 'Orders'],
  ['/orders/open', 'Open orders', 'Orders'],
  ['/positions/by-instrument', 'By instrument', 'Positions'],
  ['/positions/past-tandem', 'Traded outside Tandem', 'Positions'],
  ['/history/trades', 'Closed trades', 'History'],
  ['/history/fills', 'Fills', 'History'],
  ['/history/funding', 'Funding', 'History'],
  ['/markets/pairs', 'Pairs', 'Markets'],
  ['/markets/baskets', 'Baskets', 'Markets'],
  ['/markets/instruments', 'Instruments', 'Markets'],
  ['/markets/saved', 'Saved', 'Markets'],
  ['/developers/keys', 'API keys', 'Developers'],
  ['/developers/requests', 'Requests', 'Developers'],
  ['/developers/stream', 'WebSocket', 'Developers'],
] as const;

/** @param onKeys opens the list of keyboard shortcuts */
export function useCommands(onKeys: () => void): readonly CommandGroup[] {
  const [, navigate] = useLocation();
  const accounts = useAccounts();
  const theme = useSettings(shownTheme);
  const actions = useActions(onKeys);
  const instruments = useInstruments();
  const held = useHeldCommands();
  return useMemo(() => {
    const other = theme === 'dark' ? 'light' : 'dark';
    return [
      ...held,
      {
        name: 'Screens',
        commands: SCREENS.map(({ path, name, icon: Icon, key }) => ({
          id: path,
          name,
          icon: <Icon aria-hidden="true" />,
          hint: key === '' ? undefined : `g ${key}`,
          run: () => navigate(path),
        })),
      },
      {
        name: 'Do',
        commands: actions.map(({ name, icon: Icon, keys, act }) => ({
          id: name,
          name,
          icon: <Icon aria-hidden="true" />,
          hint: keys,
          run: act,
        })),
      },
      {
        name: 'Accounts',
        commands:
          accounts.length < 2
            ? []
            : accounts.map(({ id, alias, mode, network }) => ({
                id,
                name: alias,
                words: 'account',
                icon: <Wallet aria-hidden="true" />,
                hint: moneyWord({ mode, network }),
                run: () => chooseAccount(id),
              })),
      },
      {
        name: 'View',
        commands: [
          {
            id: 'theme',
            name: `Use the ${other} theme`,
            icon: other === 'light' ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />,
            run: () => changeSettings({ theme: other }),
          },
        ],
      },
      {
        name: 'Lists',
        isTypedFor: true,
        commands: LISTS.map(([path, name, screen]) => ({
          id: path,
          name,
          icon: <LayoutList aria-hidden="true" />,
          hint: screen,
          run: () => navigate(path),
        })),
      },
      {
        name: 'Trade',
        commands: instruments.map(({ id, symbol }) => ({
          id,
          name: symbol,
          words: `${id} trade`,
          icon: <ChartCandlestick aria-hidden="true" />,
          hint: id,
          run: () => navigate(tradeHref({ long: [id], short: [] })),
        })),
      },
    ];
  }, [navigate, actions, accounts, theme, instruments, held]);
}

/** Verbs on a position, with the word after them. */
const VERBS = [
  { act: 'close', name: 'Close' },
  { act: 'half', name: 'Close half of' },
  { act: 'reverse', name: 'Reverse' },
  { act: 'brackets', name: 'Set take-profit and stop-loss of' },
  { act: 'adjust', name: 'Adjust the size of' },
] as const;

const WAITING = [
  { path: '/orders/triggers', name: 'Trigger' },
  { path: '/orders/twap', name: 'TWAP' },
  { path: '/orders/ladders', name: 'Ladder' },
] as const;

/** Pending orders at the gateway, by basket. */
function useWaitingCommands(): readonly Command[] {
  const [, navigate] = useLocation();
  const enabled = useMaybeAccount() !== null;
  const tickerOf = useTicker();
  const query = { query: { status: ['ACTIVE', 'PAUSED'] as ('ACTIVE' | 'PAUSED')[], limit: 200 } };
  const triggers = useAllRows('GET /triggers', query, { enabled }).data;
  const schedules = useAllRows('GET /schedules', query, { enabled }).data;
  const ladders = useAllRows('GET /ladders', { query: { limit: 200 } }, { enabled }).data;
  return useMemo(() => {
    const lists = [
      triggers?.filter(({ ladderId }) => ladderId === null),
      schedules,
      ladders?.filter(({ status }) => status === 'ACTIVE'),
    ];
    return WAITING.flatMap(({ path, name }, index) =>
      (lists[index] ?? []).map(({ id, legs }) => ({
        id,
        name: `${name} ${basketName(legs, tickerOf).text}`,
        words: 'order waiting',
        icon: <ListOrdered aria-hidden="true" />,
        hint: 'order',
        run: () => navigate(path),
      })),
    );
  }, [navigate, tickerOf, triggers, schedules, ladders]);
}

/** Open positions and saved baskets of the account. */
function useHeldCommands(): readonly CommandGroup[] {
  const [, navigate] = useLocation();
  const enabled = useMaybeAccount() !== null;
  const tickerOf = useTicker();
  const positions = useAllRows(
    'GET /positions',
    { query: { status: ['OPEN'], limit: 200 } },
    { enabled },
  ).data;
  const waiting = useWaitingCommands();
  const saved = useGet('GET /saved-baskets', {}, { enabled }).data?.savedBaskets;
  return useMemo(
    () => [
      {
        name: 'Positions',
        commands: (positions ?? []).map(({ id, legs }) => ({
          id,
          name: basketName(legs, tickerOf).text,
          words: 'position',
          icon: <Layers aria-hidden="true" />,
          hint: 'position',
          run: () => navigate(`/positions/${id}`),
        })),
      },
      {
        name: 'On positions',
        isTypedFor: true,
        commands: (positions ?? []).flatMap(({ id, legs }) =>
          VERBS.map(({ act, name }) => ({
            id: `${act} ${id}`,
            name: `${name} ${basketName(legs, tickerOf).text}`,
            icon: <Layers aria-hidden="true" />,
            run: () => navigate(`/positions?do=${act}&on=${id}`),
          })),
        ),
      },
      { name: 'Orders', isTypedFor: true, commands: waiting },
      {
        name: 'Saved baskets',
        commands: (saved ?? []).map(({ id, name, legs }) => ({
          id,
          name,
          words: `saved basket ${legs.map(({ symbol }) => symbol).join(' ')}`,
          icon: <Bookmark aria-hidden="true" />,
          hint: 'trade',
          run: () => navigate(tradeHref(linkOf(savedBasket(legs)))),
        })),
      },
    ],
    [navigate, tickerOf, positions, saved, waiting],
  );
}

/** The typed pair in both directions, whether or not it was traded before. */
export function usePairCommands(typed: string): readonly Command[] {
  const [, navigate] = useLocation();
  const pair = pairOf(useInstruments(), typed);
  if (pair === null) return [];
  const [one, other] = pair;
  return [[one, other] as const, [other, one] as const].map(([long, short]) => ({
    id: `pair ${long.id} ${short.id}`,
    name: `${long.symbol} / ${short.symbol}`,
    icon: <ChartCandlestick aria-hidden="true" />,
    hint: 'trade',
    run: () => navigate(tradeHref({ long: [long.id], short: [short.id] })),
  }));
}
