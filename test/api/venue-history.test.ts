/** A venue that counts its trades anew after its history was lost, as a whole gateway sees it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { databaseFile } from '../../gateway/config.ts';
import { acquireDataFolderLock, type DataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { tandem as runTandem } from '../support/command-line.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { PAIR, type Trader, trader, usd } from '../support/trader.ts';
import { unwrap } from '../support/unwrap.ts';

describe('a venue that lost its history', () => {
  let dataDir: string;
  let gateway: TestGateway;
  let bot: Trader;
  /** The command line sends its key to the gateway of a data folder, which proves itself by the lock. */
  let lock: DataFolderLock;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tandem-history-'));
    lock = unwrap(acquireDataFolderLock(dataDir));
    gateway = await startTestGateway({ dataDir, host: { nonce: lock.token } });
    lock.publish(gateway.url, gateway.gateway.socketPath);
    bot = await trader(gateway);
    await bot.open(PAIR);
    await bot.open([usd('SOL', 'BUY', '500')]);
    const ids: string[] = (await bot.call('GET', '/fills')).json.fills.map((fill: Json) => fill.tradeId);
    // While it runs: a start would say that the venue's files and the database are not of one age.
    await giveNextIds(dataDir, ids);
  });
  after(async () => {
    await gateway.close();
    lock.release();
    await rm(dataDir, { recursive: true, force: true });
  });

  const read = async (path: string): Promise<Json> => (await bot.call('GET', path)).json;
  const check = async (name: string) =>
    (await read('/ready')).checks.find((row: Json) => row.name === name) as Json;
  const account = async (): Promise<Json> => read(`/trade-accounts/${bot.accountId}`);

  it('ends the order, says on the account, in /ready and to the doctor what is wrong, until it is resolved', async () => {
    expect(await check('history')).to.deep.equal({ name: 'history', ok: true, detail: null });
    expect((await account()).status).to.equal('READY');
    const execution = await bot.open([usd('LTC', 'BUY', '300'), usd('XRP', 'SELL', '300')]);
    expect(execution.status).to.equal('COMPLETED');
    expect(
      (await bot.execute(`/positions/${execution.positionId}/close`, { type: 'MARKET' })).status,
    ).to.equal('COMPLETED');

    const { reviews } = await read('/sync/reviews');
    expect(reviews.length).to.be.greaterThan(0);
    for (const review of reviews) {
      expect(review).to.include({ code: 'VENUE_HISTORY_LOST', connector: 'paper' });
      expect(review.recordedAs).to.contain(review.tradeId).and.to.not.equal(review.tradeId);
    }
    const { status, checks } = await account();
    expect(status).to.equal('DEGRADED');
    expect(checks.at(-1)).to.include({ name: 'history', ok: false });
    expect(checks.at(-1).detail).to.contain('VENUE_HISTORY_LOST');
    expect((await check('history')).ok).to.equal(false);
    const { notifications } = await read('/notifications');
    const told = notifications.filter(({ category }: Json) => category === 'VENUE_HISTORY_LOST');
    expect(told).to.have.length(1);
    expect(told[0].parameters.tradeAccountId).to.equal(bot.accountId);
    const { differences } = (await bot.call('POST', '/sync')).json;
    expect(differences).to.deep.equal([]);

    const doctor = await tandem('doctor', '--json', '--port', String(gateway.port), '--data-dir', dataDir);
    const finding = JSON.parse(doctor).findings.find((row: Json) => row.check === 'gateway');
    expect(finding).to.include({ level: 'WARN' });
    expect(finding.detail).to.contain('VENUE_HISTORY_LOST');
    expect(finding.mend).to.contain('tandem reviews --resolve');

    const listed = await tandem('reviews');
    expect(listed).to.contain(reviews[0].tradeId);
    expect(await tandem('reviews', '--resolve')).to.contain(`Resolved ${reviews.length}`);
    expect(await tandem('reviews')).to.contain('Nothing to review');
    expect((await account()).status).to.equal('READY');
    expect((await check('history')).ok).to.equal(true);
  });

  it('resolves nothing of another account', async () => {
    const other = await trader(gateway, { email: 'bob@example.test', connector: 'paper' });
    expect((await other.call('GET', '/sync/reviews')).json).to.deep.equal({ reviews: [] });
    expect((await other.call('POST', '/sync/reviews/resolve')).json).to.deep.equal({ resolved: 0 });
  });

  async function tandem(...argv: readonly string[]): Promise<string> {
    const around = argv[0] === 'doctor' ? [] : ['--data-dir', dataDir, '--account', bot.accountId];
    return (await runTandem([...argv, ...around], { env: { TANDEM_API_KEY: bot.key } })).out;
  }
});

/** Trades of before have the ids that the venue will give next: as if it had begun to count anew. */
async function giveNextIds(dataDir: string, ids: readonly string[]): Promise<void> {
  const [any = ''] = ids;
  const highest = Math.max(...ids.map((id) => Number(/(\d+)$/.exec(id)?.[1])));
  const database = new sqlite3.Database(databaseFile(dataDir));
  const run = (sql: string, params: readonly unknown[]) =>
    new Promise<void>((resolve, reject) => {
      database.run(sql, params, (error) => (error === null ? resolve() : reject(error)));
    });
  for (let next = 1; next <= 40; next += 1) {
    await run(
      `INSERT INTO fills (id, trade_account_id, connector, symbol, side, price, quantity, notional, fee, fee_asset,
          realized_pnl, liquidity, venue_order_id, trade_id, is_liquidation, is_provisional, timestamp)
        SELECT id || ?, trade_account_id, connector, symbol, side, '1', '1', '1', '0', fee_asset, '0', liquidity,
          'long-ago', ?, 0, 0, timestamp FROM fills WHERE trade_id = ?`,
      [`-${next}`, any.replace(/\d+$/, String(highest + next)), any],
    );
  }
  await new Promise((resolve) => database.close(resolve));
}
