import { join } from 'node:path';
import { expect } from 'chai';
import type { TradeAccount, User } from '../../../gateway/domain/model.ts';

import { seedOrders } from '../../bench/seed-orders.ts';
import { temporaryFolder, testStore } from '../../support/store-records.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const USER: User = {
  id: '019c1234-0000-7000-8000-000000000001',
  email: 'bench@example.com',
  passwordHash: null,
  walletAddress: null,
  displayName: null,
  createdAt: NOW,
  updatedAt: NOW,
};
const ACCOUNT: TradeAccount = {
  id: '019c1234-0000-7000-8000-000000000002',
  userId: USER.id,
  alias: 'Paper',
  connector: 'paper',
  mode: 'PAPER',
  exchangeIdentifier: 'paper-1',
  status: 'READY',
  metadata: null,
  createdAt: NOW,
  updatedAt: NOW,
};

describe('bench: a seeded history', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('is what the gateway itself would have stored: executions of four orders, ids in the order of their times', async () => {
    const file = join(folder.path, 'tandem.db');
    const open = () => testStore(file);
    const first = await open();
    expect((await first.commit({ users: [USER], accounts: [ACCOUNT] })).ok).to.equal(true);
    await first.close();

    await seedOrders(file, ACCOUNT.id, 200, NOW);

    const store = await open();
    const { rows } = await store.executions({ tradeAccountId: ACCOUNT.id }, { limit: 100, after: null });
    await store.close();
    expect(rows.length).to.equal(50);
    expect(rows.every(({ id, userId }) => UUID_V7.test(id) && userId === USER.id)).to.equal(true);
    const ids = rows.map(({ id }) => id);
    expect(ids).to.deep.equal([...ids].sort().reverse());
    for (const { orders } of rows) {
      expect(orders.map(({ legIndex }) => legIndex)).to.deep.equal([0, 1, 2, 3]);
      expect(orders.every(({ id, status }) => UUID_V7.test(id) && status === 'FILLED')).to.equal(true);
    }
    expect(rows.every(({ createdAt }) => createdAt < NOW)).to.equal(true);
  });
});
