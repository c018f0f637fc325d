/** The whole shell on the recording Electron, with a real gateway in this process in the place of the child. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FromGateway, ToGateway } from '../../gateway/contract/shell-link.ts';
import { createGateway, type Gateway } from '../../gateway/index.ts';
import type { GatewayChild } from '../../main/gateway-host/gateway-child.ts';
import { type CALL_NAMES, channelOf } from '../../main/ipc/contract.ts';
import { createShell, type Shell, type ShellOptions } from '../../main/shell.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { testSettings, whileTimePasses } from './gateway.ts';
import { paperAlone } from './paper-alone.ts';
import { type RecordingElectron, type RecordingWindow, recordingElectron } from './recording-electron.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { untilSettled } from './until.ts';

const NONCE = 'the nonce of this test only';

export interface DesktopShell {
  readonly electron: RecordingElectron;
  /** null: another instance has the lock. */
  readonly shell: Shell | null;
  readonly gateway: Gateway;
  /** Clock of the shell and of the gateway in this process. */
  readonly clock: FakeClock;
  /** Messages of the shell to the gateway's process. */
  readonly told: ToGateway[];
  /** As the gateway's process would answer `ask-work` from now on. */
  work: { executions: number; orders: number; waiting: number };
  /** The first window. */
  readonly window: RecordingWindow;
  /** Asks as the dashboard's page does. */
  ask(method: string, path: string, body?: unknown, account?: string): Promise<Response>;
  /** Calls the app as the main frame of the dashboard does. */
  invoke(name: (typeof CALL_NAMES)[number], ...values: unknown[]): Promise<unknown> | undefined;
  close(): Promise<void>;
}

/** Waits for what happens a few turns later. */
export const eventually = (holds: () => boolean) => untilSettled(`${holds}`, holds);

/** A gateway's process that does nothing but say what a test lets it say. */
export function talkingChild() {
  let say: (message: unknown) => void = () => {};
  let exit: (code: number | null) => void = () => {};
  const start = (): GatewayChild => ({
    post: () => undefined,
    onMessage(listener) {
      say = listener;
    },
    onExit(listener) {
      exit = listener;
    },
    onOutput: () => undefined,
    kill: () => undefined,
  });
  return { start, say: (message: unknown) => say(message), exit: (code: number | null) => exit(code) };
}

export async function openDesktopShell(
  over: Partial<ShellOptions> = {},
  prepare: (electron: RecordingElectron) => void = () => undefined,
  /** Name → text: what an earlier run has left in the app's own folder. */
  kept: Readonly<Record<string, string>> = {},
): Promise<DesktopShell> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'userData'));
  for (const [name, text] of Object.entries(kept)) await writeFile(join(folder, 'userData', name), text);
  const clock = createFakeClock();
  const electron = recordingElectron(folder);
  prepare(electron);
  let say: (message: FromGateway) => void = () => {};
  let exit: (code: number | null) => void = () => {};
  const gateway = await createGateway(
    testSettings(folder),
    { venues: [paperAlone], clock },
    {
      nonce: NONCE,
      consentAsked: (uid) => say({ kind: 'consent', uid }),
      approvalAsked: (id) => say({ kind: 'approval', id }),
    },
  );
  const desk: { work: DesktopShell['work'] } = { work: { executions: 0, orders: 0, waiting: 0 } };
  const told: ToGateway[] = [];
  const opening = createShell(electron.parts, {
    root: join(folder, 'app'),
    gatewayFlags: [],
    argv: [],
    env: {},
    platform: 'linux',
    program: '/opt/Tandem/tandem',
    configFolder: join(folder, 'config'),
    updateFeed: null,
    openUrl: () => Promise.reject(new Error('nobody is asked')),
    arch: 'x64',
    resources: join(folder, 'resources'),
    launch: () => undefined,
    isHidden: false,
    after: clock.after,
    random: () => 0,
    startChild: () => ({
      post(message) {
        told.push(message);
        if (message.kind === 'stop') queueMicrotask(() => exit(0));
        if (message.kind === 'ask-work')
          queueMicrotask(() => say({ kind: 'work', id: message.id, work: desk.work }));
      },
      onMessage(listener) {
        say = listener;
        queueMicrotask(() =>
          say({
            kind: 'ready',
            url: gateway.url,
            pageOrigin: `http://tandem.localhost:${gateway.port}`,
            nonce: NONCE,
            pid: process.pid,
            version: '0.1.0',
          }),
        );
      },
      onExit(listener) {
        exit = listener;
      },
      onOutput: () => undefined,
      kill: () => exit(null),
    }),
    ...over,
  });
  // It waits a while for a gateway that is not ready.
  const shell = await whileTimePasses(clock, opening);
  const desktop: DesktopShell = {
    electron,
    shell,
    gateway,
    clock,
    told,
    get work() {
      return desk.work;
    },
    set work(work) {
      desk.work = work;
    },
    get window() {
      const [window] = electron.windows;
      if (window === undefined) throw new Error('there is no window');
      return window;
    },
    async ask(method, path, body, account) {
      const handle = electron.session.handler;
      if (handle === null) throw new Error('nothing answers');
      const of = account === undefined ? {} : { 'x-trade-account-id': account };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json', ...of };
      return handle(new Request(`app://tandem${path}`, { method, headers, ...sent }));
    },
    invoke(name, ...values) {
      const senderFrame = { url: 'app://tandem/app/', parent: null };
      const event = { sender: desktop.window.webContents, senderFrame };
      return electron.ipc.get(channelOf(name))?.(event, ...values);
    },
    close: () => whileTimePasses(clock, gateway.close()),
  };
  return desktop;
}
