import { expect } from 'chai';
import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { CANDLE_STATEMENTS } from '../../../gateway/store/candles.ts';
import { executionsQuery } from '../../../gateway/store/executions.ts';
import { executionFillsQuery, fillsQuery } from '../../../gateway/store/fills.ts';
import { FUNDING_RATE_STATEMENTS } from '../../../gateway/store/funding-rates.ts';
import { LADDERS } from '../../../gateway/store/ladders.ts';
import { LIVE_TRIGGERS_SQL } from '../../../gateway/store/live-triggers.ts';
import { MARKS, notificationsQuery } from '../../../gateway/store/notifications.ts';
import * as historyStatements from '../../../gateway/store/portfolio/history-statements.ts';
import { positionsQuery } from '../../../gateway/store/positions.ts';
import { createReadSource } from '../../../gateway/store/read-source.ts';
import { restingQuery } from '../../../gateway/store/resting-page.ts';
import { SCHEDULES } from '../../../gateway/store/schedules.ts';
import { TRIGGERS } from '../../../gateway/store/triggers.ts';
import { openForSuite } from '../../support/open-for-tests.ts';
import { storeForSuite } from '../../support/store-records.ts';

describe('store: every list is a range of an index', () => {
  const store = storeForSuite();
  const reads = openForSuite(() => createReadSource(store.file));
  let source: DataSource;
  before(async () => {
    source = await reads.get();
  });

  async function plan<R extends ObjectLiteral>(query: SelectQueryBuilder<R>): Promise<string> {
    const [sql, parameters] = query.getQueryAndParameters();
    const steps: { detail: string }[] = await source.query(`EXPLAIN QUERY PLAN ${sql}`, parameters);
    return steps.map(({ detail }) => detail).join('\n');
  }

  async function expectRange<R extends ObjectLiteral>(query: SelectQueryBuilder<R>, index: string) {
    const found = await plan(query);
    expect(found).to.include(index);
    expect(found).to.not.match(/\bSCAN\b|TEMP B-TREE/);
  }

  const account = { tradeAccountId: 'account' };
  const pages = [
    { limit: 20, after: null },
    { limit: 20, after: { key: 5, id: 'x' } },
  ];

  it('candles', async () => {
    for (const sql of CANDLE_STATEMENTS) {
      const parameters = ['"X":[', 'x', '1m', 0, 1].slice(0, sql.includes('?5') ? 5 : 4);
      const steps: { detail: string }[] = await source.query(`EXPLAIN QUERY PLAN ${sql}`, parameters);
      const found = steps.map(({ detail }) => detail).join('\n');
      expect(found).to.match(/SEARCH candles USING INDEX \S+ \(connector=\? AND interval=\? AND start[<>]/);
      expect(found).to.not.match(/\bSCAN\b|TEMP B-TREE/);
    }
  });

  it('funding rates', async () => {
    for (const sql of FUNDING_RATE_STATEMENTS) {
      const steps: { detail: string }[] = await source.query(`EXPLAIN QUERY PLAN ${sql}`, [
        '"X":[',
        'x',
        0,
        1,
      ]);
      const found = steps.map(({ detail }) => detail).join('\n');
      expect(found).to.match(/SEARCH funding_rates USING INDEX \S+ \(connector=\? AND hour>\? AND hour<\?\)/);
      expect(found).to.not.match(/\bSCAN\b|TEMP B-TREE/);
    }
  });

  for (const page of pages) {
    const depth = page.after === null ? 'first page' : 'later page';

    it(`executions (${depth})`, async () => {
      const query = (filter: object) => executionsQuery(source, { ...account, ...filter }, page);
      const range =
        page.after === null ? '(trade_account_id=?)' : '(trade_account_id=? AND (created_at,id)<(?,?))';
      await expectRange(query({}), `executions_by_account ${range}`);
      await expectRange(query({ connector: 'paper', origins: ['API'] }), `executions_by_account ${range}`);
      await expectRange(query({ statuses: ['COMPLETED', 'FAILED'] }), `executions_by_account ${range}`);
      await expectRange(query({ statuses: ['ACTIVE'] }), `executions_unfinished ${range}`);
      await expectRange(query({ statuses: ['CANCELLED'] }), `executions_unsuccessful ${range}`);
    });

    it(`triggers, schedules, ladders (${depth})`, async () => {
      const range =
        page.after === null ? '(trade_account_id=?)' : '(trade_account_id=? AND (created_at,id)<(?,?))';
      for (const [list, name] of [
        [TRIGGERS, 'triggers'],
        [SCHEDULES, 'schedules'],
        [LADDERS, 'ladders'],
      ] as const) {
        const query = (filter: object) => restingQuery(source, list, { ...account, ...filter }, page);
        await expectRange(query({}), `${name}_by_account ${range}`);
        await expectRange(query({ connector: 'paper' }), `${name}_by_account ${range}`);
        await expectRange(query({ statuses: ['CANCELLED', 'ACTIVE'] }), `${name}_by_account ${range}`);
        await expectRange(query({ statuses: ['ACTIVE'] }), `${name}_live ${range}`);
      }
      const closing = { ...account, kind: 'CLOSE', statuses: ['PAUSED'] };
      await expectRange(restingQuery(source, TRIGGERS, closing, page), `triggers_live ${range}`);
    });

    it(`notifications (${depth})`, async () => {
      const owner = { userId: 'user', tradeAccountIds: null };
      const query = (filter: object) => notificationsQuery(source, { ...owner, ...filter }, page);
      await expectRange(query({}), 'notifications_by_user (user_id=?');
      await expectRange(query({ from: 1, to: 2 }), 'notifications_by_user (user_id=?');
      await expectRange(query({ isRead: true }), 'notifications_by_user (user_id=?');
      await expectRange(query({ isRead: false }), 'notifications_unread (user_id=?');
      await expectRange(query({ tradeAccountIds: ['a'] }), 'notifications_by_user (user_id=?');
    });

    for (const descending of [true, false]) {
      const order = descending ? 'descending' : 'ascending';

      it(`fills, ${order} (${depth})`, async () => {
        const query = (filter: object) => fillsQuery(source, { ...account, descending, ...filter }, page);
        await expectRange(query({}), 'USING PRIMARY KEY (trade_account_id=?');
        await expectRange(query({ connector: 'paper' }), 'USING PRIMARY KEY (trade_account_id=?');
        await expectRange(query({ positionId: 'p' }), 'fills_by_position (position_id=?');
      });

      it(`positions, ${order} (${depth})`, async () => {
        const creation = { ...account, orderBy: 'createdAt', descending } as const;
        const update = { ...account, orderBy: 'updatedAt', descending } as const;
        await expectRange(positionsQuery(source, creation, page), 'positions_by_creation');
        await expectRange(positionsQuery(source, update, page), 'positions_by_update');
        const open = { statuses: ['OPEN'] } as const;
        await expectRange(
          positionsQuery(source, { ...creation, ...open }, page),
          'positions_open_by_creation',
        );
        await expectRange(positionsQuery(source, { ...update, ...open }, page), 'positions_open_by_update');
        const closed = { statuses: ['CLOSED'] } as const;
        await expectRange(positionsQuery(source, { ...creation, ...closed }, page), 'positions_by_creation');
        await expectRange(positionsQuery(source, { ...update, ...closed }, page), 'positions_by_update');
      });
    }
  }

  it('the live triggers of a start, and what marks notifications', async () => {
    const planOf = async (sql: string, parameters: readonly unknown[]) => {
      const steps: { detail: string }[] = await source.query(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]);
      return steps.map(({ detail }) => detail).join('\n');
    };
    const live = await planOf(LIVE_TRIGGERS_SQL, ['a', 0, 'b']);
    expect(live).to.include('triggers_live').and.to.not.include('TEMP B-TREE');
    const parameters = [1, 2, 'user', null, 5];
    expect(await planOf(MARKS.readUntil, parameters)).to.include('notifications_unread (user_id=?');
    expect(await planOf(MARKS.unreadUntil, parameters)).to.include('notifications_by_user (user_id=?');
    expect(await planOf(MARKS.one, parameters)).to.include('PRIMARY KEY (id=?)');
  });

  it('fills of an execution', async () => {
    await expectRange(executionFillsQuery(source, 'e'), 'fills_by_execution (execution_id=?)');
  });

  for (const [name, sql] of Object.entries(historyStatements)) {
    it(`history: ${name.toLowerCase().replaceAll('_', ' ')}`, async () => {
      const steps: { detail: string }[] = await source.query(`EXPLAIN QUERY PLAN ${sql}`);
      const found = steps.map(({ detail }) => detail).join('\n');
      const range = name.includes('FILLS')
        ? 'fills_by_position (position_id=?)'
        : /USING (PRIMARY KEY|INDEX equity_flows) \(trade_account_id[=>]\?( AND kind=\?)?/;
      if (typeof range === 'string') expect(found).to.include(range);
      else expect(found).to.match(range);
      expect(found).to.not.match(/\bSCAN (fills|portfolio_totals|closed_trades)\b/);
    });
  }
});
