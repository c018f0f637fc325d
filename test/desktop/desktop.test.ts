/**
 * The real app, driven through Playwright's Electron support. Needs Electron's binary and a display; without them it says
 * so. The rules of the shell are tested without either, in test/unit/main.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type ElectronApplication, _electron as electron, type Page } from 'playwright-core';
import { findDesktopFile } from '../../build/desktop-packages.mjs';
import { buildGateway } from '../support/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Path of the binary, or why there is none to start. */
function findElectron(): { readonly path: string } | { readonly missing: string } {
  const manifest = findDesktopFile('electron/package.json');
  if (manifest === null) return { missing: 'Electron is not installed (npm run desktop)' };
  const folder = dirname(manifest);
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return { missing: `Electron's binary is not installed (no ${pathFile})` };
  const path = join(folder, 'dist', readFileSync(pathFile, 'utf8'));
  if (!existsSync(path)) return { missing: `Electron's binary is not at ${path}` };
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY)
    return { missing: 'there is no display (DISPLAY, WAYLAND_DISPLAY)' };
  return { path };
}

describe('the real desktop app', function () {
  this.timeout(60_000);
  let app: ElectronApplication | null = null;
  let page: Page;

  before(async function () {
    const found = findElectron();
    if ('missing' in found) {
      console.warn(`\n    *** THE DESKTOP APP IS NOT TESTED: ${found.missing} ***\n`);
      return this.skip();
    }
    buildGateway();
    execFileSync(process.execPath, [join(ROOT, 'build', 'bundle-shell.mjs')]);
    const folder = await temporaryFolder();
    const flags = ['--port', '0', '--data-dir', join(folder, 'data'), '--vault', 'file'];
    app = await electron.launch({
      executablePath: found.path,
      args: [ROOT, `--user-data-dir=${join(folder, 'user')}`],
      env: { ...process.env, TANDEM_GATEWAY_FLAGS: JSON.stringify(flags) } as Record<string, string>,
    });
    page = await app.firstWindow();
  });
  after(() => app?.evaluate(({ app: inside }) => inside.exit(0)).catch(() => undefined));

  it('shows the dashboard at its own origin, with its functions and without Node', async () => {
    await page.waitForLoadState('domcontentloaded');
    expect(page.url()).to.match(/^app:\/\/tandem\/app/);
    const seen = await page.evaluate(() => ({
      functions: Object.keys(Reflect.get(globalThis, 'tandemShell')).length,
      node: typeof Reflect.get(globalThis, 'require') + typeof Reflect.get(globalThis, 'process'),
    }));
    expect(seen).to.deep.equal({ functions: 9, node: 'undefinedundefined' });
  });

  it('reaches its gateway through the page’s own origin', async () => {
    const status = await page.evaluate(async () => (await fetch('/health')).status);
    expect(status).to.equal(200);
  });

  it('cannot leave, nor open a window', async () => {
    await page.evaluate(() =>
      Reflect.apply(Reflect.get(globalThis, 'open'), globalThis, ['https://evil.example/']),
    );
    expect(app?.windows().length).to.equal(1);
    await page.evaluate(() => {
      Reflect.set(Reflect.get(globalThis, 'location'), 'href', 'https://evil.example/');
    });
    expect(page.url()).to.match(/^app:\/\/tandem\//);
  });
});
