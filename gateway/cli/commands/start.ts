import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirOf, loadSettings, SETTING_FLAGS, type Settings, setupCodeFile } from '../../config.ts';
import { openFrontDoor } from '../../front-door.ts';
import type { Gateway } from '../../index.ts';
import { loadGateway } from '../../load-gateway.ts';
import { ensureDataFolder, RESTORE_INCOMING, RESTORE_JOURNAL } from '../../system/data-folder.ts';
import { acquireDataFolderLock, type DataFolderLock } from '../../system/data-folder-lock.ts';
import { endAnywayAfter } from '../../system/end-anyway.ts';
import { saveMemoryAtRest } from '../../system/heap.ts';
import { CliError, usage } from '../cli-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { removeLinkFile, writeLinkFile } from '../link-file.ts';
import { openInBrowser } from '../open-browser.ts';
import { programFile, shellName } from '../program-files.ts';
import { startProgress } from '../progress.ts';
import type { ShellLink } from '../shell-link.ts';
import { tandemVersionAt } from '../tandem-at-port.ts';

/**
 * Time from SIGTERM to a forced end. The limits of the steps of a stop are shorter together (compose/stop-limits.ts).
 */
const END_ANYWAY_MS = 9_000;
/** Life of the link file, as long as its link is valid. */
const LINK_FILE_MS = 60_000;

export const command: Command = {
  usage: 'start [flags]',
  about: [
    'Starts the gateway and keeps it running until Ctrl-C or SIGTERM.',
    'Each flag can be set in the environment (TANDEM_PORT …) or in config.json of the data folder too.',
  ],
  flags: SETTING_FLAGS,
  words: [0, 0],
  async run(context) {
    // Opened before the settings are read: the window of the app shows mistakes in the settings.
    const link = context.argv.includes('--shell') ? (await import('../shell-link.ts')).openShellLink() : null;
    try {
      const loaded = loadSettings(context);
      if (!loaded.ok) throw usage(loaded.error.join('; '));
      return await startOn(context, loaded.value, link);
    } catch (error) {
      if (error instanceof CliError)
        link?.tell({
          kind: 'failed',
          message: error.message,
          exitCode: error.exitCode,
          elsewhere: error instanceof AlreadyRuns ? error.pages : null,
        });
      throw error;
    }
  },
};

/** Another gateway has the data folder open; a person can go on at `pages`. */
class AlreadyRuns extends CliError {
  readonly pages: string;
  constructor(message: string, pages: string) {
    super(message);
    this.pages = pages;
  }
}

/** State that the steps of one start share. */
interface Launch {
  readonly context: CommandContext;
  readonly settings: Settings;
  /** null: the desktop app did not start this gateway. */
  readonly link: ShellLink | null;
  readonly lock: DataFolderLock;
}

async function startOn(context: CommandContext, settings: Settings, link: ShellLink | null): Promise<number> {
  const folder = ensureDataFolder(settings.dataDir);
  if (!folder.ok) throw new CliError(folder.error);
  if (folder.value.warning !== null) context.terminal.err(`Warning: ${folder.value.warning}`);
  const lock = acquireDataFolderLock(settings.dataDir);
  if (!lock.ok) {
    const url = lock.error.kind === 'held' ? lock.error.holder.url : null;
    if (url === null) throw new CliError(lock.error.message);
    throw new AlreadyRuns(lock.error.message, `http://${settings.uiHost}:${new URL(url).port}/`);
  }
  try {
    await finishRestore(context, settings.dataDir);
    return await serve({ context, settings, link, lock: lock.value });
  } finally {
    lock.value.release();
  }
}

/** A restore that died between two moves left half of each folder. */
async function finishRestore({ terminal }: CommandContext, dataDir: string): Promise<void> {
  if (![RESTORE_JOURNAL, RESTORE_INCOMING].some((name) => existsSync(join(dataDir, name)))) return;
  const { BackupError, finishRestore: finish } = await import('../../folder/backup.ts');
  const isFinished = await finish(dataDir).catch((error: unknown) => {
    throw error instanceof BackupError ? new CliError(error.message) : error;
  });
  if (isFinished) terminal.err('A restore that was cut off is finished now.');
}

async function serve(launch: Launch): Promise<number> {
  const { context, link } = launch;
  const interrupted =
    link === null ? context.interrupted : AbortSignal.any([context.interrupted, link.stopped]);
  // The forced end covers the start too: recovery has no limit of its own.
  const ended = endOnceInterrupted(launch, interrupted);
  try {
    return await serveUntil(interrupted, launch);
  } finally {
    ended();
  }
}

/**
 * Ends the process END_ANYWAY_MS after the interruption, whatever it is doing. @returns cancels the forced end
 */
function endOnceInterrupted({ context, lock }: Launch, interrupted: AbortSignal): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = endAnywayAfter(END_ANYWAY_MS, context.clock, () => lock.release());
  };
  interrupted.addEventListener('abort', arm, { once: true });
  if (interrupted.aborted) arm();
  return () => {
    interrupted.removeEventListener('abort', arm);
    cancel();
  };
}

async function serveUntil(interrupted: AbortSignal, launch: Launch): Promise<number> {
  const { context, settings, link, lock } = launch;
  let gateway: Gateway;
  // Progress is for a person at a terminal; a log needs only the outcome.
  const progress = context.terminal.interactive
    ? startProgress(context.terminal, context.clock, 'starting')
    : null;
  try {
    const door = await openFrontDoor(settings, { shell: link !== null });
    const { createGateway } = await loadGateway(door);
    gateway = await createGateway(
      settings,
      {},
      {
        door,
        nonce: lock.token,
        ...(link === null
          ? {}
          : {
              consentAsked: (uid) => link.tell({ kind: 'consent', uid }),
              approvalAsked: (id) => link.tell({ kind: 'approval', id }),
            }),
      },
    );
  } catch (error) {
    progress?.done();
    // A bug is not reduced to one line: the entry point prints where it happened.
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
      throw error;
    throw new CliError(await whyNotStarted(error, settings));
  }
  progress?.done();
  lock.publish(gateway.url, gateway.socketPath);
  if (link === null) announce(launch, gateway);
  else tellShell(launch, link, gateway);
  const forgetLink = settings.open ? openDashboard(launch, gateway) : () => undefined;
  const stopSaving = saveMemoryAtRest(context.clock);
  await untilInterrupted(interrupted);
  if (!settings.jsonReady && link === null) context.terminal.err('Stopping …');
  forgetLink();
  stopSaving();
  await gateway.close();
  return 0;
}

function tellShell({ context, settings, lock }: Launch, link: ShellLink, gateway: Gateway): void {
  link.tell({
    kind: 'ready',
    url: gateway.url,
    pageOrigin: `http://${settings.uiHost}:${gateway.port}`,
    nonce: lock.token,
    pid: process.pid,
    version: context.version,
    setupCode: gateway.setupCode,
  });
  link.onAsked((message) => {
    if (message.kind === 'woke') gateway.woke();
    else
      gateway.work().then((work) => link.tell({ kind: 'work', id: message.id, work }), context.terminal.err);
  });
}

function announce({ context, settings }: Launch, gateway: Gateway): void {
  const { terminal, version } = context;
  if (settings.jsonReady) {
    terminal.out(
      JSON.stringify({
        ready: true,
        url: gateway.url,
        pid: process.pid,
        version,
        mode: gateway.mode,
        money: gateway.money,
      }),
    );
    return;
  }
  terminal.out(`Tandem is ready at ${gateway.url}`);
  terminal.err(`  mode         ${modeOf(gateway)}`);
  terminal.err(`  dashboard    http://${settings.uiHost}:${gateway.port}/`);
  terminal.err(`  API docs     ${gateway.url}/docs`);
  terminal.err(`  data folder  ${settings.dataDir}`);
  if (gateway.firstRun) {
    terminal.err('  No user yet. Open the dashboard to set up; or, for programs, make one with a key:');
    const usual = dataDirOf({ ...context, env: { ...context.env, TANDEM_DATA_DIR: undefined } }, undefined);
    const folder = settings.dataDir === usual ? '' : ` --data-dir '${settings.dataDir}'`;
    const name = shellName(context.env, context.platform);
    terminal.err(`    ${name} keys create --email you@example.org --save${folder}`);
    // Without a terminal, standard error may be a log that others read: only the code's file is named.
    if (gateway.setupCode !== null)
      terminal.err(
        `  setup code   ${terminal.interactive ? gateway.setupCode : `in ${setupCodeFile(settings.dataDir)}`}`,
      );
  }
}

function modeOf({ mode, money }: Pick<Gateway, 'mode' | 'money'>): string {
  return mode === 'MIXED' ? `MIXED (${money.join(', ')})` : mode;
}

function untilInterrupted(interrupted: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) resolve();
    else interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function whyNotStarted(error: unknown, settings: Settings): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') {
    const other = settings.shell
      ? `or write another one into ${join(settings.dataDir, 'config.json')}: {"port": 7400}`
      : 'or choose another port with --port (tandem doctor says more)';
    const version = await tandemVersionAt(settings.port);
    const holder =
      version === null ? 'another program' : `another Tandem (${version}, on another data folder)`;
    return `port ${settings.port} is taken by ${holder}; stop it, ${other}`;
  }
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return `port ${settings.port} needs more rights than you have; choose one above 1023 with --port`;
  const maker = programFile('native.cjs');
  // The database driver's binary was built for another system: a copied folder, or an older C library.
  if (code === 'ERR_DLOPEN_FAILED' && error.message.includes('node_sqlite3') && maker !== null)
    return `SQLite was made for another system (${error.message}); make it anew: node '${maker}'`;
  return error.message;
}

/**
 * Opens the dashboard, signed in. The link works once and for a minute; other users of the machine can read the
 * arguments of a program, so the browser gets the name of a file that only this user can read, and the file redirects
 * to the link.
 * @returns removes the file
 */
function openDashboard({ context, settings }: Launch, gateway: Gateway): () => void {
  const link = gateway.signInLink();
  const file = writeLinkFile(settings.dataDir, link);
  const forget = () => removeLinkFile(file);
  const cancel = context.clock.after(LINK_FILE_MS, forget);
  if (!settings.jsonReady) context.terminal.err(`  open once    ${link}`);
  openInBrowser(context, file, () =>
    context.terminal.err(`No browser could be opened; open the link above in one`),
  );
  return () => {
    cancel();
    forget();
  };
}
