#!/usr/bin/env node
// `npm start`: the desktop app where Electron's binary and a display are, else the headless gateway in this very
// process: the choice only looks at two files.
const { existsSync, readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '..');
/** `npm run desktop` installs Electron into main/; an Electron among the other packages is found too. */
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
    // Electron's own installation writes path.txt once its binary is there.
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
  // Every command builds the program first, or says why it cannot; `--version` does nothing else.
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
