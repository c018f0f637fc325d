/** Every rule that keeps a page of the app in its place, on an Electron that only records. */
import { Script } from 'node:vm';
import { expect } from 'chai';
import type { Frame } from '../../../main/electron-parts.ts';
import { BRIDGE_NAME, CALL_NAMES, channelOf } from '../../../main/ipc/contract.ts';
import { electronTypes } from '../../support/desktop-packages.ts';
import { type DesktopShell, openDesktopShell } from '../../support/desktop-shell.ts';
import type { RecordingWindow } from '../../support/recording-electron.ts';

const HOSTILE = [
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,<h1>x</h1>',
  'https://evil.example/',
  'http://tandem.localhost:7391/docs/../positions',
  'app://tandem.evil.example/app/',
  'app://evil/',
  'app://user@tandem/app/',
  'chrome://settings',
  'about:srcdoc',
];

describe('the desktop shell keeps its pages in their place', () => {
  let desk: DesktopShell;
  let page: RecordingWindow;
  before(async () => {
    desk = await openDesktopShell();
    page = desk.window;
  });
  after(() => desk.close());

  it('opens one window with exactly these preferences, and the scheme before anything else', () => {
    const { preload, ...preferences } = page.options.webPreferences;
    expect(preload).to.match(/[\\/]dist[\\/]main[\\/]preload\.cjs$/);
    expect(preferences).to.deep.equal({
      partition: 'persist:tandem',
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      backgroundThrottling: false,
      devTools: false,
    });
    expect(page.loaded).to.deep.equal(['app://tandem/app/']);
    expect(desk.electron.calls.slice(0, 3)).to.deep.equal([
      'enableSandbox',
      '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets',
      'whenReady',
    ]);
    expect(desk.electron.schemes).to.deep.equal([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
    ]);
    expect(desk.electron.session.partition).to.equal('persist:tandem');
  });

  it('lets no page leave, open a window or embed another', () => {
    const { webContents } = page;
    for (const url of HOSTILE) {
      expect(webContents.navigate('will-navigate', url), url).to.equal(true);
      expect(webContents.navigate('will-redirect', url), url).to.equal(true);
      expect(webContents.navigate('will-frame-navigate', url), url).to.equal(true);
      expect(webContents.openHandler?.({ url }), url).to.deep.equal({ action: 'deny' });
    }
    let isKept = false;
    webContents.emit('will-attach-webview', { preventDefault: () => (isKept = true) });
    expect(isKept).to.equal(true);
    expect(desk.electron.opened).to.deep.equal([]);
    expect(webContents.navigate('will-navigate', 'app://tandem/app/positions')).to.equal(false);
  });

  it('opens listed links in the system’s browser', async () => {
    expect(page.webContents.openHandler?.({ url: 'https://github.com/a' })).to.deep.equal({ action: 'deny' });
    expect(desk.electron.opened.splice(0)).to.deep.equal(['https://github.com/a']);
  });

  it('grants of all permissions that Electron knows only the writing of text to the clipboard', function () {
    const { session } = desk.electron;
    const types = electronTypes(this);
    const handlers = [...types.matchAll(/setPermission(?:Request|Check)Handler\(handler: .*/g)]
      .map(String)
      .join();
    const names = new Set([...handlers.matchAll(/'([a-zA-Z-]+)'/g)].map(([, name]) => name ?? ''));
    expect(names.size).to.be.greaterThan(15);
    expect([...names]).to.include.members([
      'media',
      'notifications',
      'openExternal',
      'clipboard-read',
      'usb',
    ]);
    for (const name of [...names, 'something-new']) {
      const isGranted = name === 'clipboard-sanitized-write';
      const answers: boolean[] = [];
      session.permissionRequest?.({}, name, (granted) => answers.push(granted));
      expect(answers, name).to.deep.equal([isGranted]);
      expect(session.permissionCheck?.({}, name), name).to.equal(isGranted);
    }
    expect(session.device?.()).to.equal(false);
    session.display?.({}, (streams) => expect(streams).to.deep.equal({}));
  });

  it('loads nothing but its own pages and the one WebSocket of its gateway', () => {
    const { port } = desk.gateway;
    const isCancelled = (url: string) => {
      let cancelled: boolean | undefined;
      desk.electron.session.beforeRequest?.({ url }, ({ cancel }) => {
        cancelled = cancel;
      });
      return cancelled;
    };
    for (const url of ['app://tandem/app/', 'data:image/png;base64,x', `ws://127.0.0.1:${port}/ws`])
      expect(isCancelled(url), url).to.equal(false);
    for (const url of [
      'https://github.com/',
      `http://127.0.0.1:${port}/positions`,
      `ws://127.0.0.1:${port}/other`,
      `ws://127.0.0.1:${port + 1}/ws`,
      `ws://localhost:${port}/ws`,
      `wss://127.0.0.1:${port}/ws`,
      'ws://evil.example/ws',
      'file:///etc/passwd',
      'nonsense',
    ])
      expect(isCancelled(url), url).to.equal(true);
  });

  it('answers calls of the dashboard’s main frame only', async () => {
    const { ipc } = desk.electron;
    const own: Frame = { url: 'app://tandem/app/positions', parent: null };
    const invoke = (
      name: (typeof CALL_NAMES)[number],
      sender: unknown,
      senderFrame: Frame | null,
      ...rest: unknown[]
    ) => ipc.get(channelOf(name))?.({ sender, senderFrame }, ...rest);
    expect([...ipc.keys()].sort()).to.deep.equal(CALL_NAMES.map(channelOf).sort());
    expect(await invoke('shellState', page.webContents, own)).to.deep.equal({
      gateway: 'READY',
      problem: null,
      elsewhere: null,
      realtimeUrl: `ws://127.0.0.1:${desk.gateway.port}/ws`,
      version: '0.1.0',
    });
    const forged: readonly (readonly [unknown, Frame | null])[] = [
      [page.webContents, null],
      [page.webContents, { url: 'app://tandem/app/', parent: own }],
      [page.webContents, { url: 'https://evil.example/', parent: null }],
      [page.webContents, { url: 'app://tandem.evil/app/', parent: null }],
      [page.webContents, { url: 'app://tandem/consent/u1', parent: null }],
      [page.webContents, { url: 'file:///app/', parent: null }],
      [page.webContents, { url: '', parent: null }],
      [{}, own],
    ];
    for (const name of CALL_NAMES) {
      for (const [sender, frame] of forged) {
        const refusal = await invoke(name, sender, frame)?.then(
          () => null,
          (error: Error) => error.message,
        );
        expect(refusal, `${name} ${frame?.url}`).to.equal(`${name}: not for this page`);
      }
    }
  });

  it('parses what it is asked, and hands on nothing else', async () => {
    const bad: readonly (readonly [(typeof CALL_NAMES)[number], ...unknown[]])[] = [
      ['shellState', 'x'],
      ['writePreferences', { autostart: 'yes' }],
      ['writePreferences', { onClose: 'never' }],
      ['writePreferences', { program: '/bin/sh' }],
      ['notify', { title: '', body: '', path: null }],
      ['notify', { title: 'x', body: 'x'.repeat(401), path: null }],
      ['notify', { title: 'x', body: '', path: '//evil.example' + '/%2e' }],
      ['notify', { title: 'x', body: '', path: 'https://evil.example/' }],
      ['openLink', 7],
      ['openLogs', '/etc'],
      ['restartGateway', {}, {}],
    ];
    for (const [name, ...values] of bad) {
      const refused = await desk.invoke(name, ...values)?.then(
        () => false,
        () => true,
      );
      expect(refused, `${name} ${JSON.stringify(values)}`).to.equal(true);
    }
    for (const url of HOSTILE) expect(await desk.invoke('openLink', url)).to.equal(false);
    expect(desk.electron.opened).to.deep.equal([]);
  });
});

describe('the preload', () => {
  it('gives the page at most ten functions, by name, and no way to another channel', async () => {
    const { build } = await import('esbuild');
    const { outputFiles } = await build({
      entryPoints: ['main/ipc/preload.ts'],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'browser',
      external: ['electron'],
      logLevel: 'silent',
    });
    const exposed = new Map<string, Record<string, (value?: unknown) => unknown>>();
    const invoked: unknown[][] = [];
    const heard: unknown[] = [];
    let emit: (event: unknown, ...values: unknown[]) => void = () => {};
    const electron = {
      contextBridge: {
        exposeInMainWorld: (name: string, bridge: Record<string, (value?: unknown) => unknown>) =>
          exposed.set(name, bridge),
      },
      ipcRenderer: {
        invoke: (...values: unknown[]) => invoked.push(values),
        on(_channel: string, listener: typeof emit) {
          emit = listener;
        },
        removeListener: () => heard.push('removed'),
      },
    };
    const required: string[] = [];
    const run = new Script(`(function (require) {${outputFiles[0]?.text ?? ''}\n})`).runInThisContext();
    run((name: string) => {
      required.push(name);
      return electron;
    });
    expect([required, [...exposed.keys()]]).to.deep.equal([['electron'], [BRIDGE_NAME]]);
    const bridge = exposed.get(BRIDGE_NAME) ?? {};
    expect(Object.keys(bridge)).to.deep.equal([
      'shellState',
      'readPreferences',
      'writePreferences',
      'notify',
      'openLink',
      'openLogs',
      'restartGateway',
      'onShellStateChanged',
      'onScreenAsked',
    ]);
    bridge['openLink']?.('https://github.com/');
    expect(invoked).to.deep.equal([['tandem:openLink', 'https://github.com/']]);
    const stop = bridge['onScreenAsked']?.((...told: unknown[]) => heard.push(told));
    emit({ sender: 'everything' }, '/orders', 'more');
    if (typeof stop === 'function') stop();
    expect(heard).to.deep.equal([['/orders'], 'removed']);
    expect(() => bridge['onScreenAsked']?.('not a function')).to.throw(TypeError);
  });
});
