/** The one window of the dashboard: its place, its recovery after a crash and the effect of closing it. */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { KeptSettings } from '../desktop/kept-settings.ts';
import { CLOSE_ANSWERS, CLOSE_QUESTION } from '../desktop/leaving.ts';
import type { Cancellable, Contents, ElectronParts, ShellWindow } from '../electron-parts.ts';
import { webPreferences } from './web-preferences.ts';
import { clampToScreens, LEAST_HEIGHT, LEAST_WIDTH } from './window-bounds.ts';

export interface DashboardWindow {
  /** null: the window is not open. */
  readonly contents: Contents | null;
  /** Brings the window to the front; makes it when there is none. `path`: the screen that it shows. */
  show(path?: string): void;
  /** Opens the window hidden, when the app was started with the session, in the tray. */
  prepare(): void;
  /** Reloads the dashboard after the gateway's address has changed. */
  reload(): void;
}

export interface DashboardWindowDeps {
  readonly electron: Pick<ElectronParts, 'BrowserWindow' | 'dialog' | 'screen' | 'app'>;
  readonly settings: KeptSettings;
  readonly preload: string;
  readonly icon: string;
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Tells the page which screen to show. */
  readonly goTo: (contents: Contents, path: string) => void;
  /** True: the app is ending, so windows may close. */
  readonly isQuitting: () => boolean;
  readonly quit: () => void;
}

const addressOf = (path = '/') => `${SHELL_ORIGIN}/app${path}`;
/** Crashes after which the page is not loaded again by itself. */
const CRASHES_ALLOWED = 3;
const CRASHES_WITHIN_MS = 60_000;

export function createDashboardWindow(deps: DashboardWindowDeps): DashboardWindow {
  const { electron, settings } = deps;
  let window: ShellWindow | null = null;
  let crashes = 0;
  let isAsking = false;

  function open(isShown: boolean, path?: string): void {
    const areas = electron.screen.getAllDisplays().map(({ workArea }) => workArea);
    const made = new electron.BrowserWindow({
      ...clampToScreens(settings.window, areas),
      minWidth: LEAST_WIDTH,
      minHeight: LEAST_HEIGHT,
      title: 'Tandem',
      icon: deps.icon,
      // Colour of the window before the page is loaded.
      backgroundColor: '#0e0f11',
      autoHideMenuBar: true,
      show: false,
      webPreferences: webPreferences(deps.preload, electron.app.isPackaged),
    });
    window = made;
    if (settings.window?.isMaximized === true) made.maximize();
    if (isShown) made.on('ready-to-show', () => made.show());
    made.on('close', (event) => closing(made, event));
    made.on('closed', () => {
      window = null;
    });
    made.webContents.on('render-process-gone', (_event, { reason }) => crashed(made, reason));
    void made.loadURL(addressOf(path)).catch(() => undefined);
  }

  function closing(made: ShellWindow, event: Cancellable): void {
    remember(made);
    if (deps.isQuitting()) return;
    // Closing the window ends neither the app nor the gateway, which ends with the app only.
    event.preventDefault();
    const { onClose } = settings.preferences;
    if (onClose === 'tray') made.hide();
    else if (onClose === 'quit') deps.quit();
    else if (!isAsking) void ask(made);
  }

  async function ask(made: ShellWindow): Promise<void> {
    isAsking = true;
    try {
      const { response } = await electron.dialog.showMessageBox(CLOSE_QUESTION);
      const answer = CLOSE_ANSWERS[response] ?? null;
      if (answer === null) return;
      await settings.change({ preferences: { onClose: answer } });
      if (answer === 'quit') deps.quit();
      else if (!made.isDestroyed()) made.hide();
    } finally {
      isAsking = false;
    }
  }

  function remember(made: ShellWindow): void {
    const { x, y, width, height } = made.getNormalBounds();
    void settings.change({ window: { x, y, width, height, isMaximized: made.isMaximized() } });
  }

  function crashed(made: ShellWindow, reason: string): void {
    if (reason === 'clean-exit' || deps.isQuitting() || made.isDestroyed()) return;
    crashes += 1;
    deps.after(CRASHES_WITHIN_MS, () => {
      crashes -= 1;
    });
    if (crashes <= CRASHES_ALLOWED) {
      made.webContents.reload();
      return;
    }
    electron.dialog
      .showMessageBox({
        type: 'error',
        message: 'The window of Tandem keeps failing',
        detail: 'The gateway goes on trading. The window can be loaded once more.',
        buttons: ['Load it again', 'Leave it'],
        defaultId: 0,
        cancelId: 1,
      })
      .then(
        ({ response }) => {
          if (response === 0 && !made.isDestroyed()) made.webContents.reload();
        },
        () => undefined,
      );
  }

  return {
    get contents() {
      return window?.webContents ?? null;
    },
    show(path) {
      if (window === null) return open(true, path);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      if (path !== undefined) deps.goTo(window.webContents, path);
    },
    prepare() {
      if (window === null) open(false);
    },
    reload() {
      window?.webContents.reload();
    },
  };
}
