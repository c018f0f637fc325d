/** The tray and the application menu on the screen: drawn anew when their content has changed. */
import * as z from 'zod/mini';
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { ElectronParts } from '../electron-parts.ts';
import type { GatewayHost } from '../gateway-host/gateway-host.ts';
import { applicationMenu, type MenuActions, trayMenu, trayText } from './menus.ts';

export interface ShownMenusDeps<Menu> {
  readonly electron: Pick<ElectronParts<Menu>, 'Menu' | 'Tray'>;
  readonly trayIcon: string;
  readonly host: Pick<GatewayHost, 'life' | 'gateway'>;
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

/** Interval of reading the pause, which another client may have changed. */
const EVERY_MS = 15_000;

export function showMenus<Menu>(deps: ShownMenusDeps<Menu>): ShownMenus {
  const { electron, host } = deps;
  const tray = new electron.Tray(deps.trayIcon);
  tray.on('click', () => deps.actions.open());
  const actions: MenuActions = {
    ...deps.actions,
    pause: () => void safety('POST', '/safety/pause').then(drawTray),
    resume: () => void safety('POST', '/safety/resume').then(drawTray),
  };

  /** Whether new orders are paused; null: nobody is signed in, or the gateway gave no answer. */
  async function safety(method: 'GET' | 'POST', path: string): Promise<boolean | null> {
    try {
      const answer = await deps.ask(new Request(`${SHELL_ORIGIN}${path}`, { method }));
      const read = answer.ok ? safetyAnswer.safeParse(await answer.json()) : null;
      return read?.success === true ? read.data.paused : null;
    } catch {
      return null;
    }
  }

  async function drawTray(): Promise<void> {
    const paused = host.life === 'READY' ? await safety('GET', '/safety') : null;
    const facts = { life: host.life, mode: host.gateway?.mode ?? null, paused };
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
