/**
 * Electron as the shell sees it, without its binary: keeps what the shell asks of it, and lets a test be the system, the
 * page and the person. It draws nothing and decides nothing.
 */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type {
  Contents,
  ElectronParts,
  Frame,
  InvokeEvent,
  MenuItem,
  NavigationDetails,
  Rectangle,
  ShellWindow,
  WindowOptions,
} from '../../main/electron-parts.ts';

export class RecordingContents extends EventEmitter implements Contents {
  mainFrame: Frame = { url: 'app://tandem/app/', parent: null };
  readonly sent: unknown[][] = [];
  reloads = 0;
  openHandler: ((details: { readonly url: string }) => { action: 'deny' }) | null = null;

  send(...values: unknown[]): void {
    this.sent.push(values);
  }
  reload(): void {
    this.reloads += 1;
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  setWindowOpenHandler(handler: (details: { readonly url: string }) => { action: 'deny' }): void {
    this.openHandler = handler;
  }
  /** The page tries to go somewhere. @returns whether it was kept */
  navigate(event: 'will-navigate' | 'will-redirect' | 'will-frame-navigate', url: string): boolean {
    let isKept = false;
    const details: NavigationDetails = { url, preventDefault: () => (isKept = true) };
    this.emit(event, details);
    return isKept;
  }
}

export class RecordingWindow extends EventEmitter implements ShellWindow {
  readonly webContents = new RecordingContents();
  readonly loaded: string[] = [];
  shown = false;
  minimized = false;
  maximized = false;
  focused = 0;
  destroyed = false;
  bounds: Rectangle;
  readonly options: WindowOptions;

  constructor(options: WindowOptions) {
    super();
    this.options = options;
    const { x = 0, y = 0, width = 0, height = 0 } = options;
    this.bounds = { x, y, width, height };
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    this.webContents.mainFrame = { url, parent: null };
    queueMicrotask(() => this.emit('ready-to-show'));
  }
  show(): void {
    this.shown = true;
  }
  hide(): void {
    this.shown = false;
  }
  focus(): void {
    this.focused += 1;
  }
  /** As a person does it. */
  close(): void {
    let isKept = false;
    this.emit('close', { preventDefault: () => (isKept = true) });
    if (!isKept) this.destroy();
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('closed');
  }
  restore(): void {
    this.minimized = false;
  }
  maximize(): void {
    this.maximized = true;
  }
  isVisible = () => this.shown;
  isMinimized = () => this.minimized;
  isMaximized = () => this.maximized;
  isDestroyed = () => this.destroyed;
  getNormalBounds = () => this.bounds;
}

type PermissionRequest = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void;
type Invoke = (event: InvokeEvent, ...values: unknown[]) => Promise<unknown>;

export interface RecordedNotice extends EventEmitter {
  readonly options: { readonly title: string; readonly body: string };
}

export interface RecordingElectron {
  readonly parts: ElectronParts<MenuItem[]>;
  readonly app: EventEmitter;
  readonly power: EventEmitter;
  readonly windows: RecordingWindow[];
  /** Names of calls in their order. */
  readonly calls: string[];
  readonly opened: string[];
  readonly questions: {
    readonly message: string;
    readonly detail?: string;
    readonly buttons: readonly string[];
  }[];
  readonly notices: RecordedNotice[];
  readonly schemes: { scheme: string; privileges: Readonly<Record<string, boolean>> }[];
  readonly ipc: Map<string, Invoke>;
  readonly session: {
    partition: string;
    permissionRequest: PermissionRequest | null;
    permissionCheck: ((contents: unknown, permission: string) => boolean) | null;
    device: (() => boolean) | null;
    display: ((request: unknown, answer: (streams: Record<string, never>) => void) => void) | null;
    beforeRequest:
      | ((details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void)
      | null;
    handler: ((request: Request) => Promise<Response>) | null;
  };
  readonly exits: (number | undefined)[];
  readonly relaunches: { readonly execPath: string; readonly args: readonly string[] }[];
  readonly tray: { icon: string; title: string; text: string; menu: MenuItem[] };
  applicationMenu: MenuItem[];
  readonly loginItems: unknown[];
  /** Index of the button that the person presses next. */
  answer: number;
  hasLock: boolean;
  screens: Rectangle[];
  encrypts: boolean;
  backend: string;
}

export function recordingElectron(folder: string): RecordingElectron {
  const app = new EventEmitter();
  const power = new EventEmitter();
  const record: RecordingElectron = {
    app,
    power,
    windows: [],
    calls: [],
    opened: [],
    questions: [],
    notices: [],
    schemes: [],
    ipc: new Map(),
    session: {
      partition: '',
      permissionRequest: null,
      permissionCheck: null,
      device: null,
      display: null,
      beforeRequest: null,
      handler: null,
    },
    exits: [],
    relaunches: [],
    tray: { icon: '', title: '', text: '', menu: [] },
    applicationMenu: [],
    loginItems: [],
    answer: 0,
    hasLock: true,
    screens: [{ x: 0, y: 0, width: 1920, height: 1040 }],
    encrypts: true,
    backend: 'gnome_libsecret',
    get parts() {
      return parts;
    },
  };
  class Window extends RecordingWindow {
    constructor(options: WindowOptions) {
      super(options);
      record.windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }
  }
  class Tray extends EventEmitter {
    constructor(icon: string) {
      super();
      record.tray.icon = icon;
    }
    setImage(icon: string): void {
      record.tray.icon = icon;
    }
    setTitle(text: string): void {
      record.tray.title = text;
    }
    setToolTip(text: string): void {
      record.tray.text = text;
    }
    setContextMenu(menu: MenuItem[]): void {
      record.tray.menu = menu;
    }
    destroy(): void {}
  }
  class Notice extends EventEmitter {
    static isSupported = () => true;
    readonly options: { title: string; body: string };
    constructor(options: { title: string; body: string }) {
      super();
      this.options = options;
    }
    show(): void {
      record.notices.push(this);
    }
  }
  const parts: ElectronParts<MenuItem[]> = {
    app: Object.assign(app, {
      isPackaged: true,
      requestSingleInstanceLock: () => record.hasLock,
      enableSandbox: () => void record.calls.push('enableSandbox'),
      commandLine: {
        appendSwitch: (name: string, value = '') => void record.calls.push(`--${name}=${value}`),
      },
      whenReady: async () => void record.calls.push('whenReady'),
      quit: () => void record.calls.push('quit'),
      exit: (code?: number) => void record.exits.push(code),
      relaunch: (options: { execPath: string; args: string[] }) => void record.relaunches.push(options),
      getPath: (name: string) => join(folder, name),
      getVersion: () => '0.1.0',
      setAppUserModelId: () => undefined,
      setAsDefaultProtocolClient: (scheme: string) => {
        record.calls.push(`setAsDefaultProtocolClient ${scheme}`);
        return true;
      },
      setLoginItemSettings: (settings: unknown) => void record.loginItems.push(settings),
    }),
    BrowserWindow: Window,
    Menu: {
      buildFromTemplate: (items) => items,
      setApplicationMenu(menu) {
        record.applicationMenu = menu;
      },
    },
    Tray,
    Notification: Notice,
    dialog: {
      async showMessageBox(question) {
        record.questions.push(question);
        return { response: record.answer };
      },
    },
    ipcMain: { handle: (channel, listener) => void record.ipc.set(channel, listener) },
    powerMonitor: power,
    protocol: { registerSchemesAsPrivileged: (schemes) => void record.schemes.push(...schemes) },
    safeStorage: {
      isEncryptionAvailable: () => record.encrypts,
      getSelectedStorageBackend: () => record.backend,
      // Not the text itself, so that a test sees whether it was sealed.
      encryptString: (text) => Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a)),
      decryptString: (sealed) => Buffer.from([...sealed].map((byte) => byte ^ 0x5a)).toString(),
    },
    screen: { getAllDisplays: () => record.screens.map((workArea) => ({ workArea })) },
    session: {
      fromPartition(partition) {
        record.session.partition = partition;
        return {
          protocol: {
            handle(_scheme, handler) {
              record.session.handler = handler;
            },
          },
          webRequest: {
            onBeforeRequest(listener) {
              record.session.beforeRequest = listener;
            },
          },
          setPermissionRequestHandler(handler) {
            record.session.permissionRequest = handler;
          },
          setPermissionCheckHandler(handler) {
            record.session.permissionCheck = handler;
          },
          setDevicePermissionHandler(handler) {
            record.session.device = handler;
          },
          setDisplayMediaRequestHandler(handler) {
            record.session.display = handler;
          },
        };
      },
    },
    shell: {
      openExternal: async (url) => void record.opened.push(url),
      async openPath(path) {
        record.opened.push(path);
        return '';
      },
    },
    utilityProcess: {
      fork() {
        throw new Error('there is no utility process without Electron');
      },
    },
  };
  return record;
}
