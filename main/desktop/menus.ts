/** The application menu and the menu of the tray, as data. */
import type { MenuItem } from '../electron-parts.ts';
import type { GatewayLife } from '../gateway-host/gateway-life.ts';

export interface MenuActions {
  show(path: string): void;
  open(): void;
  /** Shows the orders that wait for the user's approval. */
  approvals(): void;
  pause(): void;
  resume(): void;
  restartGateway(): void;
  openLogs(): void;
  update(): void;
  quit(): void;
}

// biome-ignore format: a table is read by its columns
const SCREENS: readonly (readonly [label: string, path: string])[] = [
  ['Trade', '/trade'], ['Positions', '/positions'], ['Orders', '/orders'], ['History', '/history'],
  ['Portfolio', '/portfolio'], ['Markets', '/markets'], ['Notifications', '/notifications'], ['Agents', '/agents'],
  ['Approvals', '/approvals'],
];

/** @param offer label of the entry for a newer version; null: there is no newer version */
export function applicationMenu(actions: MenuActions, offer: string | null): MenuItem[] {
  return [
    {
      label: 'Tandem',
      submenu: [
        { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: () => actions.show('/settings') },
        { label: 'Open logs folder', click: actions.openLogs },
        { label: 'Restart gateway', click: actions.restartGateway },
        ...(offer === null ? [] : [{ label: offer, click: actions.update }]),
        { type: 'separator' },
        { label: 'Quit Tandem', accelerator: 'CmdOrCtrl+Q', click: actions.quit },
      ],
    },
    {
      label: 'Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      label: 'Go',
      submenu: SCREENS.map(([label, path], index) => ({
        label,
        accelerator: `CmdOrCtrl+${index + 1}`,
        click: () => actions.show(path),
      })),
    },
    { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'togglefullscreen' }] },
  ];
}

export type MoneyWord = 'LIVE' | 'TESTNET' | 'PAPER';

/** A word has a sign of its own too, as on the screens. */
const SIGNS: Readonly<Record<MoneyWord, string>> = { LIVE: '◆ LIVE', TESTNET: '◇ TESTNET', PAPER: 'PAPER' };

/** Facts that the tray shows. `paused` null: nobody is signed in, or the gateway could not be asked. */
export interface TrayFacts {
  readonly life: GatewayLife;
  /** Kinds of the trade accounts, real money first; empty: not known. */
  readonly money: readonly MoneyWord[];
  readonly paused: boolean | null;
  /** Number of orders that wait for approval; null: nobody is signed in, or the gateway could not be asked. */
  readonly approvals: number | null;
}

const LIFE_TEXT: Readonly<Record<GatewayLife, string>> = {
  STARTING: 'starting',
  READY: 'running',
  RESTARTING: 'restarting',
  STOPPING: 'stopping',
  STOPPED: 'stopped',
  FAILED: 'not running',
};

export function trayText({ life, money, paused, approvals }: TrayFacts): string {
  const marks = money.length === 0 ? [] : [money.map((word) => SIGNS[word]).join(' + ')];
  const parts = [LIFE_TEXT[life], ...marks, ...(paused === true ? ['paused'] : []), ...waitWords(approvals)];
  return `Tandem: ${parts.join(', ')}`;
}

function waitWords(approvals: number | null): readonly string[] {
  if (approvals === null || approvals === 0) return [];
  return [approvals === 1 ? '1 order waits for you' : `${approvals} orders wait for you`];
}

/** The tray's picture: real money and test networks have one of their own. Paper: the plain one. */
export function trayIcon(money: readonly MoneyWord[], isMac: boolean): string {
  const [first = 'PAPER'] = money;
  if (isMac) return 'trayTemplate.png';
  return first === 'LIVE' ? 'tray-live.png' : first === 'TESTNET' ? 'tray-testnet.png' : 'tray.png';
}

/** Text beside the picture, in the menu bar of macOS, whose pictures have no colour. */
export function trayTitle([first = 'PAPER']: readonly MoneyWord[]): string {
  return first === 'PAPER' ? '' : SIGNS[first];
}

export function trayMenu(facts: TrayFacts, actions: MenuActions, offer: string | null): MenuItem[] {
  const { life, paused } = facts;
  return [
    { label: trayText(facts), enabled: false },
    { type: 'separator' },
    { label: 'Open Tandem', click: actions.open },
    ...waitWords(facts.approvals).map((label) => ({ label: `${label}…`, click: actions.approvals })),
    paused === true
      ? { label: 'Resume new orders', enabled: life === 'READY', click: actions.resume }
      : { label: 'Pause new orders', enabled: life === 'READY' && paused === false, click: actions.pause },
    ...(offer === null ? [] : [{ label: offer, click: actions.update }]),
    { type: 'separator' },
    { label: 'Stop Tandem', click: actions.quit },
  ];
}
