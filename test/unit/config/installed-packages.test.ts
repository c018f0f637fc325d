/** Rights that the lock files give npm, whatever its version: see build/lean-lock.mjs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { leanLock } from '../../../build/lean-lock.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const text = (name: string) => readFileSync(join(ROOT, name), 'utf8');

describe('the packages that npm ci installs', () => {
  const { packages } = JSON.parse(text('package-lock.json'));

  it('come without addresses, and without scripts of their own (else: npm run lock)', () => {
    const hasGyp = (path: string) => existsSync(join(ROOT, path, 'binding.gyp'));
    expect(text('package-lock.json') === leanLock(text('package-lock.json'), hasGyp)).to.equal(true);
    expect(text('main/package-lock.json')).not.to.contain('"resolved"');
    expect(text('main/.npmrc')).to.contain('ignore-scripts=true');
    const own = ['sqlite3', 'keytar'].map((name) => packages[`node_modules/${name}`].gypfile);
    expect(own).to.deep.equal([false, false]);
  });

  it('lock what npm would mark and build', () => {
    const marked = {
      packages: {
        '': { hasInstallScript: true },
        'node_modules/a': { version: '1.0.0', resolved: 'https://a.invalid/a.tgz', hasInstallScript: true },
        'node_modules/b': { version: '1.0.0' },
      },
    };
    expect(JSON.parse(leanLock(JSON.stringify(marked), (path) => path.endsWith('/b')))).to.deep.equal({
      packages: {
        '': {},
        'node_modules/a': { version: '1.0.0' },
        'node_modules/b': { version: '1.0.0', gypfile: false },
      },
    });
  });

  it('are those of the gateway: the desktop app has a lock of its own, for the same versions', () => {
    const manifest = JSON.parse(text('package.json'));
    const desktop = JSON.parse(text('main/package.json'));
    const own = JSON.parse(text('main/package-lock.json')).packages;
    for (const name of ['electron', 'electron-builder']) {
      expect(packages, name).not.to.have.property(`node_modules/${name}`);
      expect(own, name).to.have.property(`node_modules/${name}`);
      expect(manifest.peerDependencies[name], name).to.equal(desktop.dependencies[name]);
      expect(manifest.peerDependenciesMeta[name].optional, name).to.equal(true);
    }
  });
});
