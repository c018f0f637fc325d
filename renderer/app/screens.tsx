/** Every screen: its place in the rail, its address, its file. A line here is all that a screen needs. */
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
  Settings,
  Store,
  Wallet,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';

export interface Screen {
  /** Below `/app`; the screen gets what follows it. */
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Pressed after `g`. */
  readonly key: string;
  readonly view: ComponentType;
  /** Its file, before it is shown. */
  readonly load: Loader;
  /** Shown without a trade account too. */
  readonly needsAccount: boolean;
}

type Loader = () => Promise<{ readonly default: ComponentType }>;

function screen(
  path: string,
  name: string,
  key: string,
  icon: LucideIcon,
  load: Loader,
  needsAccount = true,
): Screen {
  return { path, name, key, icon, view: lazy(load), load, needsAccount };
}

export const SCREENS: readonly Screen[] = [
  screen('/trade', 'Trade', 't', ChartCandlestick, () => import('../screens/trade/trade.tsx')),
  screen('/positions', 'Positions', 'p', Layers, () => import('../screens/positions/positions.tsx')),
  screen('/orders', 'Orders', 'o', ListOrdered, () => import('../screens/orders/orders.tsx')),
  screen('/history', 'History', 'h', History, () => import('../screens/history/history.tsx')),
  screen('/portfolio', 'Portfolio', 'f', ChartLine, () => import('../screens/portfolio/portfolio.tsx')),
  screen('/markets', 'Markets', 'm', Store, () => import('../screens/markets/markets.tsx')),
  screen(
    '/notifications',
    'Notifications',
    'n',
    Bell,
    () => import('../screens/notifications/notifications.tsx'),
  ),
  screen('/agents', 'Agents', 'a', Bot, () => import('../screens/agents/agents.tsx'), false),
  screen(
    '/developers',
    'Developers',
    'd',
    CodeXml,
    () => import('../screens/developers/developers.tsx'),
    false,
  ),
  screen('/accounts', 'Accounts', 'c', Wallet, () => import('../screens/accounts/accounts.tsx'), false),
  screen('/settings', 'Settings', 's', Settings, () => import('../screens/settings/settings.tsx'), false),
];

/** Fetches the screen of an address while something else is waited for. @param address below `/app` */
export function loadAhead(address: string): void {
  const wanted = [...SCREENS, ...HIDDEN_SCREENS].find(
    ({ path }) => address === path || address.startsWith(`${path}/`),
  );
  // What cannot be loaded now is loaded, and its failure told, when the screen is shown.
  (wanted ?? SCREENS[0])?.load().catch(() => undefined);
}

/** Not in the rail. */
export const HIDDEN_SCREENS: readonly Screen[] = [
  screen('/showcase', 'Showcase', '', LayoutList, () => import('../screens/showcase/showcase.tsx'), false),
];
