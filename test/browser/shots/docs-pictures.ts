/** The pictures of the documentation: which state is taken for which file, in which theme. */

export interface DocsPicture {
  /** Below `docs`. */
  readonly file: string;
  readonly screen: string;
  readonly state: string;
  readonly theme: 'dark' | 'light';
}

const of = (screen: string, state: string, file: string, theme: DocsPicture['theme']): DocsPicture => ({
  file: file.includes('.') ? file : `screens/${file}.webp`,
  screen,
  state,
  theme,
});

export const DOCS_PICTURES: readonly DocsPicture[] = [
  of('desk', 'trade', 'dashboard.png', 'dark'),
  of('desk', 'trade-review', 'trade-review', 'light'),
  of('desk', 'positions', 'positions.png', 'dark'),
  of('desk', 'positions-reverse', 'positions-reverse', 'light'),
  of('desk', 'orders', 'orders', 'dark'),
  of('desk', 'orders-ladder', 'orders-ladder', 'light'),
  of('desk', 'history', 'history', 'dark'),
  of('desk', 'history-fills', 'history-fills', 'light'),
  of('desk', 'portfolio', 'portfolio', 'dark'),
  of('desk', 'portfolio-days', 'portfolio-days', 'light'),
  of('desk', 'markets', 'markets', 'dark'),
  of('desk', 'markets-instruments', 'markets-instruments', 'light'),
  of('desk', 'screener', 'screener', 'dark'),
  of('desk', 'screener-filtered', 'screener-filtered', 'light'),
  of('desk', 'notifications', 'notifications', 'dark'),
  of('desk', 'notifications-outside', 'notifications-outside', 'light'),
  of('desk', 'approvals', 'approvals', 'dark'),
  of('desk', 'approvals-list', 'approvals-list', 'light'),
  of('desk', 'agents', 'agents', 'dark'),
  of('consent', 'choice-of-writing', 'consent', 'light'),
  of('desk', 'developers', 'developers', 'dark'),
  of('desk', 'developers-requests', 'developers-requests', 'light'),
  of('desk', 'accounts', 'accounts', 'dark'),
  of('desk', 'accounts-add', 'accounts-add', 'light'),
  of('desk', 'settings', 'settings', 'dark'),
  of('desk', 'settings-below', 'settings-below', 'light'),
  of('entry', 'checks', 'first-run', 'dark'),
  of('entry', 'sign-in', 'sign-in', 'light'),
  of('desk', 'commands', 'commands', 'dark'),
  of('frame', 'keys', 'keyboard', 'light'),
];
