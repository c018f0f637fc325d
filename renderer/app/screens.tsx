/** Every screen: its place, its icon, its file. A line here and in `places.ts` is all that a screen needs. */
import {
  Bell,
  Bot,
  ChartCandlestick,
  ChartLine,
  CodeXml,
  History,
  Layers,
  LayoutList,
  ListOrdered,
  type LucideIcon,
  ScanSearch,
  Settings,
  ShieldQuestion,
  Store,
  Wallet,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { PLACES, type Place } from './places.ts';

export interface Screen extends Place {
  readonly icon: LucideIcon;
  readonly view: ComponentType;
  /** Loads the screen's file, also ahead of showing it. */
  readonly load: Loader;
  /** False: the screen works without a trade account. */
  readonly needsAccount: boolean;
}

type Loader = () => Promise<{ readonly default: ComponentType }>;

function screen(place: Place, icon: LucideIcon, load: Loader, needsAccount = true): Screen {
  return { ...place, icon, view: lazy(load), load, needsAccount };
}

/** Screens in the order of the rail. */
export const SCREENS: readonly Screen[] = [
  screen(PLACES.trade, ChartCandlestick, () => import('../screens/trade/trade.tsx')),
  screen(PLACES.positions, Layers, () => import('../screens/positions/positions.tsx')),
  screen(PLACES.orders, ListOrdered, () => import('../screens/orders/orders.tsx')),
  screen(PLACES.history, History, () => import('../screens/history/history.tsx')),
  screen(PLACES.portfolio, ChartLine, () => import('../screens/portfolio/portfolio.tsx')),
  screen(PLACES.markets, Store, () => import('../screens/markets/markets.tsx')),
  screen(PLACES.screener, ScanSearch, () => import('../screens/screener/screener.tsx')),
  screen(PLACES.notifications, Bell, () => import('../screens/notifications/notifications.tsx')),
  screen(PLACES.approvals, ShieldQuestion, () => import('../screens/approvals/approvals.tsx'), false),
  screen(PLACES.agents, Bot, () => import('../screens/agents/agents.tsx'), false),
  screen(PLACES.developers, CodeXml, () => import('../screens/developers/developers.tsx'), false),
  screen(PLACES.accounts, Wallet, () => import('../screens/accounts/accounts.tsx'), false),
  screen(PLACES.settings, Settings, () => import('../screens/settings/settings.tsx'), false),
];

/** The screens of the rail, and those that the rail does not list. */
export const ALL_SCREENS: readonly Screen[] = [
  ...SCREENS,
  screen(
    { path: '/showcase', name: 'Showcase', key: '' },
    LayoutList,
    () => import('../screens/showcase/showcase.tsx'),
    false,
  ),
];

export function isAt(address: string, path: string): boolean {
  return address === path || address.startsWith(`${path}/`);
}

/** @param address below `/app` */
export function screenAt(address: string): Screen | undefined {
  return ALL_SCREENS.find(({ path }) => isAt(address, path));
}

/** Fetches the screen of an address while other data are still loading. @param address below `/app` */
export function loadAhead(address: string): void {
  // A failed load is repeated, and its error shown, when the screen opens.
  (screenAt(address) ?? SCREENS[0])?.load().catch(() => undefined);
}
