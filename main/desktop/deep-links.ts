/**
 * `tandem://position/<id>` shows a screen. A link carries an id, never an action: no link makes the app send an order.
 */

const ID = /^[A-Za-z0-9-]{1,64}$/;

/** Host of the link → the screen of the dashboard. */
const SCREENS: Readonly<Record<string, { readonly path: string; readonly takesId: boolean }>> = {
  position: { path: '/positions', takesId: true },
  positions: { path: '/positions', takesId: false },
  orders: { path: '/orders', takesId: false },
  trade: { path: '/trade', takesId: false },
  markets: { path: '/markets', takesId: false },
  portfolio: { path: '/portfolio', takesId: false },
  history: { path: '/history', takesId: false },
  notifications: { path: '/notifications', takesId: false },
  agents: { path: '/agents', takesId: false },
};

/** Path of the screen; null: the link is not of this app, or carries more than an id. */
export function screenOfLink(text: string): string | null {
  if (text.length > 200 || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'tandem:' || url.search !== '' || url.hash !== '') return null;
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  const screen = Object.hasOwn(SCREENS, url.hostname) ? SCREENS[url.hostname] : undefined;
  if (screen === undefined) return null;
  if (url.pathname === '' || url.pathname === '/') return screen.path;
  const id = url.pathname.slice(1);
  return screen.takesId && ID.test(id) ? `${screen.path}/${id}` : null;
}

/** On Windows and Linux, following a link starts the app a second time with the link as an argument. */
export function linkAmong(argv: readonly string[]): string | null {
  return argv.find((argument) => argument.startsWith('tandem://')) ?? null;
}
