/** Contents of the packages of every system, by electron-builder's own rules, and the checks of the archive. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FuseV1Options } from '@electron/fuses';
import { expect } from 'chai';
import { drawIcons } from '../../../build/icons.mjs';
import { updateArguments } from '../../../build/package.mjs';
import { faultsOfArchive } from '../../../build/packaged-app.mjs';
import { type BuilderParts, requireBuilder } from '../../support/desktop-packages.ts';
import type { Json } from '../../support/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let parts: BuilderParts;

const file = (path: string) => ({ path, size: 1, isUnpacked: path.endsWith('.node'), sha256: '00' });

async function configuration(): Promise<Json> {
  const { getConfig } = parts.builder('app-builder-lib/out/util/config/config');
  return getConfig(ROOT, 'electron-builder.yml', null);
}

async function faultOf(config: Json): Promise<string | null> {
  const { validateConfiguration } = parts.builder('app-builder-lib/out/util/config/config');
  return validateConfiguration(config, { isEnabled: false }).then(
    () => null,
    (error: Error) => error.message,
  );
}

describe('the packages', () => {
  before(function () {
    parts = requireBuilder(this);
  });

  it('are described for every system as electron-builder’s schema has it @long', async () => {
    const config = await configuration();
    expect(await faultOf(config)).to.equal(null);
    expect([config.linux.target, config.mac.target, config.win.target]).to.deep.equal([
      ['AppImage', 'deb', 'tar.gz'],
      ['dmg', 'zip'],
      ['nsis'],
    ]);
    // The schema does look.
    for (const wrong of [
      { ...config, nsis: { ...config.nsis, oneclick: false } },
      { ...config, mac: { ...config.mac, hardenedRuntime: 'yes' } },
      { ...config, electronFuses: { ...config.electronFuses, runAsNodes: false } },
      { ...config, deb: { ...config.deb, dependencies: [] } },
    ])
      expect(await faultOf(wrong)).to.be.a('string');
  });

  it('hold an archive with hashes, its addons outside, and every fuse that Electron has, decided', async () => {
    const { asar, asarUnpack, electronFuses, npmRebuild } = await configuration();
    expect([asar, asarUnpack, npmRebuild]).to.deep.equal([true, ['**/*.node'], false]);
    expect(electronFuses).to.deep.equal({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
    const known = Object.keys(FuseV1Options).filter((name) => !/^\d+$/.test(name));
    expect(Object.keys(electronFuses).map((name) => name.toLowerCase())).to.have.members(
      known.map((name) => name.toLowerCase()),
    );
  });

  it('have an icon of each system, in the sizes that it shows', async () => {
    const folder = await temporaryFolder();
    drawIcons(folder);
    const { linux, mac, win } = await configuration();
    expect([linux.icon, mac.icon, win.icon]).to.deep.equal([
      'dist/main/icon.png',
      'dist/main/icon.icns',
      'dist/main/icon.ico',
    ]);
    const read = (name: string) => readFileSync(join(folder, name));
    const square = (png: Buffer) => {
      expect(png.subarray(0, 8).toString('hex')).to.equal('89504e470d0a1a0a');
      expect(png.readUInt32BE(16)).to.equal(png.readUInt32BE(20));
      return png.readUInt32BE(16);
    };
    expect(square(read('icon.png'))).to.equal(512);
    expect(
      ['tray.png', 'tray-live.png', 'tray-testnet.png', 'trayTemplate.png', 'trayTemplate@2x.png'].map(
        (name) => square(read(name)),
      ),
    ).to.deep.equal([32, 32, 32, 18, 36]);
    const ico = read('icon.ico');
    const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => 6 + 16 * index);
    expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).to.deep.equal([0, 1]);
    const inIco = entries.map((at) => {
      const offset = ico.readUInt32LE(at + 12);
      const size = square(ico.subarray(offset, offset + ico.readUInt32LE(at + 8)));
      expect(ico[at]).to.equal(size % 256);
      return size;
    });
    expect(inIco).to.deep.equal([16, 32, 48, 64, 128, 256]);
    const icns = read('icon.icns');
    expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).to.deep.equal(['icns', icns.length]);
    const inIcns: [string, number][] = [];
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4))
      inIcns.push([icns.toString('latin1', at, at + 4), square(icns.subarray(at + 8))]);
    expect(inIcns).to.deep.equal([
      ['ic07', 128],
      ['ic08', 256],
      ['ic09', 512],
      ['ic10', 1024],
    ]);
  });

  it('ask macOS for what V8 and a local server need, and for nothing else', async () => {
    const { mac } = await configuration();
    expect(mac.entitlements).to.equal(mac.entitlementsInherit);
    const entitlements = parts.library('plist').parse(readFileSync(join(ROOT, mac.entitlements), 'utf8'));
    expect(entitlements).to.deep.equal({
      'com.apple.security.cs.allow-jit': true,
      'com.apple.security.network.client': true,
      'com.apple.security.network.server': true,
    });
    expect([mac.hardenedRuntime, mac.gatekeeperAssess]).to.deep.equal([true, false]);
  });

  it('look for no newer version unless an https feed is built in', async () => {
    const { publish } = await configuration();
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([publish, manifest.tandem.updateFeed, updateArguments(null)]).to.deep.equal([null, null, []]);
    expect(updateArguments('https://updates.example/tandem')).to.deep.equal([
      '-c.publish.provider=generic',
      '-c.publish.url=https://updates.example/tandem',
      '-c.extraMetadata.tandem.updateFeed=https://updates.example/tandem',
    ]);
    for (const feed of ['http://updates.example/', 'updates.example', 'file:///tmp'])
      expect(() => updateArguments(feed), feed).to.throw('not an https address');
  });
});

describe('the check of the packaged app', () => {
  it('finds what should not be there, what is not unpacked, and what is missing', () => {
    for (const path of [
      'gateway/index.ts',
      'dist/gateway.cjs.map',
      'dist/0f.v20-x64.cache',
      'dist/renderer/assets/a.js.map',
      'dist/main/starting/tsconfig.json',
      'test/unit/x.test.ts',
      'node_modules/mocha/index.js',
      'node_modules/sqlite3/deps/sqlite3.tar.gz',
      'node_modules/electron/index.js',
      '.env',
    ])
      expect(faultsOfArchive([file(path)])).to.include(`should not be there: ${path}`);
    const addon = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
    expect(faultsOfArchive([{ ...file(addon), isUnpacked: false }])).to.include(`not unpacked: ${addon}`);
    expect(faultsOfArchive([]).every((fault: string) => fault.startsWith('missing: '))).to.equal(true);
  });
});
