import { join } from 'node:path';
import { expect } from 'chai';
import { openHandle } from '../../../gateway/store/file/sqlite-handle.ts';
import { createWriter } from '../../../gateway/store/writer/writer.ts';
import { openForEachTest } from '../../support/open-for-tests.ts';
import {
  event,
  folderForEachTest,
  openedDatabase,
  silentLogger,
  testStore,
} from '../../support/store-records.ts';

function setting(key: string, size = 1) {
  return { settings: [{ key, value: 'v'.repeat(size) }], events: [event()] };
}

describe('store: a disk that fails and comes back', () => {
  const folder = folderForEachTest();
  const database = openForEachTest(() => openedDatabase(folder.file, { synchronous: 'FULL' }));
  const writer = openForEachTest(() =>
    createWriter({ handle: database.write, lastSeqs: database.lastSeqs, logger: silentLogger }),
  );

  async function kinds(units: readonly ReturnType<typeof setting>[]): Promise<string[]> {
    const results = await Promise.all(units.map((unit) => writer.commit(unit)));
    return results.map((result) => (result.ok ? 'ok' : result.error.kind));
  }

  async function expectWhole(keys: readonly string[]): Promise<void> {
    const settings = await database.read.all('SELECT key FROM settings ORDER BY key');
    expect(settings.map((row) => row['key'])).to.deep.equal([...keys].sort());
    const events = await database.read.all('SELECT seq FROM events ORDER BY seq');
    expect(events.map((row) => row['seq'])).to.deep.equal(keys.map((_, index) => index + 1));
    expect(writer.lastSeq('account')).to.equal(keys.length);
    expect(await database.read.all('PRAGMA integrity_check')).to.deep.equal([{ integrity_check: 'ok' }]);
  }

  it('a full disk fails what does not fit, keeps what does, and is forgotten when there is space again', async () => {
    const [pages] = await database.write.all('SELECT page_count AS count FROM pragma_page_count');
    await database.write.all(`PRAGMA max_page_count = ${Number(pages?.['count']) + 4}`);
    expect(await kinds([setting('a'), setting('huge', 1_000_000), setting('b')])).to.deep.equal([
      'ok',
      'unavailable',
      'ok',
    ]);
    await expectWhole(['a', 'b']);
    expect(await kinds([setting('huge', 1_000_000)])).to.deep.equal(['unavailable']);
    await database.write.all('PRAGMA max_page_count = 100000');
    expect(await kinds([setting('huge', 1_000_000), setting('c')])).to.deep.equal(['ok', 'ok']);
    await expectWhole(['a', 'b', 'huge', 'c']);
  });

  it('a read-only file fails everybody at once and is forgotten when it can be written again', async () => {
    await database.write.exec('PRAGMA query_only = ON');
    expect(await kinds([setting('a'), setting('b')])).to.deep.equal(['unavailable', 'unavailable']);
    const statement = await writer.exclusive('DELETE FROM settings', []);
    expect(statement.ok ? '' : statement.error.kind).to.equal('unavailable');
    await database.write.exec('PRAGMA query_only = OFF');
    expect(await kinds([setting('c')])).to.deep.equal(['ok']);
    await expectWhole(['c']);
  });

  it('another program that holds the write lock makes it unavailable until it lets go', async () => {
    await database.write.exec('PRAGMA busy_timeout = 20');
    const other = await openHandle(folder.file, 'read-write');
    await other.exec('BEGIN IMMEDIATE');
    expect(await kinds([setting('a'), setting('b')])).to.deep.equal(['unavailable', 'unavailable']);
    await other.exec('ROLLBACK');
    await other.close();
    expect(await kinds([setting('a'), setting('b')])).to.deep.equal(['ok', 'ok']);
    await expectWhole(['a', 'b']);
  });

  it('runs an exclusive statement in its turn and says how many rows it changed', async () => {
    const before = writer.commit(setting('code'));
    const claim = () => writer.exclusive("DELETE FROM settings WHERE key = 'code'", []);
    const [first, second] = await Promise.all([claim(), claim()]);
    expect((await before).ok).to.equal(true);
    expect(first.ok && first.value.changes).to.equal(1);
    expect(second.ok && second.value.changes).to.equal(0);
    const broken = await writer.exclusive('DELETE FROM nowhere', []).catch((error: unknown) => error);
    expect(broken).to.be.instanceOf(Error);
    expect(await kinds([setting('after')])).to.deep.equal(['ok']);
  });

  it('refuses more than it can queue instead of growing without end', async () => {
    const unit = { settings: [{ key: 'k', value: 'v' }] };
    const results = await Promise.all(Array.from({ length: 70_000 }, () => writer.commit(unit)));
    const refused = results.filter((result) => !result.ok && result.error.kind === 'unavailable').length;
    expect(refused).to.be.within(1, 70_000 - 65_536);
    expect((await writer.commit(unit)).ok).to.equal(true);
  });

  it('a file damaged under the running store is reported, not thrown', async () => {
    const file = join(folder.path, 'second.db');
    const store = await testStore(file);
    const stranger = await openHandle(file, 'read-write');
    await stranger.exec('DROP TABLE schema_migrations');
    await stranger.close();
    expect(await store.ping()).to.equal(false);
    await store.close();
  });
});
