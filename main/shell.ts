/**
 * The desktop app, put together: one gateway in a process of its own, one window that looks at it, a tray. Nothing that
 * trades is here; a crash of the window, or of this process, stops no order that was acknowledged.
 */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { SHELL_ORIGIN } from '../gateway/contract/shell-identity.ts';
import { setAutostart } from './desktop/autostart.ts';
import { linkAmong, screenOfLink } from './desktop/deep-links.ts';
import { openKeptSettings } from './desktop/kept-settings.ts';
import { QUIT_ANYWAY, quitQuestion } from './desktop/leaving.ts';
import { openLogFile } from './desktop/log-file.ts';
import { applicationMenu, type MenuActions, trayMenu, trayText } from './desktop/menus.ts';
import { watchForUpdates } from './desktop/updates.ts';
import type { Contents, ElectronParts } from './electron-parts.ts';
import { type StartChild, utilityChild } from './gateway-host/gateway-child.ts';
import { createGatewayHost, type GatewayHost, type HostedGateway } from './gateway-host/gateway-host.ts';
import { provesItself } from './gateway-host/prove-gateway.ts';
import { channelOf, type EventName, type ShellState, type Told } from './ipc/contract.ts';
import { serveIpc } from './ipc/serve-ipc.ts';
import { createForward } from './pages/forward.ts';
import { createPageHandler, realtimeOrigin } from './pages/page-handler.ts';
import { createSessionKeeper, systemSeal } from './pages/session-keeper.ts';
import { staticFiles } from './pages/static-files.ts';
import { createConsentWindows } from './window/consent-window.ts';
import { createDashboardWindow } from './window/dashboard-window.ts';
import { isOwnPage, lockDownContents, lockDownSession } from './window/lock-down.ts';
import { outsideLink } from './window/outside-links.ts';
import { PARTITION } from './window/web-preferences.ts';

export interface ShellOptions {
  /** Of the installation: `dist/` and `build/` are in it. */
  readonly root: string;
  /** Flags of `tandem start` for the gateway. */
  readonly gatewayFlags: readonly string[];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** What the system starts again at sign-in: the app itself, or the AppImage that it is in. */
  readonly program: string;
  readonly configFolder: string;
  readonly updateFeed: string | null;
  /** Started with the session of the user: stays in the tray. */
  readonly isHidden: boolean;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  /** Tests: another way to start the gateway's process. */
  readonly startChild?: StartChild;
}

/** A page that asks while the gateway starts waits so long before it is told. */
const GATEWAY_PATIENCE_MS = 8_000;
const UPDATE_PATIENCE_MS = 20_000;
const TRAY_EVERY_MS = 15_000;

export interface Shell {
  readonly host: GatewayHost;
  /** What `app://tandem` answers. */
  readonly handle: (request: Request) => Promise<Response>;
}

/** null: another one runs already, which has been asked to come to the front; this one ends. */
export async function createShell<Menu>(
  electron: ElectronParts<Menu>,
  options: ShellOptions,
): Promise<Shell | null> {
  const { app } = electron;
  // Both before the app is ready, and before a page can exist.
  app.enableSandbox();
  electron.protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return null;
  }
  /** A link may come before there is a window. */
  let early = linkAmong(options.argv);
  let follow = (link: string) => {
    early = link;
  };
  app.on('open-url', (event, url) => {
    event.preventDefault();
    follow(url);
  });
  let showWindow = () => {};
  app.on('second-instance', (_event, argv) => {
    const link = linkAmong(argv);
    if (link === null) showWindow();
    else follow(link);
  });
  // The tray, or on macOS the dock, keeps the app.
  app.on('window-all-closed', () => undefined);
  lockDownContents(app, (url, from) => leaving(url, from));
  await app.whenReady();

  app.setAppUserModelId('org.tandem.desktop');
  if (app.isPackaged) app.setAsDefaultProtocolClient('tandem');
  const data = app.getPath('userData');
  const logs = app.getPath('logs');
  const settings = openKeptSettings(join(data, 'desktop.json'));
  const host = createGatewayHost({
    startChild:
      options.startChild ??
      utilityChild(electron.utilityProcess, {
        file: join(options.root, 'build', 'tandem.cjs'),
        flags: options.gatewayFlags,
        env: options.env,
      }),
    proves: provesItself,
    after: options.after,
    random: options.random,
    log: openLogFile(logs),
  });
  const icon = (name: string) => join(options.root, 'dist', 'main', name);
  const consents = createConsentWindows(electron, icon('icon.png'));
  const handle = createPageHandler({
    files: staticFiles(join(options.root, 'dist', 'renderer')),
    forward: createForward(),
    session: createSessionKeeper(join(data, 'session.sealed'), systemSeal(electron.safeStorage)),
    gateway: (signal) => whenReady(host, options.after, signal),
    gatewayNow: () => host.gateway,
    decided: (returnTo) => consents.decided(returnTo),
    userAgent: `Tandem desktop/${app.getVersion()} (${options.platform})`,
  });
  const session = electron.session.fromPartition(PARTITION);
  session.protocol.handle('app', handle);
  lockDownSession(session, () => (host.gateway === null ? null : new URL(host.gateway.url).host));

  let isQuitting = false;
  const dashboard = createDashboardWindow({
    electron,
    settings,
    preload: join(options.root, 'dist', 'main', 'preload.cjs'),
    icon: icon('icon.png'),
    after: options.after,
    goTo: (contents, path) => tell(contents, 'screenAsked', path),
    isQuitting: () => isQuitting,
    quit: () => void quit(),
  });
  showWindow = () => dashboard.show();
  follow = (link) => {
    const path = screenOfLink(link);
    if (path === null) dashboard.show();
    else dashboard.show(path);
  };

  function leaving(url: string, from: Contents): void {
    if (isOwnPage(url) || consents.leave(url, from)) return;
    void openLink(url);
  }

  async function openLink(url: string): Promise<boolean> {
    const link = outsideLink(url, host.gateway?.pageOrigin ?? null);
    if (link === null) return false;
    return electron.shell.openExternal(link).then(
      () => true,
      () => false,
    );
  }

  async function openLogs(): Promise<boolean> {
    return (await electron.shell.openPath(logs)) === '';
  }

  let isAskingToQuit = false;
  async function quit(): Promise<void> {
    if (isQuitting || isAskingToQuit) return;
    isAskingToQuit = true;
    const question = quitQuestion(await host.work());
    const answer = question === null ? null : await electron.dialog.showMessageBox(question);
    isAskingToQuit = false;
    if (answer !== null && answer.response !== QUIT_ANYWAY) return;
    isQuitting = true;
    await host.stop();
    app.exit(0);
  }
  app.on('before-quit', (event) => {
    if (isQuitting) return;
    event.preventDefault();
    void quit();
  });
  app.on('activate', () => dashboard.show());

  serveIpc(electron.ipcMain, () => dashboard.contents, {
    shellState: () => stateOf(host, app.getVersion()),
    readPreferences: () => settings.preferences,
    async writePreferences(patch) {
      const { autostart } = patch;
      if (autostart !== undefined) setAutostart(app, options, autostart);
      await settings.change({ preferences: withoutUndefined(patch) });
      return settings.preferences;
    },
    notify({ title, body, path }) {
      if (!electron.Notification.isSupported()) return false;
      const notice = new electron.Notification({ title, body });
      notice.on('click', () => dashboard.show(path ?? undefined));
      notice.show();
      return true;
    },
    openLink,
    openLogs,
    restartGateway: () => host.restart(),
  });

  const brakes = async (method: 'GET' | 'POST', path: string): Promise<boolean | null> => {
    const answer = await handle(new Request(`${SHELL_ORIGIN}${path}`, { method }));
    if (!answer.ok) return null;
    const read = safetyAnswer.safeParse(await answer.json());
    return read.success ? read.data.paused : null;
  };
  const actions: MenuActions = {
    show: (path) => dashboard.show(path),
    open: () => dashboard.show(),
    pause: () => void brakes('POST', '/safety/pause').then(drawTray),
    resume: () => void brakes('POST', '/safety/resume').then(drawTray),
    restartGateway: () => void host.restart(),
    openLogs: () => void openLogs(),
    quit: () => void quit(),
  };
  electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(applicationMenu(actions)));
  const tray = new electron.Tray(icon(options.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'));
  tray.on('click', () => dashboard.show());
  async function drawTray(): Promise<void> {
    const paused = host.life === 'READY' ? await brakes('GET', '/safety').catch(() => null) : null;
    const facts = { life: host.life, mode: host.gateway?.mode ?? null, paused };
    tray.setToolTip(trayText(facts));
    tray.setContextMenu(electron.Menu.buildFromTemplate(trayMenu(facts, actions)));
  }
  const keepTray = () => {
    void drawTray();
    options.after(TRAY_EVERY_MS, keepTray);
  };
  keepTray();

  let shownAt: string | null = null;
  host.onChange(() => {
    void drawTray();
    const { gateway } = host;
    const place = realtimeOrigin(gateway);
    // The policy of a page names the address of the WebSocket: another address needs another page.
    if (place !== null) {
      if (shownAt !== null && shownAt !== place) dashboard.reload();
      shownAt = place;
    }
    const { contents } = dashboard;
    if (contents !== null) tell(contents, 'shellStateChanged', stateOf(host, app.getVersion()));
    if (host.life === 'FAILED') void explainFailure();
  });
  async function explainFailure(): Promise<void> {
    const { response } = await electron.dialog.showMessageBox({
      type: 'error',
      message: 'The gateway could not start',
      detail: host.problem ?? '',
      buttons: ['Try again', 'Open logs folder', 'Quit'],
      defaultId: 0,
      cancelId: 2,
    });
    if (response === 0) host.restart();
    else if (response === 1) await openLogs();
    else await quit();
  }
  host.onConsent((uid) => consents.show(uid));
  // Timers do not count the time of a sleep: what became due is looked for now.
  electron.powerMonitor.on('resume', () => host.woke());
  electron.powerMonitor.on('unlock-screen', () => host.woke());
  watchForUpdates({
    feed: options.updateFeed,
    version: app.getVersion(),
    platform: options.platform,
    after: options.after,
    async fetchText(url) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(UPDATE_PATIENCE_MS) });
      return answer.ok ? answer.text() : '';
    },
    found(version) {
      if (electron.Notification.isSupported())
        new electron.Notification({ title: 'Tandem', body: `Version ${version} is there` }).show();
    },
  });

  host.start();
  await whenReady(host, options.after, AbortSignal.timeout(GATEWAY_PATIENCE_MS));
  if (options.isHidden && early === null) dashboard.prepare();
  else if (early === null) dashboard.show();
  else follow(early);
  return { host, handle };
}

const safetyAnswer = z.object({ paused: z.boolean() });

function tell<Name extends EventName>(contents: Contents, name: Name, told: Told<Name>): void {
  contents.send(channelOf(name), told);
}

function stateOf(host: GatewayHost, version: string): ShellState {
  const { life, problem, gateway } = host;
  return {
    gateway: life === 'STOPPED' ? 'STOPPING' : life,
    problem,
    realtimeUrl: gateway === null ? null : `${realtimeOrigin(gateway)}/ws`,
    version,
  };
}

function withoutUndefined<T extends object>(patch: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

/** null: not within the time that a page has, or it will not be. */
function whenReady(
  host: GatewayHost,
  after: ShellOptions['after'],
  signal: AbortSignal,
): Promise<HostedGateway | null> {
  if (host.gateway !== null || host.life === 'FAILED' || host.life === 'STOPPED' || signal.aborted)
    return Promise.resolve(host.gateway);
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      resolve(host.gateway);
    };
    const cancel = after(GATEWAY_PATIENCE_MS, finish);
    signal.addEventListener('abort', finish, { once: true });
    host.onChange(() => {
      if (host.gateway !== null || host.life === 'FAILED') finish();
    });
  });
}
