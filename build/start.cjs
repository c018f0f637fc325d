#!/usr/bin/env node
// `npm start`: the desktop app where Electron's binary and a display are, else the headless gateway in this very process,
// which a look at two files does not slow down.
const { existsSync, readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '..');
/** `npm run desktop` installs Electron into main/; whoever has it among the other packages is served too. */
const ELECTRONS = ['main/node_modules/electron', 'node_modules/electron'].map((name) => join(ROOT, name));

const binary = hasDisplay() ? electronBinary() : null;
if (binary === null) {
  process.argv.splice(2, 0, 'start');
  require('./tandem.cjs');
} else openWindow(binary);

function hasDisplay() {
  const { env, platform } = process;
  if (platform === 'linux') return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  // Over SSH there is nobody in front of the screen.
  return env.SSH_CONNECTION === undefined;
}

function electronBinary() {
  for (const folder of ELECTRONS) {
    // Written by Electron's own installation once its binary is there.
    const file = join(folder, 'path.txt');
    const path = existsSync(file) ? join(folder, 'dist', readFileSync(file, 'utf8')) : null;
    if (path !== null && existsSync(path)) return path;
  }
  return null;
}

function openWindow(path) {
  const { spawn, spawnSync } = require('node:child_process');
  const run = (...argv) => {
    const { status } = spawnSync(process.execPath, argv, {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) process.exit(status ?? 1);
  };
  const { isStale, lacksSqliteBinary } = require('./fresh.cjs');
  // Whatever it is asked, the program builds itself first, and says why it cannot.
  if (isStale('gateway')) run(join(__dirname, 'tandem.cjs'), '--version');
  if (lacksSqliteBinary()) run(join(__dirname, 'native.cjs'));
  if (isStale('shell')) run(join(__dirname, 'bundle-shell.mjs'));
  const child = spawn(path, [ROOT], {
    stdio: 'inherit',
    env: { ...process.env, TANDEM_GATEWAY_FLAGS: JSON.stringify(process.argv.slice(2)) },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
