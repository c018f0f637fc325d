import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Database } from '../../../gateway/store/file/open-database.ts';
import { openHandle } from '../../../gateway/store/file/sqlite-handle.ts';
import { StoreOpenError } from '../../../gateway/store/file/store-open-error.ts';
import type { SchemaMigration } from '../../../gateway/store/migrations/schema-migration.ts';
import { MIGRATIONS } from '../../../gateway/store/migrations/steps.ts';
import {
  execution,
  folderForEachTest,
  openedDatabase,
  openedStore,
  START,
} from '../../support/store-records.ts';

const KNOWN = MIGRATIONS.length;

/** Steps that stand for those of later versions of the program. */
const LATER: readonly SchemaMigration[] = [
  {
    version: KNOWN + 1,
    name: 'Notes1900000000001',
    statements: ['CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT'],
  },
  {
    version: KNOWN + 2,
    name: 'NoteTexts1900000000002',
    statements: ['ALTER TABLE notes ADD COLUMN body TEXT'],
  },
];
const BROKEN: SchemaMigration = {
  version: KNOWN + 3,
  name: 'Broken1900000000003',
  statements: ['CREATE TABLE half (id TEXT PRIMARY KEY) STRICT', 'INSERT INTO nowhere VALUES (1)'],
};

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An insert of the row as the first schema had it. */
function insertOf(table: string, row: object): string {
  const names = Object.keys(row);
  return `INSERT INTO ${table} (${names.map(snakeCase).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}

describe('store: opening a data file', () => {
  const folder = folderForEachTest();
  let file: string;
  beforeEach(() => {
    file = folder.file;
  });

  const open = (migrations: readonly SchemaMigration[], now = START): Promise<Database> =>
    openedDatabase(file, { clock: { now: () => now }, migrations });

  async function failure(opening: Promise<unknown>): Promise<StoreOpenError> {
    const error = await opening.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof StoreOpenError)) throw new Error(`not a StoreOpenError: ${String(error)}`);
    return error;
  }

  async function schemaOf(database: Database) {
    return database.read.all(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
    );
  }

  const backups = async () => (await readdir(folder.path)).filter((name) => name.endsWith('.backup')).sort();

  it('creates the file, its log and its shared memory for the owner only', async () => {
    const store = await openedStore(file);
    await store.commit({ settings: [{ key: 'a', value: 'b' }] });
    const modes = await Promise.all(
      ['', '-wal', '-shm'].map(async (suffix) => ((await stat(file + suffix)).mode & 0o777).toString(8)),
    );
    expect(modes).to.deep.equal(['600', '600', '600']);
    await store.close();
    await chmod(file, 0o644);
    await (await openedStore(file)).close();
    expect(((await stat(file)).mode & 0o777).toString(8)).to.equal('600');
  });

  it('sets WAL, full synchronisation and foreign keys', async () => {
    const database = await openedDatabase(file, { synchronous: 'FULL' });
    const settings = await database.write.all(
      'SELECT journal_mode, synchronous, foreign_keys FROM pragma_journal_mode, pragma_synchronous, pragma_foreign_keys',
    );
    expect(settings).to.deep.equal([{ journal_mode: 'wal', synchronous: 2, foreign_keys: 1 }]);
    const written = await database.read
      .run("INSERT INTO settings VALUES ('a', 'b')")
      .catch((error: Error) => error);
    expect(written).to.be.instanceOf(Error).with.property('message').that.includes('SQLITE_READONLY');
    await database.close();
  });

  it('upgrades an older file after a backup copy, to the very schema of a new file', async () => {
    const store = await openedStore(file);
    const row = execution();
    await store.commit({ newExecutions: [row] });
    await store.close();

    const upgraded = await open([...MIGRATIONS, ...LATER]);
    const schema = await schemaOf(upgraded);
    expect(await upgraded.read.all('SELECT id FROM executions')).to.deep.equal([{ id: row.id }]);
    await upgraded.close();

    const [backup, ...others] = await backups();
    expect(others).to.deep.equal([]);
    expect(backup).to.equal(`tandem.db.v${KNOWN}-20251121T000000.000Z.backup`);
    const copy = join(folder.path, backup ?? '');
    expect(((await stat(copy)).mode & 0o777).toString(8)).to.equal('600');
    const restored = await openedStore(copy);
    expect(await restored.execution('account', row.id)).to.deep.equal(row);
    await restored.close();

    file = join(folder.path, 'new.db');
    const created = await open([...MIGRATIONS, ...LATER]);
    expect(await schemaOf(created)).to.deep.equal(schema);
    await created.close();
    const again = await open([...MIGRATIONS, ...LATER], START + 1);
    await again.close();
    expect(await backups()).to.have.length(1);
  });

  it('moves the orders of an older file into their executions', async () => {
    const older = await open(MIGRATIONS.slice(0, 1));
    const filled = execution({ status: 'COMPLETED' }, 3);
    const ended = {
      ...filled,
      orders: filled.orders.map((order) => ({
        ...order,
        reduceOnly: true,
        status: 'FILLED' as const,
        quantity: '1.5',
        limitPrice: '10',
        attempt: 2,
        clientOrderId: '0xab',
        expiresAt: START + 5,
        venueOrderId: '77',
        filledQuantity: '1.5',
        averagePrice: '9.99',
        error: 'slow',
        errorCode: 'UNKNOWN_OUTCOME' as const,
        updatedAt: START + 4,
      })),
    };
    const fresh = execution({}, 2);
    for (const one of [ended, fresh]) {
      // Columns of later versions: what they say of older rows is null, the user.
      const { orders, authorityKind: _, authorityId: __, reserved: ____, ...header } = one;
      await older.write.run(insertOf('executions', header), Object.values(header));
      // By leg only: the rows come back in the order of their legs, whatever their ids.
      for (const order of [...orders].reverse()) {
        const { worstPrice: ___, sizedPrice: _____, targetQuantity: ______, ...known } = order;
        const row = { ...known, reduceOnly: order.reduceOnly ? 1 : 0 };
        await older.write.run(insertOf('orders', row), Object.values(row));
      }
    }
    await older.close();
    const store = await openedStore(file);
    expect(await store.execution('account', ended.id)).to.deep.equal(ended);
    expect(await store.execution('account', fresh.id)).to.deep.equal(fresh);
    await store.close();
    const upgraded = await open(MIGRATIONS);
    const rows = await upgraded.read.all('SELECT * FROM orders ORDER BY execution_id, leg_index');
    const expected = [ended, fresh].flatMap(({ orders }) =>
      orders.map((order) =>
        Object.fromEntries(
          Object.entries({ ...order, reduceOnly: order.reduceOnly ? 1 : 0 }).map(([property, value]) => [
            snakeCase(property),
            value,
          ]),
        ),
      ),
    );
    expect(rows).to.deep.equal(expected);
    await upgraded.close();
  });

  it('shows the orders of executions as rows, whether their ids follow from the execution or not', async () => {
    const store = await openedStore(file);
    const stem = '019a0000-0000-7000-8000-0000000000';
    const following = execution({ id: `${stem}00` }, 12);
    const named = following.orders.map((order, legIndex) => ({
      ...order,
      id: `${stem}${['01', '02', '03', '04', '05', '06', '07', '08', '09', '0a', '0b', '0c'][legIndex]}`,
    }));
    const fresh = { ...following, orders: named };
    // A leg that was left out moves the others up; they keep their ids.
    const renewed = execution({ id: `${stem.replace('019a', '019b')}00` }, 2);
    const sized = {
      ...renewed,
      orders: renewed.orders.map((order, legIndex) => ({
        ...order,
        id: `${stem.replace('019a', '019b')}0${legIndex + 2}`,
        quantity: '1.5',
      })),
    };
    await store.commit({ newExecutions: [fresh, sized] });
    expect(await store.execution('account', fresh.id)).to.deep.equal(fresh);
    expect(await store.execution('account', sized.id)).to.deep.equal(sized);
    for (const { id } of named) {
      expect((await store.orderWithExecution('account', id))?.order.id).to.equal(id);
    }
    await store.close();
    const opened = await open(MIGRATIONS);
    const rows = await opened.read.all(
      'SELECT id, execution_id FROM orders ORDER BY execution_id, leg_index',
    );
    expect(rows).to.deep.equal(
      [fresh, sized].flatMap(({ orders }) =>
        orders.map((order) => ({ id: order.id, execution_id: order.executionId })),
      ),
    );
    const [written] = await opened.read.all('SELECT orders FROM executions ORDER BY id LIMIT 1');
    expect(String(written?.['orders'])).to.not.include(stem);
    await opened.close();
  });

  it('knows the refresh token of an older file as the first of its family', async () => {
    const older = await open(MIGRATIONS.slice(0, 8));
    await older.write.exec(
      `INSERT INTO oauth_refresh_tokens (grant_id, token_hash, issued_at) VALUES ('one', 'ab', 7), ('two', 'cd', 8)`,
    );
    await older.close();
    const { oauth, close } = await openedStore(file);
    const kept = { grantId: 'two', tokenHash: 'cd', familyHash: 'cd', previousHash: null, issuedAt: 8 };
    expect(await oauth.refreshToken('cd')).to.deep.equal(kept);
    expect(await oauth.refreshTokenOfFamily('cd')).to.deep.equal(kept);
    await close();
  });

  it('keeps the last three backup copies', async () => {
    const steps = [...MIGRATIONS, ...LATER, { ...BROKEN, statements: [] }];
    steps.push({ version: KNOWN + 4, name: 'Last1900000000004', statements: [] });
    for (let later = 0; later <= 4; later += 1) {
      await (await open(steps.slice(0, KNOWN + later), START + later)).close();
    }
    expect(await backups()).to.have.members([
      `tandem.db.v${KNOWN + 1}-20251121T000000.002Z.backup`,
      `tandem.db.v${KNOWN + 2}-20251121T000000.003Z.backup`,
      `tandem.db.v${KNOWN + 3}-20251121T000000.004Z.backup`,
    ]);
  });

  it('leaves the file as it was when a step fails', async () => {
    await (await open(MIGRATIONS)).close();
    const error = await failure(open([...MIGRATIONS, ...LATER, BROKEN]));
    expect(error.failure).to.equal('migration_failed');
    expect(error.message)
      .to.include(`from schema ${KNOWN} to ${KNOWN + 3}`)
      .and.include('.backup');
    const database = await open(MIGRATIONS);
    expect((await schemaOf(database)).map(({ name }) => name)).to.not.include.members(['notes', 'half']);
    await database.close();
  });

  it('refuses a file that a newer program wrote, and does not touch it', async () => {
    await (await open([...MIGRATIONS, ...LATER])).close();
    const before = await readFile(file);
    const error = await failure(openedStore(file));
    expect(error.failure).to.equal('newer');
    expect(error.message).to.satisfy((message: string) =>
      message.startsWith(
        `This database was written by a newer Tandem (schema ${KNOWN + 2}, this program knows ${KNOWN})`,
      ),
    );
    expect((await readFile(file)).equals(before)).to.equal(true);
  });

  it('refuses what is no database, the database of another program, and a damaged one', async () => {
    await writeFile(file, 'this is a shopping list, not a database\n'.repeat(200));
    expect((await failure(openedStore(file))).failure).to.equal('not_a_database');

    file = join(folder.path, 'other.db');
    await writeFile(file, '');
    const other = await openHandle(file, 'read-write');
    await other.exec('CREATE TABLE shopping (item TEXT)');
    await other.close();
    const foreign = await failure(openedStore(file));
    expect([foreign.failure, foreign.message]).to.deep.equal([
      'not_a_database',
      `${file} is a SQLite file, but not one of Tandem's`,
    ]);

    file = join(folder.path, 'damaged.db');
    await (await openedStore(file)).close();
    const bytes = await readFile(file);
    bytes.fill(0xa5, 100, 4096);
    await writeFile(file, bytes);
    const damaged = await failure(openedStore(file));
    expect(damaged.failure).to.equal('corrupt');
    expect(damaged.message).to.include('Restore a backup copy');
  });

  it('says what is wrong when the folder is not there', async () => {
    const error = await failure(openedStore(join(folder.path, 'missing', 'tandem.db')));
    expect(error.failure).to.equal('unusable');
    expect(error.message).to.include('ENOENT');
  });

  it('takes over from a process that died while it created the file', async () => {
    await writeFile(file, '');
    const half = await openHandle(file, 'read-write');
    await half.exec('PRAGMA journal_mode = WAL');
    await half.close();
    const store = await openedStore(file);
    expect(await store.ping()).to.equal(true);
    await store.close();
  });
});
