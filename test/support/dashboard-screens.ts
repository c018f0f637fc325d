/** The screens of the dashboard as its user knows them, in the order of the rail. */
export const SCREENS = [
  { name: 'Trade', path: '/trade', key: 't' },
  { name: 'Positions', path: '/positions', key: 'p' },
  { name: 'Orders', path: '/orders', key: 'o' },
  { name: 'History', path: '/history', key: 'h' },
  { name: 'Portfolio', path: '/portfolio', key: 'f' },
  { name: 'Markets', path: '/markets', key: 'm' },
  { name: 'Screener', path: '/screener', key: 'e' },
  { name: 'Notifications', path: '/notifications', key: 'n' },
  { name: 'Approvals', path: '/approvals', key: 'v' },
  { name: 'Agents', path: '/agents', key: 'a' },
  { name: 'Developers', path: '/developers', key: 'd' },
  { name: 'Accounts', path: '/accounts', key: 'c' },
  { name: 'Settings', path: '/settings', key: 's' },
] as const;
