/** Entry of the desktop app, with the real Electron and the real process. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import electron from 'electron';
import { HIDDEN } from './desktop/autostart.ts';
import { createShell } from './shell.ts';
import { openUrl } from './updates/open-url.ts';
import { updateFeedOf } from './updates/update-feed.ts';

const { platform, argv, arch } = process;
const env = { ...process.env };
// The settings are kept from all programs but the gateway: a browser or installer that the app opens must not inherit
// them.
for (const name of Object.keys(env)) if (/^TANDEM_/i.test(name)) delete process.env[name];
// dist/main/main.cjs
const root = join(import.meta.dirname, '..', '..');

createShell(electron, {
  root,
  gatewayFlags: gatewayFlags(env['TANDEM_GATEWAY_FLAGS']),
  argv,
  env,
  platform,
  program: env['APPIMAGE'] ?? process.execPath,
  configFolder: env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'),
  updateFeed: updateFeedOf(readFileSync(join(root, 'package.json'), 'utf8')),
  openUrl,
  arch,
  resources: process.resourcesPath,
  launch: (program, args) => void spawn(program, args, { detached: true, stdio: 'ignore' }).unref(),
  isHidden: argv.includes(HIDDEN),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  random: Math.random,
}).catch((error: unknown) => {
  process.stderr.write(
    `tandem: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  electron.app.exit(1);
});

/**
 * Flags of `npm start -- --port 7400`. The launcher passes them in a variable, because Chromium has switches with the
 * same names.
 */
function gatewayFlags(text: string | undefined): readonly string[] {
  const flags: unknown = text === undefined ? [] : JSON.parse(text);
  return Array.isArray(flags) && flags.every((flag) => typeof flag === 'string') ? flags : [];
}
