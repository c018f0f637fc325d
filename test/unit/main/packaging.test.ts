/** What is asked of the packaged archive, and what the shell does where neither Electron nor a feed is. */
import { expect } from 'chai';
import { faultsOfArchive } from '../../../build/packaged-app.mjs';
import { isNewer, watchForUpdates } from '../../../main/desktop/updates.ts';

const file = (path: string) => ({ path, size: 1, isUnpacked: path.endsWith('.node') });

describe('the check of the packaged app', () => {
  it('finds what should not be there, what is not unpacked, and what is missing', () => {
    for (const path of [
      'gateway/index.ts',
      'dist/gateway.cjs.map',
      'dist/0f.v20-x64.cache',
      'dist/renderer/assets/a.js.map',
      'test/unit/x.test.ts',
      'node_modules/mocha/index.js',
      'node_modules/sqlite3/deps/sqlite3.tar.gz',
      'node_modules/electron/index.js',
      '.env',
    ])
      expect(faultsOfArchive([file(path)])).to.include(`should not be there: ${path}`);
    const addon = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
    expect(faultsOfArchive([{ path: addon, size: 1, isUnpacked: false }])).to.include(
      `not unpacked: ${addon}`,
    );
    expect(faultsOfArchive([]).every((fault: string) => fault.startsWith('missing: '))).to.equal(true);
  });
});

describe('looking for a newer version', () => {
  const deps = (feed: string | null, text = 'version: 0.2.0\npath: x\n') => {
    const asked: string[] = [];
    const found: string[] = [];
    const timers: (() => void)[] = [];
    const isOn = watchForUpdates({
      feed,
      version: '0.1.0',
      platform: 'linux',
      async fetchText(url) {
        asked.push(url);
        return text;
      },
      after(_delayMs, run) {
        timers.push(run);
        return () => undefined;
      },
      found: (version) => found.push(version),
    });
    return { isOn, asked, found, timers };
  };

  it('is off without a feed, and with one that is not https', () => {
    for (const feed of [null, '', 'http://updates.example/', 'nonsense', 'file:///tmp'])
      expect([deps(feed).isOn, deps(feed).timers.length]).to.deep.equal([false, 0]);
  });

  it('tells of a newer version once', async () => {
    const watch = deps('https://updates.example/tandem');
    watch.timers[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    watch.timers[1]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(watch.asked[0]).to.equal('https://updates.example/tandem/latest-linux.yml');
    expect([watch.asked.length, watch.found]).to.deep.equal([2, ['0.2.0']]);
    expect([isNewer('0.1.10', '0.1.9'), isNewer('0.1.0', '0.1.0'), isNewer('0.9.0', '1.0.0')]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
