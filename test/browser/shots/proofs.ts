/**
 * Proofs that a picture shows the state it is named after. Each is waited for, and brought into view, before each
 * picture in each size and theme. A state without a proof is a finding.
 */

import type { Locator, Page } from 'playwright-core';
import { chosenInterval } from '../../support/chart-interval.ts';

type Proof = (page: Page) => Locator;

const text =
  (words: string | RegExp): Proof =>
  (page) =>
    page.getByText(words).first();
const dialog = (page: Page) => page.getByRole('dialog').last();
const inDialog =
  (words: string | RegExp): Proof =>
  (page) =>
    dialog(page).getByText(words).first();
/** A row of the table of this name. */
const row =
  (table: string, words: string | RegExp = /./): Proof =>
  (page) =>
    page
      .getByRole('table', { name: table, exact: true })
      .locator('tr[data-row]')
      .filter({ hasText: words })
      .first();
const anyRow: Proof = (page) => page.getByRole('table').locator('[data-row]').first();
const image =
  (name: RegExp): Proof =>
  (page) =>
    page.getByRole('img', { name }).first();
const option: Proof = (page) => page.getByRole('option').first();
const heading =
  (name: string | RegExp): Proof =>
  (page) =>
    page.getByRole('heading', { name }).first();
const menu: Proof = (page) => page.getByRole('menu');
const columns =
  (table: string): Proof =>
  (page) =>
    page.getByRole('group', { name: `Columns of ${table}` }).getByRole('button', { name: 'Automatic' });
/** The column stands: over a narrow list of cards it is the name of a figure. */
const column =
  (name: string): Proof =>
  (page) =>
    page.locator(`[data-row] [data-name="${name}"]`).first();
/** Legs of an opened position: a table, in narrow windows a list. */
const legs: Proof = (page) => page.getByLabel('Legs', { exact: true }).first();
/** In a panel of the screen itself: what stands for a screen whose file is on its way has none. */
const loading: Proof = (page) => page.locator('main section [role=status] [class*=bar]').first();
const refused = text('The account may not be read');
/** In the bar or, where that is narrow, beside the screen's title. */
const stale: Proof = (page) =>
  page
    .getByText(/^Stale \d+ s$/)
    .filter({ visible: true })
    .first();
const usual = { loading, error: refused, stale };
const ticket = (page: Page) => page.getByRole('form', { name: 'Ticket' });
const inTicket =
  (words: string | RegExp): Proof =>
  (page) =>
    ticket(page).getByText(words).first();
const inDock =
  (tab: RegExp, words: RegExp = /./): Proof =>
  (page) =>
    page
      .getByRole('region', { name: 'This account' })
      .filter({ has: page.getByRole('tab', { name: tab, selected: true }) })
      .getByRole('tabpanel')
      .filter({ hasText: words });
const card = (page: Page) => page.getByRole('region', { name: 'Sent orders' }).getByRole('article').first();
const inCard =
  (words: string): Proof =>
  (page) =>
    card(page).getByText(words).first();
const step =
  (...words: readonly (string | RegExp)[]): Proof =>
  (page) =>
    words.reduce<Locator>((found, one) => found.filter({ hasText: one }), dialog(page));

/** Screen → state → proof. */
export const PROOFS: Readonly<Record<string, Readonly<Record<string, Proof>>>> = {
  trade: {
    empty: text('No basket yet'),
    picker: option,
    loading,
    error: refused,
    pair: image(/^Chart of/),
    wide: (page) => page.getByRole('list', { name: 'Long legs' }).getByText('AVAX').first(),
    'twenty-legs': (page) => page.getByRole('list', { name: 'Short legs' }).getByText('ARB').first(),
    'not-whole': text(/not 100 %/),
    'basket-as-text': (page) => page.getByRole('alert').getByText('XYZ'),
    leverage: (page) => page.getByRole('dialog', { name: 'Leverage of BTC' }),
    'funding-history': inDialog('720 of 720'),
    'saved-menu': menu,
    'save-basket': inDialog('Needed'),
    options: (page) => ticket(page).getByRole('checkbox', { name: /^Trailing/, checked: true }),
    'by-risk': (page) => ticket(page).locator('[data-note=stopLoss]'),
    'lower-pane': (page) =>
      page.getByRole('combobox', { name: 'Below the candles' }).getByText('With spread z'),
    'set-level': (page) => page.getByRole('dialog', { name: /^Set a level at/ }),
    trigger: image(/Trigger 30/),
    twap: inTicket('10 slices'),
    ladder: image(/5 26/),
    select: option,
    errors: inTicket('Needed'),
    problems: (page) => ticket(page).getByRole('list', { name: 'Problems' }),
    'z-score': image(/^Spread z of/),
    'ratio-z': image(/^Z-score of the price ratio .*Trigger/),
    spread: image(/^Spread of/),
    'unknown-instrument': text(/does not have NOPE-PERP/),
    stale,
    review: (page) => dialog(page).getByRole('row', { name: /BTC/ }).first(),
    'review-of-a-ladder': step('Ladder', /rungs?/i),
    'review-of-a-trigger': step('Review the trigger', 'Take-profit', 'Stop-loss'),
    working: (page) => card(page).getByRole('status').filter({ hasText: 'Working' }),
    'partly-failed': inCard('SOL is held, DOGE is not'),
    unknown: inCard('Unknown: checking'),
    filled: inCard('Filled'),
    held: image(/Entry \d/),
    'moved-stop': (page) => page.getByRole('slider', { name: /^Move SL/ }).and(page.locator('[data-moved]')),
    trailing: image(/SL/),
    'cancel-on-line': (page) => page.getByRole('dialog', { name: /SL|Stop|Cancel/ }),
    'other-interval': (page) => chosenInterval(page, '1m'),
    adds: inTicket('Liquidation after'),
    'review-of-an-add': step('BTC', /Adjust|after/),
    'short-of-margin': (page) => ticket(page).getByRole('list', { name: 'Problems' }),
    opposite: text(/You hold/),
    'review-of-a-twap': step('TWAP', /slices/),
    'dock-alerts': inDock(/^Alerts/, /BTC/),
    'dock-positions': inDock(/^Positions/, /BTC/),
    'dock-orders': inDock(/^Open orders/),
    'dock-triggers': inDock(/^Triggers/, /BTC/),
    'dock-plans': inDock(/^TWAP and ladders/, /BTC/),
    'dock-fills': inDock(/^Fills/, /BTC/),
    'dock-book': inDock(/^Book/, /\d/),
    'past-tandem': inTicket(/traded outside Tandem/),
    paused: inTicket(/paused/),
    'indicator-menu': (page) => page.getByRole('dialog', { name: 'Indicators' }),
    indicators: (page) => page.locator('[data-readout]').getByText(/^RSI/),
    'large-chart': (page) => page.getByRole('button', { name: 'Smaller chart' }),
    legs: (page) => page.locator('[data-readout]').getByText(/^AVAX/),
    drawings: (page) => page.getByRole('slider', { name: 'End of the trend line' }),
    'draw-menu': (page) => page.getByRole('dialog', { name: 'Draw' }),
  },
  positions: {
    empty: text('No open positions'),
    ...usual,
    live: row('Open positions', /ETH/),
    expanded: legs,
    menu,
    choosing: (page) => page.getByRole('button', { name: 'Close 2…' }),
    'close-several': (page) => page.getByRole('dialog', { name: 'Close 3 positions' }),
    'at-work': (page) =>
      page.getByRole('table', { name: 'Open positions' }).getByRole('link', { name: /^TWAP/ }),
    close: (page) => page.getByRole('dialog', { name: /^Close/ }),
    'close-twap': (page) => dialog(page).getByRole('radio', { name: 'TWAP', checked: true }),
    'close-trigger-errors': inDialog('Must be at most'),
    adjust: (page) => page.getByRole('dialog', { name: /^Adjust/ }),
    columns: columns('Open positions'),
    chosen: column('Funding'),
    'adjust-typed': inDialog('Liquidation after'),
    'reduce-typed': inDialog('Liquidation after'),
    'close-half': inDialog('Liquidation after'),
    'drawer-weighted': (page) => dialog(page).getByRole('radio', { name: 'Weighted ratio', checked: true }),
    'drawer-basket': (page) =>
      dialog(page)
        .getByRole('img', { name: /^Chart of/ })
        .first(),
    'adjust-leg-by-leg': (page) => dialog(page).getByRole('radio', { name: 'Leg by leg', checked: true }),
    reverse: (page) => page.getByRole('dialog', { name: /^Reverse/ }),
    brackets: (page) => page.getByRole('dialog', { name: /Take-profit|Brackets/ }),
    'brackets-after-a-half': (page) => page.getByText('for the present size'),
    rebalance: (page) => page.getByRole('table', { name: 'Rebalance plan' }),
    'rebalance-automatically': (page) =>
      dialog(page).getByRole('tab', { name: 'Automatically', selected: true }),
    margin: (page) => page.getByRole('dialog', { name: /margin/i }),
    'drawer-chart': (page) =>
      dialog(page)
        .getByRole('img', { name: /^Chart of/ })
        .first(),
    'drawer-indicators': (page) => page.getByRole('dialog', { name: 'Indicators' }),
    'drawer-fills': (page) => dialog(page).getByRole('tabpanel').locator('[data-row]').first(),
    'drawer-timeline': (page) =>
      dialog(page)
        .getByRole('tabpanel')
        .getByText(/Opened|Open/)
        .first(),
    'venue-differs': (page) => page.getByRole('region', { name: 'The venue and your baskets differ' }),
    'by-instrument': (page) => page.getByRole('table', { name: 'By instrument' }).getByText('BTC').first(),
    'past-tandem': (page) =>
      page.getByRole('table', { name: 'Fills outside Tandem' }).getByText('ATOM').first(),
    settle: (page) => dialog(page).getByRole('radio').first(),
    'drawer-missing': text('There is no such position'),
  },
  orders: {
    'executions-empty': text('No executions yet'),
    'triggers-empty': text('No triggers'),
    'twap-empty': text('No TWAP schedules'),
    'ladders-empty': text('No ladders'),
    'alerts-empty': text('No alerts'),
    'open-empty': text('No open orders'),
    ...usual,
    executions: row('Orders of the execution'),
    triggers: row('Triggers'),
    'change-trigger': inDialog('Needed'),
    'change-trigger-typed': inDialog(/^The position's own/),
    'cancel-all': (page) => page.getByRole('dialog', { name: /Cancel/ }),
    twap: row('Slices'),
    alerts: row('Alerts'),
    'alert-change': (page) => page.getByRole('dialog', { name: 'Change alert' }),
    ladders: row('Rungs'),
    'change-rung': (page) => page.getByRole('dialog', { name: /rung/i }),
    open: row('Open orders'),
  },
  history: {
    ...Object.fromEntries(
      [
        ['trades', 'No closed trades yet'],
        ['fills', 'No fills yet'],
        ['funding', 'No funding yet'],
      ].flatMap(([view, empty]): [string, Proof][] => [
        [`${view}-empty`, text(empty ?? '')],
        [`${view}-loading`, loading],
        [`${view}-error`, refused],
      ]),
    ),
    trades: (page) => page.getByRole('list', { name: 'Steps' }),
    fills: row('Fills'),
    funding: row('Funding payments', /LINK|DOGE/),
    'funding-days': text('No funding on these days'),
    'trades-columns': columns('Closed trades'),
    'trades-chosen': column('Fees'),
    'fills-chosen': column('Placed by'),
    'no-span': text('The first day is after the last'),
    exported: text('3 rows written'),
    stale,
  },
  portfolio: {
    empty: text('Nothing was traded in this range'),
    live: (page) => page.getByRole('figure', { name: /^Equity by day/ }),
    below: (page) => page.getByRole('table').last(),
    year: image(/^PnL of each day/),
    week: (page) => page.getByRole('radio', { name: '7 days', checked: true }),
    ...usual,
  },
  markets: {
    pairs: row('Pairs'),
    baskets: row('Baskets'),
    instruments: row('Instruments'),
    'saved-empty': text('No saved baskets'),
    saved: row('Saved baskets', /Majors/),
    found: row('Pairs', /SOL/),
    'nothing-found': text('No pairs match'),
    pair: inDialog('Hedge ratio'),
    'new-basket': (page) => dialog(page).locator('[role=alert], [aria-invalid=true]').first(),
    ...usual,
  },
  screener: {
    pairs: row('Pairs'),
    'none-cointegrated': text(/^None of these \d+ pairs is cointegrated/),
    'only-cointegrated': text(/By chance alone one in ten of all \d+ pairs would/),
    unfolded: text('Nothing says that it does.'),
    'nothing-fits': text(/^No pair fits/),
    columns: columns('Screened pairs'),
    chosen: column('Volume 24 h'),
    ...usual,
  },
  notifications: {
    empty: text('No notifications'),
    live: (page) => page.locator('[data-row]').nth(2),
    outside: (page) => dialog(page).getByRole('switch').first(),
    ...usual,
  },
  approvals: {
    empty: text('Nothing waits for you'),
    one: (page) => page.getByRole('button', { name: 'Deny' }),
    password: (page) => page.getByLabel('Your password'),
    'wrong-password': text('Wrong password'),
    denied: text('You denied it'),
    list: anyRow,
    ...usual,
  },
  agents: {
    empty: text('No agent is connected'),
    activity: text('Allowed by you'),
    revoke: (page) => page.getByRole('dialog', { name: /Revoke/ }),
    'revoke-what-waits': (page) => dialog(page).getByRole('radiogroup'),
    'limits-with-an-order-that-asks': text('Counts as opened in 24 hours'),
    ...usual,
  },
  developers: {
    gateway: anyRow,
    keys: anyRow,
    'new-key': (page) => dialog(page).getByRole('alert').first(),
    'key-shown-once': inDialog('I have stored it'),
    request: (page) => page.getByRole('radio', { name: 'Python', checked: true }),
    stream: text('snapshot'),
    ...usual,
  },
  accounts: {
    checks: (page) => page.getByRole('button', { name: 'Details', expanded: true }).nth(1),
    menu,
    add: (page) => dialog(page).locator('[aria-invalid=true]').first(),
    stale,
  },
  settings: {
    top: row('Sessions'),
    below: heading('About'),
    'wrong-limits': text(/Until then: no limit/),
    showcase: text('No positions'),
  },
  frame: {
    commands: option,
    'commands-found': (page) => page.getByRole('option', { name: /re/i }).first(),
    keys: (page) => page.getByRole('dialog', { name: 'Keyboard' }),
    stop: menu,
    'cancel-all': (page) => page.getByRole('dialog', { name: /Cancel/ }),
    'close-all': (page) => page.getByRole('dialog', { name: /Close everything/ }),
    user: menu,
    // In a narrow bar it is one word.
    paused: (page) =>
      page
        .getByText(/^(New orders paused|Paused)$/)
        .filter({ visible: true })
        .first(),
    down: text('The gateway does not answer.'),
    interrupted: text('The live stream is interrupted.'),
    slow: text('The gateway is slow.'),
    'other-version': text('The gateway is of another version:'),
    'no-such-screen': text('There is no such screen'),
  },
  entry: {
    'sign-in': heading('Sign in'),
    'sign-in-refused': text('The wallet did not sign.'),
    user: heading('Create your user'),
    checks: heading('What the gateway needs'),
    basket: heading('Your account is funded'),
    down: text('The gateway does not answer'),
    'session-ended': (page) => page.getByRole('dialog', { name: 'Your session has ended' }),
  },
  consent: {
    'sign-in': (page) => page.getByLabel('Password'),
    'sign-in-refused': text(/wrong/),
    choice: (page) => page.getByRole('button', { name: /^Allow/ }),
    'choice-of-writing': (page) => page.getByRole('checkbox', { checked: true }).first(),
    'choice-of-writing-below': (page) => page.getByRole('button', { name: /^Allow/ }),
    'own-numbers': (page) => page.getByRole('radio', { name: 'My own numbers', checked: true }),
    'own-numbers-below': (page) => page.getByRole('button', { name: /^Allow/ }),
    unknown: heading(/./),
    'denied-without-signing-in': heading('Nothing was allowed'),
  },
  desk: {
    settings: row('Sessions'),
    'settings-below': heading('Messages to your phone or chat'),
    trade: image(/^Chart of .*Entry \d/),
    'trade-review': (page) => dialog(page).getByRole('row', { name: /BTC/ }).first(),
    'trade-triggers': inDock(/^Triggers/, /BTC/),
    'trade-plans': inDock(/^TWAP and ladders/, /ETH|BTC/),
    'trade-fills': inDock(/^Fills/, /Buy|Sell/),
    'trade-orders': row('Open orders'),
    positions: legs,
    'positions-reverse': inDialog('What is sent'),
    'positions-drawer': (page) =>
      dialog(page)
        .getByRole('img', { name: /^Chart of/ })
        .first(),
    commands: (page) => page.getByRole('option', { name: /ETH/ }).first(),
    orders: row('Triggers'),
    'orders-executions': row('Executions'),
    'orders-twap': row('Slices'),
    'orders-ladder': row('Rungs'),
    'orders-open': row('Open orders'),
    history: (page) => page.getByRole('list', { name: 'Steps' }),
    'history-fills': row('Fills'),
    portfolio: (page) => page.getByRole('figure', { name: /^Equity by day/ }),
    'portfolio-days': (page) => page.getByRole('table').last(),
    markets: row('Pairs'),
    'markets-instruments': row('Instruments'),
    'markets-saved': row('Saved baskets'),
    screener: row('Pairs'),
    'screener-filtered': row('Pairs', /ETH/),
    notifications: anyRow,
    'notifications-outside': (page) => dialog(page).getByRole('switch').first(),
    approvals: (page) => page.getByRole('button', { name: 'Deny' }),
    'approvals-list': anyRow,
    agents: text('Allowed by you'),
    'agents-revoke': (page) => page.getByRole('dialog', { name: /Revoke/ }),
    developers: anyRow,
    'developers-requests': (page) => page.getByRole('radio', { name: 'Python', checked: true }),
    accounts: (page) => page.getByRole('button', { name: /^Details/, expanded: true }).first(),
    'accounts-add': (page) => page.getByRole('dialog', { name: /Add|account/ }),
  },
};
