import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { MaterializedBasket } from '../../../gateway/domain/basket.ts';
import type { Integration } from '../../../gateway/domain/integration.ts';
import type { TradeAccount } from '../../../gateway/domain/model.ts';
import { nameKey, type SavedBasket } from '../../../gateway/domain/saved-basket.ts';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import { MIGRATIONS } from '../../../gateway/store/migrations/steps.ts';
import {
  committed,
  execution,
  nextId,
  openedDatabase,
  paperAccount,
  position,
  START,
  storeForEachTest,
  testStore,
  user,
} from '../../support/store-records.ts';

const KEY = (digit: string) => digit.repeat(64);

describe('store: baskets, saved baskets, integrations', () => {
  const store = storeForEachTest();
  const commit = (unit: UnitOfWork) => committed(store, unit);

  const opens = (basketKey: string, connector: string, userId: string, opened = 1) => ({
    basketKey,
    connector,
    userId,
    opened,
  });

  it('adds up opens, counts a trader once per venue, and reads them in any choice of venues', async () => {
    await commit({ basketOpens: [opens(KEY('a'), 'paper', 'ada'), opens(KEY('a'), 'paper', 'ada')] });
    // One batch of several units, which name the same row more than once.
    await Promise.all([
      commit({ basketOpens: [opens(KEY('a'), 'paper', 'ada')] }),
      commit({ basketOpens: [opens(KEY('a'), 'paper', 'bob')] }),
      commit({ basketOpens: [opens(KEY('a'), 'paper-cross', 'ada', 4)] }),
      commit({ basketOpens: [opens(KEY('a'), 'paper', 'ada')] }),
      commit({ basketOpens: [opens(KEY('b'), 'paper', 'bob')] }),
    ]);
    const keys = [KEY('a'), KEY('b'), KEY('c')];
    expect(await store.basketCounts(keys, null)).to.have.deep.members([
      { basketKey: KEY('a'), opened: 9, traders: 3 },
      { basketKey: KEY('b'), opened: 1, traders: 1 },
    ]);
    expect(await store.basketCounts(keys, ['paper-cross'])).to.deep.equal([
      { basketKey: KEY('a'), opened: 4, traders: 1 },
    ]);
    expect(await store.basketCounts(keys, ['nowhere'])).to.deep.equal([]);
    expect(await store.basketCounts([KEY('a')], ['paper'])).to.deep.equal([
      { basketKey: KEY('a'), opened: 5, traders: 2 },
    ]);
  });

  it('keeps a basket as it first came', async () => {
    const first: MaterializedBasket = {
      connector: 'paper',
      basketKey: KEY('a'),
      legs: [{ symbol: 'BTC-PERP', side: 'BUY' }],
      createdAt: START,
    };
    await commit({ baskets: [first] });
    await commit({
      baskets: [
        { ...first, createdAt: START + 1 },
        { ...first, connector: 'paper-cross' },
      ],
    });
    expect(await store.baskets()).to.deep.equal([first, { ...first, connector: 'paper-cross' }]);
  });

  describe('of an account', () => {
    const owner = user();
    let account: TradeAccount;

    beforeEach(async () => {
      account = paperAccount({ id: nextId(), userId: owner.id });
      await commit({ users: [owner], accounts: [account] });
    });

    const saved = (name: string, updatedAt = START): SavedBasket => ({
      id: nextId(),
      tradeAccountId: account.id,
      name,
      nameKey: nameKey(name),
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', weight: 0.1 },
        { symbol: 'ETH-PERP', side: 'SELL', weight: 0.9 },
      ],
      createdAt: START,
      updatedAt,
    });

    it('saved baskets are listed by their last update, replaced whole, and go with the account', async () => {
      const [old, young] = [saved('Old'), saved('Young', START + 5)];
      await commit({ savedBaskets: [old, young] });
      expect(await store.savedBaskets(account.id)).to.deep.equal([young, old]);
      const renamed = { ...old, name: 'Älter', nameKey: nameKey('Älter'), updatedAt: START + 9 };
      await commit({ savedBaskets: [renamed] });
      expect(await store.savedBaskets(account.id)).to.deep.equal([renamed, young]);
      expect(await store.savedBasket(account.id, old.id)).to.deep.equal(renamed);
      expect(await store.savedBasket('another', old.id)).to.equal(null);
      await commit({ deletes: [{ from: 'savedBaskets', id: young.id }] });
      expect(await store.savedBaskets(account.id)).to.deep.equal([renamed]);
      // Renewing the account's row leaves them alone.
      await commit({ accounts: [{ ...account, alias: 'Renamed' }] });
      expect(await store.savedBaskets(account.id)).to.have.length(1);
      await commit({ deletes: [{ from: 'accounts', id: account.id }] });
      expect(await store.savedBaskets(account.id)).to.deep.equal([]);
    });

    it('of two units in one batch that take one name, one is refused and nothing of it stays', async () => {
      const results = await Promise.all([
        store.commit({ savedBaskets: [saved('Majors')] }),
        store.commit({ savedBaskets: [saved('MAJORS')] }),
      ]);
      expect(results.map(({ ok }) => ok)).to.deep.equal([true, false]);
      expect(results.flatMap((result) => (result.ok ? [] : [result.error.kind]))).to.deep.equal(['conflict']);
      expect((await store.savedBaskets(account.id)).map(({ name }) => name)).to.deep.equal(['Majors']);
    });

    it('a clientId stands once per user', async () => {
      const integration: Integration = {
        id: nextId(),
        userId: owner.id,
        clientId: 'bot',
        name: 'Bot',
        status: 'ACTIVE',
        createdAt: START,
        updatedAt: START,
      };
      const other = user();
      const others = { ...integration, id: nextId(), userId: other.id };
      await commit({ users: [other], integrations: [integration, others] });
      const again = await store.commit({ integrations: [{ ...integration, id: nextId() }] });
      expect(again.ok ? null : again.error.kind).to.equal('conflict');
      const off: Integration = { ...integration, status: 'INACTIVE', name: 'Off', updatedAt: START + 1 };
      await commit({ integrations: [off] });
      expect(await store.integrations()).to.deep.equal([off, others]);
    });
  });

  it('a migration counts what was opened before it', async () => {
    const file = join(dirname(store.file), 'old.db');
    const before = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => name.startsWith('Baskets')),
    );
    const database = await openedDatabase(file, { migrations: before });
    const key = KEY('d');
    const insert = (table: string, row: Record<string, unknown>) => {
      const names = Object.keys(row);
      return database.write.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row).map((value) => (typeof value === 'number' ? value : String(value))),
      );
    };
    const opened = (changes: Record<string, unknown>) => {
      const made = execution();
      return insert('executions', {
        id: made.id,
        user_id: 'ada',
        trade_account_id: 'account',
        connector: 'paper',
        basket_key: key,
        type: 'MARKET',
        origin: 'API',
        intent: 'OPEN',
        status: 'COMPLETED',
        on_leg_failure: 'KEEP',
        slippage: '0.01',
        created_at: START,
        updated_at: START,
        ...changes,
      });
    };
    await opened({});
    await opened({});
    await opened({ user_id: 'bob' });
    await opened({ status: 'FAILED' });
    await opened({ intent: 'ADJUST' });
    await opened({ basket_key: KEY('e'), status: 'FAILED' });
    const [leg] = position().legs;
    for (const [basketKey, at] of [
      [key, START + 1],
      [key, START],
      [KEY('e'), START],
    ] as const) {
      await insert('positions', {
        id: nextId(),
        user_id: 'ada',
        trade_account_id: 'account',
        connector: 'paper',
        basket_key: basketKey,
        status: 'CLOSED',
        origin: 'GATEWAY',
        legs: JSON.stringify([
          { ...leg, symbol: 'SOL-PERP', side: 'SELL' },
          { ...leg, symbol: 'ETH-PERP', side: 'BUY' },
          { ...leg, symbol: 'BTC-PERP', side: 'BUY' },
        ]),
        created_at: at,
        updated_at: at,
      });
    }
    await database.close();

    const migrated = await testStore(file);
    expect(await migrated.basketCounts([key, KEY('e')], null)).to.deep.equal([
      { basketKey: key, opened: 3, traders: 2 },
    ]);
    expect(await migrated.baskets()).to.deep.equal([
      {
        connector: 'paper',
        basketKey: key,
        legs: [
          { symbol: 'BTC-PERP', side: 'BUY' },
          { symbol: 'ETH-PERP', side: 'BUY' },
          { symbol: 'SOL-PERP', side: 'SELL' },
        ],
        createdAt: START,
      },
    ]);
    await migrated.close();
  });
});
