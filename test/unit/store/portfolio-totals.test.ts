/** Totals of the history are what the fills, payments and closed positions add up to, however they came in. */
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { attoText } from '../../../gateway/domain/atto.ts';
import { type Decimal, dec, sum, text } from '../../../gateway/domain/decimal.ts';
import type { Fill, FundingPayment, Position } from '../../../gateway/domain/model.ts';
import { sourceOfFill } from '../../../gateway/domain/portfolio.ts';
import type { HistoryFilter } from '../../../gateway/engine/ports/history.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { fillEntity, fundingPaymentEntity } from '../../../gateway/store/fills.ts';
import { portfolioSchema } from '../../../gateway/store/migrations/0006-portfolio.ts';
import { MIGRATIONS } from '../../../gateway/store/migrations/steps.ts';
import { positionEntity } from '../../../gateway/store/positions.ts';
import { rowValues } from '../../../gateway/store/rows/row-codec.ts';
import { columnsOf, type TableEntity } from '../../../gateway/store/rows/table-entity.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import {
  committed,
  fill,
  folderForEachTest,
  nextId,
  openedDatabase,
  position,
  positionOfLeg,
  START,
  storeForEachTest,
  testStore,
} from '../../support/store-records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ALL: HistoryFilter = { tradeAccountId: 'account', source: null, range: null };

const amount = fc
  .oneof(
    fc.tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 17 })),
    fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.constant(18)),
  )
  .map(([digits, places]) => text(dec(digits.toString()).div(dec(10).pow(places))));
const time = fc.integer({ min: START, max: START + 5 * DAY });

const anyFill: fc.Arbitrary<Fill> = fc
  .record({
    timestamp: time,
    symbol: fc.constantFrom('BTC-PERP', 'ETH-PERP'),
    notional: amount.map((value) => text(dec(value).abs())),
    fee: amount,
    realizedPnl: amount,
    executionId: fc.constantFrom(null, 'execution'),
    positionId: fc.constantFrom(null, 'position'),
    isLiquidation: fc.boolean(),
  })
  .map((over) => fill(over));

const anyFunding: fc.Arbitrary<FundingPayment> = fc
  .record({ timestamp: time, amount, symbol: fc.constantFrom('BTC-PERP', 'SOL-PERP') })
  .map((over) => ({
    tradeAccountId: 'account',
    id: nextId(),
    venueId: nextId(),
    positionId: 'position',
    rate: '0.0001',
    ...over,
  }));

const anyClosed: fc.Arbitrary<Position> = fc
  .record({
    closedAt: time,
    held: fc.integer({ min: 0, max: 3 * DAY }),
    basketKey: fc.constantFrom('a'.repeat(64), 'b'.repeat(64)),
    origin: fc.constantFrom('GATEWAY' as const, 'MIXED' as const, 'EXTERNAL' as const),
    results: fc.array(fc.tuple(amount, amount, amount), { minLength: 1, maxLength: 3 }),
  })
  .map(({ closedAt, held, basketKey, origin, results }) =>
    position({
      basketKey,
      origin,
      status: 'CLOSED',
      createdAt: closedAt - held,
      updatedAt: closedAt,
      closedAt,
      legs: results.flatMap(
        ([realizedPnl, feesPaid, fundingPaid]) => positionOfLeg({ realizedPnl, feesPaid, fundingPaid }).legs,
      ),
    }),
  );

const netOf = ({ legs }: Position): Decimal =>
  sum(legs.map((leg) => dec(leg.realizedPnl).minus(leg.feesPaid).minus(leg.fundingPaid)));

/** Everything that the totals say, as text. */
async function told({ history }: Store, filter: HistoryFilter) {
  const words = <R extends object>(rows: readonly R[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, typeof value === 'bigint' ? attoText(value) : value]),
      ),
    );
  return {
    first: await history.firstHour(filter.tradeAccountId),
    hours: words(await history.periods(filter, 'hour')),
    days: words(await history.periods(filter, 'day')),
    net: words((await history.curve(filter.tradeAccountId, filter.source, null)).nets),
    assets: words(await history.assets(filter)),
    baskets: words(await history.baskets(filter)),
  };
}

describe('store: totals of the history', () => {
  const folder = folderForEachTest();
  const store = storeForEachTest();

  const records = fc.record({
    fills: fc.array(anyFill, { maxLength: 20 }),
    funding: fc.array(anyFunding, { maxLength: 8 }),
    positions: fc.array(anyClosed, { maxLength: 8 }),
  });

  it('are the exact sums by hour, day, instrument and basket, and the same from a migration', async () => {
    let run = 0;
    await forAllAsync([records], propertyRuns(12, 3), async ({ fills, funding, positions }) => {
      run += 1;
      const file = join(folder.path, `kept-${run}.db`);
      const filled = await testStore(file);
      await Promise.all([
        ...fills.map((one) => committed(filled, { fills: [one] })),
        committed(filled, { funding, positions }),
      ]);
      const kept = await told(filled, ALL);
      for (let passed = 0; passed <= 5 * 24 + 1; passed += 5) {
        const since = Math.floor(START / HOUR + passed) * HOUR;
        const capital = sum(
          [
            ...fills.map((one) => ({ ...one, net: dec(one.realizedPnl).minus(one.fee) })),
            ...funding.map((one) => ({ ...one, net: dec(one.amount) })),
          ]
            .filter(({ timestamp }) => timestamp < since)
            .map(({ net }) => net),
        );
        const { records: read } = await filled.history.records({ ...ALL, width: 'day' }, since);
        expect(attoText(read.before), `before ${since}`).to.equal(text(capital));
      }
      const inRange = await told(filled, { ...ALL, range: { from: START + DAY, to: START + 3 * DAY } });
      await filled.close();

      const total = (of: (one: Fill) => string, of2: readonly Fill[] = fills) =>
        text(sum(of2.map((one) => dec(of(one)))));
      const added = (rows: readonly { readonly [key: string]: unknown }[], key: string) =>
        text(sum(rows.map((row) => dec(String(row[key])))));
      for (const rows of [kept.hours, kept.days, kept.assets]) {
        expect(added(rows, 'fills')).to.equal(String(fills.length));
        expect(added(rows, 'volume')).to.equal(total((one) => one.notional));
        expect(added(rows, 'realizedPnl')).to.equal(total((one) => one.realizedPnl));
        expect(added(rows, 'fees')).to.equal(total((one) => one.fee));
        expect(added(rows, 'funding')).to.equal(text(sum(funding.map((one) => dec(one.amount)))));
      }
      for (const { start, fees } of kept.days) {
        const ofDay = fills.filter(({ timestamp }) => Math.floor(timestamp / DAY) * DAY === start);
        expect(fees).to.equal(total((one) => one.fee, ofDay));
      }
      const wins = positions.filter((one) => netOf(one).gt(0));
      const losses = positions.filter((one) => netOf(one).lt(0));
      for (const rows of [kept.hours, kept.days, kept.baskets]) {
        expect(added(rows, 'closed')).to.equal(String(positions.length));
        expect(added(rows, 'wins')).to.equal(String(wins.length));
        expect(added(rows, 'losses')).to.equal(String(losses.length));
        expect(added(rows, 'won')).to.equal(text(sum(wins.map(netOf))));
        expect(added(rows, 'lost')).to.equal(text(sum(losses.map(netOf)).neg()));
      }
      const inside = positions.filter(
        ({ closedAt }) => closedAt !== null && closedAt >= START + DAY && closedAt < START + 3 * DAY,
      );
      expect(added(inRange.baskets, 'closed')).to.equal(String(inside.length));
      expect(added(inRange.days, 'closed')).to.equal(String(inside.length));

      // The same rows in a file of the schema before, brought up to date.
      const old = join(folder.path, `migrated-${run}.db`);
      const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(portfolioSchema));
      const database = await openedDatabase(old, { migrations: before });
      const insert = async <R>(entity: TableEntity<R>, row: R) => {
        // Columns that came later were not there yet.
        const there = new Set(
          (await database.write.all(`SELECT name FROM pragma_table_info('${entity.tableName}')`)).map(
            ({ name }) => name,
          ),
        );
        const values = rowValues(entity, row);
        const columns = columnsOf(entity).flatMap(({ column }, index) =>
          there.has(column.name) ? [{ name: column.name, value: values[index] ?? null }] : [],
        );
        await database.write.run(
          `INSERT INTO ${entity.tableName} (${columns.map(({ name }) => name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
          columns.map(({ value }) => value),
        );
      };
      for (const one of fills) await insert(fillEntity, one);
      for (const one of funding) await insert(fundingPaymentEntity, one);
      for (const one of positions) await insert(positionEntity, one);
      await database.close();
      const migrated = await testStore(old);
      expect(await told(migrated, ALL)).to.deep.equal(kept);
      await migrated.close();
    });
  }).timeout(60_000);

  it('tell what the gateway traded from what was done outside', async () => {
    const fills = [
      fill({ executionId: 'e', fee: '1' }),
      fill({ executionId: null, isLiquidation: true, positionId: 'p', fee: '2' }),
      fill({ executionId: null, isLiquidation: true, positionId: null, fee: '4' }),
      fill({ executionId: null, fee: '8' }),
    ];
    expect(fills.map(sourceOfFill)).to.deep.equal(['gateway', 'gateway', 'external', 'external']);
    await committed(store, { fills });
    const fees = async (source: HistoryFilter['source']) =>
      (await told(store, { ...ALL, source })).days.map((day) => day['fees']);
    expect([await fees('gateway'), await fees('external'), await fees(null)]).to.deep.equal([
      ['3'],
      ['12'],
      ['15'],
    ]);
  });

  it('take in the result that a fill is given later, and nothing of it twice', async () => {
    const outside = fill({ fee: '2', realizedPnl: '0', isProvisional: true });
    await committed(store, { fills: [outside] });
    const attributed = { ...outside, positionId: 'p', realizedPnl: '-7.5', isProvisional: false };
    await committed(store, { changedFills: [{ fill: attributed, realizedBefore: '0' }] });
    const days = (await told(store, { ...ALL, source: 'external' })).days;
    expect(days).to.have.length(1);
    expect(days[0]).to.include({ fills: 1, fees: '2', realizedPnl: '-7.5', volume: outside.notional });
  });

  it('do not change when a fill is only confirmed', async () => {
    const ours = fill({ executionId: null, isLiquidation: true, positionId: 'p', realizedPnl: '3' });
    await committed(store, { fills: [{ ...ours, isProvisional: true }] });
    const before = [await told(store, ALL), await told(store, { ...ALL, source: 'external' })];
    await committed(store, { changedFills: [{ fill: ours, realizedBefore: '3' }] });
    const after = [await told(store, ALL), await told(store, { ...ALL, source: 'external' })];
    expect(after).to.deep.equal(before);
    expect(after[1]?.assets).to.deep.equal([]);
  });

  it('do not move when the unit fails', async () => {
    const one = fill({ fee: '0.5' });
    await committed(store, { fills: [one] });
    const refused = await store.commit({ fills: [fill({ fee: '7' }), { ...one, id: nextId() }] });
    expect(refused.ok).to.equal(false);
    expect((await told(store, ALL)).days).to.have.length(1);
    expect((await told(store, ALL)).days[0]).to.include({ fills: 1, fees: '0.5' });
  });

  it('follow a trade that turns from a win into a loss after its close', async () => {
    const closed = {
      id: nextId(),
      status: 'CLOSED',
      closedAt: START + HOUR,
      updatedAt: START + HOUR,
    } as const;
    const paying = (fundingPaid: string) =>
      positionOfLeg({ realizedPnl: '10', feesPaid: '1', fundingPaid }, closed);
    await committed(store, { positions: [paying('0')] });
    const outcome = async () => {
      const { closed: count, wins, losses, won, lost } = (await told(store, ALL)).baskets[0] ?? {};
      return { closed: count, wins, losses, won, lost };
    };
    expect(await outcome()).to.deep.equal({ closed: 1, wins: 1, losses: 0, won: '9', lost: '0' });
    // Both in one batch: the last one counts.
    await Promise.all([
      committed(store, { positions: [paying('3')] }),
      committed(store, { positions: [paying('9.25')] }),
    ]);
    expect(await outcome()).to.deep.equal({ closed: 1, wins: 0, losses: 1, won: '0', lost: '0.25' });
  });
});
