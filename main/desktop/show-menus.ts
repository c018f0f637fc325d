/** The tray and the application menu on the screen, redrawn when their content has changed. */
import * as z from 'zod/mini';
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { ElectronParts } from '../electron-parts.ts';
import type { GatewayHost } from '../gateway-host/gateway-host.ts';
import {
  applicationMenu,
  type MenuActions,
  type MoneyWord,
  trayIcon,
  trayMenu,
  trayText,
  trayTitle,
} from './menus.ts';

export interface ShownMenusDeps<Menu> {
  readonly electron: Pick<ElectronParts<Menu>, 'Menu' | 'Tray'>;
  /** Path of a picture of the app. */
  readonly icon: (name: string) => string;
  readonly isMac: boolean;
  readonly host: Pick<GatewayHost, 'life'>;
  /** Sends a request to the gateway as a page would, so the pause of new orders is that of the signed-in user. */
  readonly ask: (request: Request) => Promise<Response>;
  readonly actions: Omit<MenuActions, 'pause' | 'resume'>;
  /** Label of the entry for a newer version; null: there is no newer version. */
  readonly offer: () => string | null;
  readonly after: (delayMs: number, run: () => void) => () => void;
}

export interface ShownMenus {
  draw(): void;
}

/** Interval of reading the pause and the accounts, which another client may have changed. */
const EVERY_MS = 15_000;

export function showMenus<Menu>(deps: ShownMenusDeps<Menu>): ShownMenus {
  const { electron, host } = deps;
  let shownIcon = trayIcon([], deps.isMac);
  const tray = new electron.Tray(deps.icon(shownIcon));
  tray.on('click', () => deps.actions.open());
  const actions: MenuActions = {
    ...deps.actions,
    pause: () => void safety('POST', '/safety/pause').then(drawTray),
    resume: () => void safety('POST', '/safety/resume').then(drawTray),
  };

  /** True: new orders are paused; null: nobody is signed in, or the gateway gave no answer. */
  async function safety(method: 'GET' | 'POST', path: string): Promise<boolean | null> {
    try {
      const answer = await deps.ask(new Request(`${SHELL_ORIGIN}${path}`, { method }));
      const read = answer.ok ? safetyAnswer.safeParse(await answer.json()) : null;
      return read?.success === true ? read.data.paused : null;
    } catch {
      return null;
    }
  }

  /** Kinds of the gateway's accounts, from `/health`, which needs no session; empty: the gateway gave no answer. */
  async function accounts(): Promise<readonly MoneyWord[]> {
    try {
      const answer = await deps.ask(new Request(`${SHELL_ORIGIN}/health`));
      const read = healthAnswer.safeParse(await answer.json());
      return read.success ? (read.data.money ?? []) : [];
    } catch {
      return [];
    }
  }

  async function waitingOrders(): Promise<number | null> {
    try {
      const answer = await deps.ask(new Request(`${SHELL_ORIGIN}/approvals?limit=1`));
      const read = answer.ok ? approvalsAnswer.safeParse(await answer.json()) : null;
      return read?.success === true ? read.data.waiting : null;
    } catch {
      return null;
    }
  }

  let drawings = 0;

  async function drawTray(): Promise<void> {
    drawings += 1;
    const own = drawings;
    const isReady = host.life === 'READY';
    const [paused, money, approvals] = isReady
      ? await Promise.all([safety('GET', '/safety'), accounts(), waitingOrders()])
      : [null, [], null];
    // A later drawing has newer answers.
    if (own !== drawings) return;
    const facts = { life: host.life, money, paused, approvals };
    const icon = trayIcon(money, deps.isMac);
    if (icon !== shownIcon) tray.setImage(deps.icon(icon));
    shownIcon = icon;
    if (deps.isMac) tray.setTitle(trayTitle(money));
    tray.setToolTip(trayText(facts));
    tray.setContextMenu(electron.Menu.buildFromTemplate(trayMenu(facts, actions, deps.offer())));
  }

  function draw(): void {
    const menu = applicationMenu(actions, deps.offer());
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(menu));
    void drawTray();
  }

  const keepTray = () => {
    void drawTray();
    deps.after(EVERY_MS, keepTray);
  };
  draw();
  deps.after(EVERY_MS, keepTray);
  return { draw };
}

const safetyAnswer = z.object({ paused: z.boolean() });
const approvalsAnswer = z.object({ waiting: z.int() });
const healthAnswer = z.object({ money: z.optional(z.array(z.enum(['LIVE', 'TESTNET', 'PAPER']))) });
