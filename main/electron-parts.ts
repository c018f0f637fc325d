/**
 * The parts of Electron that the app uses: the module itself fits (main.ts), and so does the tests' recording
 * substitute. Electron is handed in everywhere, so that every rule of the shell can be checked without its binary.
 */
import type { EventEmitter } from 'node:events';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Cancellable {
  preventDefault(): void;
}

export interface NavigationDetails extends Cancellable {
  readonly url: string;
}

export interface WebPreferences {
  readonly preload?: string;
  readonly contextIsolation: true;
  readonly sandbox: true;
  readonly webSecurity: true;
  readonly nodeIntegration: false;
  readonly nodeIntegrationInWorker: false;
  readonly nodeIntegrationInSubFrames: false;
  readonly webviewTag: false;
  readonly allowRunningInsecureContent: false;
  readonly experimentalFeatures: false;
  readonly navigateOnDragDrop: false;
  readonly spellcheck: false;
  readonly backgroundThrottling: boolean;
  readonly devTools: boolean;
  readonly partition: string;
}

export interface WindowOptions extends Partial<Rectangle> {
  readonly show: boolean;
  readonly title: string;
  readonly minWidth: number;
  readonly minHeight: number;
  readonly backgroundColor: string;
  readonly autoHideMenuBar: boolean;
  readonly icon?: string;
  readonly resizable?: boolean;
  readonly webPreferences: WebPreferences;
}

export interface Frame {
  readonly url: string;
  readonly parent: Frame | null;
}

export interface Contents {
  readonly mainFrame: Frame;
  send(channel: string, ...values: unknown[]): void;
  reload(): void;
  getURL(): string;
  setWindowOpenHandler(handler: (details: { readonly url: string }) => { action: 'deny' }): void;
  on(event: 'will-navigate' | 'will-redirect', listener: (details: NavigationDetails) => void): unknown;
  on(event: 'will-frame-navigate', listener: (details: NavigationDetails) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: Cancellable) => void): unknown;
  on(
    event: 'render-process-gone',
    listener: (event: unknown, details: { readonly reason: string }) => void,
  ): unknown;
  on(event: 'did-finish-load', listener: () => void): unknown;
}

export interface ShellWindow {
  readonly webContents: Contents;
  loadURL(url: string): Promise<void>;
  show(): void;
  hide(): void;
  focus(): void;
  close(): void;
  destroy(): void;
  restore(): void;
  maximize(): void;
  isVisible(): boolean;
  isMinimized(): boolean;
  isMaximized(): boolean;
  isDestroyed(): boolean;
  getNormalBounds(): Rectangle;
  on(event: 'close', listener: (event: Cancellable) => void): unknown;
  on(event: 'closed' | 'ready-to-show' | 'unresponsive', listener: () => void): unknown;
}

export interface MenuItem {
  readonly label?: string;
  readonly type?: 'separator' | 'checkbox';
  readonly role?:
    | 'undo'
    | 'redo'
    | 'cut'
    | 'copy'
    | 'paste'
    | 'selectAll'
    | 'minimize'
    | 'togglefullscreen'
    | 'hide';
  readonly accelerator?: string;
  readonly enabled?: boolean;
  readonly checked?: boolean;
  readonly submenu?: MenuItem[];
  readonly click?: () => void;
}

export interface UtilityChild {
  readonly pid: number | undefined;
  readonly stdout: EventEmitter | null;
  readonly stderr: EventEmitter | null;
  postMessage(message: unknown): void;
  kill(): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

export interface ShellSession {
  readonly protocol: {
    handle(scheme: string, handler: (request: Request) => Promise<Response>): void;
  };
  readonly webRequest: {
    onBeforeRequest(
      listener: (details: { readonly url: string }, answer: (response: { cancel?: boolean }) => void) => void,
    ): void;
  };
  setPermissionRequestHandler(
    handler: (contents: unknown, permission: string, answer: (granted: boolean) => void) => void,
  ): void;
  setPermissionCheckHandler(handler: (contents: unknown, permission: string) => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  setDisplayMediaRequestHandler(
    handler: (request: unknown, answer: (streams: Record<string, never>) => void) => void,
  ): void;
}

export interface InvokeEvent {
  readonly senderFrame: Frame | null;
  readonly sender: unknown;
}

/** `Menu`: type of the menus that `buildFromTemplate` makes. */
export interface ElectronParts<Menu = unknown> {
  readonly app: {
    readonly isPackaged: boolean;
    requestSingleInstanceLock(): boolean;
    enableSandbox(): void;
    readonly commandLine: { appendSwitch(name: string, value?: string): void };
    whenReady(): Promise<void>;
    quit(): void;
    exit(code?: number): void;
    /** Starts the app again once this process is gone. */
    relaunch(options: { execPath: string; args: string[] }): void;
    getPath(name: 'userData' | 'logs'): string;
    getVersion(): string;
    setAppUserModelId(id: string): void;
    setAsDefaultProtocolClient(scheme: string, path?: string, args?: string[]): boolean;
    setLoginItemSettings(settings: { openAtLogin: boolean; args?: string[] }): void;
    on(event: 'second-instance', listener: (event: unknown, argv: string[]) => void): unknown;
    on(event: 'open-url', listener: (event: Cancellable, url: string) => void): unknown;
    on(event: 'before-quit', listener: (event: Cancellable) => void): unknown;
    on(event: 'activate' | 'window-all-closed', listener: () => void): unknown;
    on(event: 'web-contents-created', listener: (event: unknown, contents: Contents) => void): unknown;
  };
  readonly BrowserWindow: new (options: WindowOptions) => ShellWindow;
  readonly Menu: {
    buildFromTemplate(items: MenuItem[]): Menu;
    setApplicationMenu(menu: Menu): void;
  };
  readonly Tray: new (
    icon: string,
  ) => {
    setImage(icon: string): void;
    /** macOS only: text beside the picture. */
    setTitle(text: string): void;
    setToolTip(text: string): void;
    setContextMenu(menu: Menu): void;
    on(event: 'click', listener: () => void): unknown;
    destroy(): void;
  };
  readonly Notification: {
    new (options: {
      title: string;
      body: string;
      silent?: boolean;
    }): {
      show(): void;
      on(event: 'click', listener: () => void): unknown;
    };
    isSupported(): boolean;
  };
  readonly dialog: {
    showMessageBox(options: {
      type: 'question' | 'warning' | 'error';
      message: string;
      detail?: string;
      buttons: string[];
      defaultId: number;
      cancelId: number;
    }): Promise<{ response: number }>;
  };
  readonly ipcMain: {
    handle(channel: string, listener: (event: InvokeEvent, ...values: unknown[]) => Promise<unknown>): void;
  };
  readonly powerMonitor: { on(event: 'resume' | 'unlock-screen', listener: () => void): unknown };
  readonly protocol: {
    registerSchemesAsPrivileged(
      schemes: { scheme: string; privileges: Readonly<Record<string, boolean>> }[],
    ): void;
  };
  readonly safeStorage: {
    isEncryptionAvailable(): boolean;
    getSelectedStorageBackend?(): string;
    encryptString(text: string): Buffer;
    decryptString(sealed: Buffer): string;
  };
  readonly screen: { getAllDisplays(): { readonly workArea: Rectangle }[] };
  readonly session: { fromPartition(partition: string): ShellSession };
  readonly shell: {
    openExternal(url: string): Promise<void>;
    openPath(path: string): Promise<string>;
  };
  readonly utilityProcess: {
    fork(
      modulePath: string,
      args: string[],
      options: {
        serviceName: string;
        stdio: ['ignore', 'pipe', 'pipe'];
        env: Record<string, string>;
      },
    ): UtilityChild;
  };
}
