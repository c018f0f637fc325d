/** Every place of the rail: its address below `/app`, its name, and the key that is pressed after `g`. */

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly key: string;
}

export const PLACES = {
  trade: { path: '/trade', name: 'Trade', key: 't' },
  positions: { path: '/positions', name: 'Positions', key: 'p' },
  orders: { path: '/orders', name: 'Orders', key: 'o' },
  history: { path: '/history', name: 'History', key: 'h' },
  portfolio: { path: '/portfolio', name: 'Portfolio', key: 'f' },
  markets: { path: '/markets', name: 'Markets', key: 'm' },
  screener: { path: '/screener', name: 'Screener', key: 'e' },
  notifications: { path: '/notifications', name: 'Notifications', key: 'n' },
  approvals: { path: '/approvals', name: 'Approvals', key: 'v' },
  agents: { path: '/agents', name: 'Agents', key: 'a' },
  developers: { path: '/developers', name: 'Developers', key: 'd' },
  accounts: { path: '/accounts', name: 'Accounts', key: 'c' },
  settings: { path: '/settings', name: 'Settings', key: 's' },
} as const satisfies Readonly<Record<string, Place>>;
