import { dataDirOf, loadSettings, SETTING_FLAGS, type Settings } from '../../config.ts';
import { ensureDataFolder } from '../../system/data-folder.ts';
import { acquireDataFolderLock } from '../../system/data-folder-lock.ts';
import { CliError, usage } from '../cli-error.ts';
import type { Command, CommandContext } from '../command.ts';
import { startProgress } from '../progress.ts';

export const command: Command = {
  usage: 'start [flags]',
  about: [
    'Starts the gateway and keeps it running until Ctrl-C or SIGTERM.',
    'Each flag can be set in the environment (TANDEM_PORT …) or in config.json of the data folder too.',
  ],
  flags: SETTING_FLAGS,
  words: [0, 0],
  async run(context) {
    const loaded = loadSettings({
      argv: context.argv,
      env: context.env,
      homedir: context.homedir,
      platform: context.platform,
    });
    if (!loaded.ok) throw usage(loaded.error.join('; '));
    const settings = loaded.value;
    const folder = ensureDataFolder(settings.dataDir);
    if (!folder.ok) throw new CliError(folder.error);
    if (folder.value.warning !== null) context.terminal.err(`Warning: ${folder.value.warning}`);
    const lock = acquireDataFolderLock(settings.dataDir);
    if (!lock.ok) throw new CliError(lock.error.message);
    try {
      return await serve(context, settings, lock.value.publish);
    } finally {
      lock.value.release();
    }
  },
};

async function serve(
  context: CommandContext,
  settings: Settings,
  publish: (url: string) => void,
): Promise<number> {
  const { createGateway } = await import('../../index.ts');
  let gateway: Awaited<ReturnType<typeof createGateway>>;
  // For somebody who looks on; a log needs only what comes of it.
  const progress = context.terminal.interactive
    ? startProgress(context.terminal, context.clock, 'starting')
    : null;
  try {
    gateway = await createGateway(settings);
  } catch (error) {
    progress?.done();
    // A mistake of the program is not explained in one line: the entry prints where it happened.
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
      throw error;
    throw new CliError(whyNotStarted(error, settings));
  }
  progress?.done();
  publish(gateway.url);
  announce(context, settings, gateway);
  if (settings.open) openBrowser(context, `http://${settings.uiHost}:${gateway.port}/docs`);
  await untilInterrupted(context.interrupted);
  if (!settings.jsonReady) context.terminal.err('Stopping …');
  await gateway.close();
  return 0;
}

function announce(
  context: CommandContext,
  settings: Settings,
  gateway: { readonly url: string; readonly port: number; readonly mode: string; readonly firstRun: boolean },
): void {
  const { terminal, version } = context;
  if (settings.jsonReady) {
    terminal.out(JSON.stringify({ ready: true, url: gateway.url, pid: process.pid, version }));
    return;
  }
  terminal.out(`Tandem is ready at ${gateway.url}`);
  terminal.err(`  mode         ${gateway.mode}`);
  terminal.err(`  API docs     http://${settings.uiHost}:${gateway.port}/docs`);
  terminal.err(`  data folder  ${settings.dataDir}`);
  if (gateway.firstRun) {
    terminal.err('  No user yet. In another terminal, make one with a funded paper account and a key:');
    const usual = dataDirOf({ ...context, env: { ...context.env, TANDEM_DATA_DIR: undefined } }, undefined);
    const folder = settings.dataDir === usual ? '' : ` --data-dir '${settings.dataDir}'`;
    terminal.err(`    npx tandem keys create --email you@example.org --save${folder}`);
  }
}

function untilInterrupted(interrupted: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) resolve();
    else interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
}

function whyNotStarted(error: unknown, settings: Settings): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `port ${settings.port} is taken by another program; stop it, or choose another port with --port (tandem doctor says more)`;
  }
  if (
    error instanceof Error &&
    'code' in error &&
    error.code === 'EACCES' &&
    'syscall' in error &&
    error.syscall === 'listen'
  ) {
    return `port ${settings.port} needs more rights than you have; choose one above 1023 with --port`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** A browser that cannot be opened is no reason to fail: the address is on the screen. */
function openBrowser(context: CommandContext, url: string): void {
  const [program, ...args] =
    context.platform === 'darwin'
      ? ['open', url]
      : context.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  if (program === undefined) return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => context.terminal.err(`No browser could be opened; the page is at ${url}`));
  child.unref();
}
