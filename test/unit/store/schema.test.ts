import { expect } from 'chai';
import { timestampOf } from '../../../gateway/store/migrations/schema-migration.ts';
import { MIGRATIONS } from '../../../gateway/store/migrations/steps.ts';
import { TABLES } from '../../../gateway/store/tables.ts';
import { openForSuite } from '../../support/open-for-tests.ts';
import { openedDatabase, temporaryFolder } from '../../support/store-records.ts';

const SQL_TYPE = { text: 'TEXT', 'simple-json': 'TEXT', integer: 'INTEGER', boolean: 'INTEGER' } as const;

describe('store: the schema', () => {
  const folder = openForSuite(temporaryFolder, ({ remove }) => remove());
  const database = openForSuite(() => openedDatabase(folder.file));

  it('has the columns, types, keys and nullability that the entities say, and no other table', async () => {
    for (const entity of TABLES) {
      const rows = await database.read.all(
        'SELECT name, type, "notnull" AS required, pk FROM pragma_table_info(?)',
        [entity.tableName],
      );
      const inFile = rows.map((row) => ({
        name: row['name'],
        type: row['type'],
        nullable: row['required'] === 0,
        key: row['pk'] !== 0,
      }));
      const described = Object.values(entity.columns).map((column) => ({
        name: column.name,
        type: SQL_TYPE[column.type],
        nullable: column.nullable === true,
        key: column.primary === true,
      }));
      expect(described, entity.tableName).to.have.deep.members(inFile);
    }
    const tables = await database.read.all(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    expect(tables.map((row) => row['name'])).to.have.members([
      ...TABLES.map(({ tableName }) => tableName),
      'schema_migrations',
    ]);
  });

  it('numbers its steps without a gap, in the order of their timestamps', () => {
    expect(MIGRATIONS.map(({ version }) => version)).to.deep.equal(MIGRATIONS.map((_, index) => index + 1));
    const times = MIGRATIONS.map(timestampOf);
    expect(times.every((time) => time > 1_600_000_000_000)).to.equal(true);
    expect([...times].sort((a, b) => a - b)).to.deep.equal(times);
  });
});
