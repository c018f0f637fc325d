/**
 * The desktop app, put together: one gateway in a process of its own, one window that looks at it, a tray. Nothing that
 * trades is here; a crash of the window, or of this process, stops no order that was acknowledged.
 */
import { join } from 'node:path';
import { setAutostart } from './desktop/autostart.ts';
import { linkAmong, screenOfLink } from './desktop/deep-links.ts';
import { openKeptSettings } from './desktop/kept-settings.ts';
import { QUIT_ANYWAY, quitQuestion } from './desktop/leaving.ts';
import { openLogFile } from './desktop/log-file.ts';
import { showMenus } from './desktop/show-menus.ts';
import type { Contents, ElectronParts } from './electron-parts.ts';
import { type StartChild, utilityChild } from './gateway-host/gateway-child.ts';
import { createGatewayHost, type GatewayHost } from './gateway-host/gateway-host.ts';
import { provesItself } from './gateway-host/prove-gateway.ts';
import { whenReady } from './gateway-host/when-ready.ts';
import { channelOf, type EventName, type ShellState, type Told } from './ipc/contract.ts';
import { serveIpc } from './ipc/serve-ipc.ts';
import { createForward } from './pages/forward.ts';
import { createPageHandler, realtimeOrigin } from './pages/page-handler.ts';
import { createSessionKeeper, systemSeal } from './pages/session-keeper.ts';
import { staticFiles } from './pages/static-files.ts';
import type { OpenUrl } from './updates/download.ts';
import { installationOf } from './updates/installation.ts';
import { createUpdater } from './updates/updater.ts';
import { createApprovalWindow } from './window/approval-window.ts';
import { createConsentWindows } from './window/consent-window.ts';
import { createDashboardWindow } from './window/dashboard-window.ts';
import { isOwnPage, lockDownContents, lockDownSession, NETWORK_CHECKS_OFF } from './window/lock-down.ts';
import { outsideLink } from './window/outside-links.ts';
import { PARTITION } from './window/web-preferences.ts';

export interface ShellOptions {
  /** Folder of the installation, with `dist/` and `build/` in it. */
  readonly root: string;
  /** Flags of `tandem start` for the gateway. */
  readonly gatewayFlags: readonly string[];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Program that the system starts at sign-in: the app itself, or the AppImage that it is in. */
  readonly program: string;
  readonly configFolder: string;
  readonly updateFeed: string | null;
  readonly openUrl: OpenUrl;
  /** `process.arch` */
  readonly arch: string;
  /** Electron's `process.resourcesPath`. */
  readonly resources: string;
  /** Starts an installer, which outlives the app. */
  readonly launch: (program: string, args: readonly string[]) => void;
  /** True: the app was started at the user's sign-in, so it stays in the tray. */
  readonly isHidden: boolean;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  /** Tests: another way to start the gateway's process. */
  readonly startChild?: StartChild;
}

/** Time that a request of a page waits for a gateway that is starting. */
const GATEWAY_PATIENCE_MS = 8_000;
/** Time before a slow start shows the starting page; most starts are quicker and open with the dashboard. */
const BLANK_PATIENCE_MS = 1_000;

export interface Shell {
  readonly host: GatewayHost;
  /** Answers requests to `app://tandem`. */
  readonly handle: (request: Request) => Promise<Response>;
}

/** null: another instance of the app runs already and has been asked to come to the front; this one ends. */
export async function createShell<Menu>(
  electron: ElectronParts<Menu>,
  options: ShellOptions,
): Promise<Shell | null> {
  const { app } = electron;
  // Settings that must be made before the app is ready, and before a page can exist.
  app.enableSandbox();
  app.commandLine.appendSwitch(NETWORK_CHECKS_OFF.name, NETWORK_CHECKS_OFF.value);
  electron.protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return null;
  }
  /** A link that arrived before there was a window. */
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
  // Without windows the app goes on in the tray, or on macOS in the dock.
  app.on('window-all-closed', () => undefined);
  lockDownContents(app, (url, from) => leaving(url, from));
  await app.whenReady();

  app.setAppUserModelId('org.tandem.desktop');
  if (app.isPackaged) app.setAsDefaultProtocolClient('tandem');
  const data = app.getPath('userData');
  const logs = app.getPath('logs');
  const log = openLogFile(logs);
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
    log,
  });
  const icon = (name: string) => join(options.root, 'dist', 'main', name);
  const consents = createConsentWindows(electron, icon('icon.png'));
  const preload = join(options.root, 'dist', 'main', 'preload.cjs');
  const approvals = createApprovalWindow(electron, { icon: icon('icon.png'), preload });
  const handle = createPageHandler({
    files: staticFiles(join(options.root, 'dist', 'renderer')),
    starting: staticFiles(join(options.root, 'dist', 'main', 'starting')),
    forward: createForward(),
    session: createSessionKeeper(join(data, 'session.sealed'), systemSeal(electron.safeStorage)),
    gateway: (signal) => whenReady(host, options.after, GATEWAY_PATIENCE_MS, signal),
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
    preload,
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
    const link = url === host.elsewhere ? url : outsideLink(url, host.gateway?.pageOrigin ?? null);
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
  /**
   * @param last runs when the gateway has drained. False: the person keeps the app running, or the app ends already.
   */
  async function quit(last: () => Promise<void> = async () => undefined): Promise<boolean> {
    if (isQuitting || isAskingToQuit) return false;
    isAskingToQuit = true;
    const question = quitQuestion(await host.work());
    const answer = question === null ? null : await electron.dialog.showMessageBox(question);
    isAskingToQuit = false;
    if (answer !== null && answer.response !== QUIT_ANYWAY) return false;
    isQuitting = true;
    await host.stop();
    await last().catch((error: unknown) => log(`The update was not installed: ${String(error)}\n`));
    app.exit(0);
    return true;
  }
  app.on('before-quit', (event) => {
    if (isQuitting) return;
    event.preventDefault();
    void quit();
  });
  app.on('activate', () => dashboard.show());

  serveIpc(electron.ipcMain, (contents) => contents === dashboard.contents || approvals.has(contents), {
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

  const updater = createUpdater({
    electron,
    feed: options.updateFeed,
    version: app.getVersion(),
    platform: options.platform,
    arch: options.arch,
    installation: () => installationOf({ ...options, isPackaged: app.isPackaged }),
    folder: join(data, 'updates'),
    open: options.openUrl,
    after: options.after,
    changed: () => menus.draw(),
    quit,
    launch: options.launch,
  });
  const menus = showMenus({
    electron,
    icon,
    isMac: options.platform === 'darwin',
    host,
    ask: handle,
    actions: {
      show: (path) => dashboard.show(path),
      approvals: () => approvals.show(null),
      open: () => dashboard.show(),
      restartGateway: () => void host.restart(),
      openLogs: () => void openLogs(),
      update: () => void updater.accept(),
      quit: () => void quit(),
    },
    offer: () => updater.offer,
    after: options.after,
  });

  let shownAt: string | null = null;
  host.onChange(() => {
    menus.draw();
    const { gateway } = host;
    const place = realtimeOrigin(gateway);
    // A page's content policy names the address of the WebSocket, so a new address requires a reload.
    if (place !== null) {
      if (shownAt !== null && shownAt !== place) dashboard.reload();
      shownAt = place;
    }
    const { contents } = dashboard;
    if (contents !== null) tell(contents, 'shellStateChanged', stateOf(host, app.getVersion()));
    tellFailure();
  });
  /**
   * A problem that a person has to solve brings the window to the front, once; its page names the problem
   * (pages/starting).
   */
  let toldProblem: string | null = null;
  function tellFailure(): void {
    const { life, problem, elsewhere } = host;
    if (life === 'READY') toldProblem = null;
    if ((life !== 'FAILED' && elsewhere === null) || problem === null || problem === toldProblem) return;
    toldProblem = problem;
    dashboard.reload();
    dashboard.show();
  }
  host.onConsent((uid) => consents.show(uid));
  host.onApproval((id) => {
    menus.draw();
    // The notification only opens the window, where the figures are in sight. It shows no text of the sender.
    if (!electron.Notification.isSupported()) return approvals.show(id);
    const notice = new electron.Notification(APPROVAL_NOTICE);
    notice.on('click', () => approvals.show(id));
    notice.show();
  });
  // Timers do not count the time of a sleep: the gateway looks at once for work that has become due.
  electron.powerMonitor.on('resume', () => host.woke());
  electron.powerMonitor.on('unlock-screen', () => host.woke());
  host.start();
  await whenReady(host, options.after, BLANK_PATIENCE_MS);
  if (options.isHidden && early === null) dashboard.prepare();
  else if (early === null) dashboard.show();
  else follow(early);
  return { host, handle };
}

const APPROVAL_NOTICE = {
  title: 'An order waits for you',
  body: 'An agent or a program asks for your approval. Click to look at it.',
};

function tell<Name extends EventName>(contents: Contents, name: Name, told: Told<Name>): void {
  contents.send(channelOf(name), told);
}

function stateOf(host: GatewayHost, version: string): ShellState {
  const { life, problem, elsewhere, gateway } = host;
  return {
    gateway: life === 'STOPPED' ? 'STOPPING' : life,
    problem,
    elsewhere,
    realtimeUrl: gateway === null ? null : `${realtimeOrigin(gateway)}/ws`,
    version,
  };
}

function withoutUndefined<T extends object>(patch: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}
