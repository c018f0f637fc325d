/**
 * A gateway that is stopped as asked and started again: it drains, ends with code 0, and the next start finds everything,
 * what the venue did meanwhile included. And the starts that must be refused.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import type { FaultRule } from '../../gateway/venues/paper/venue/faults.ts';
import { gatewayProcesses, type StartedGateway } from '../real-time/support/gateway-processes.ts';
import { readAccount } from '../support/account-state.ts';
import { auditAccount, readVenue } from '../support/audit-account.ts';
import { errorRecords, type GatewayProcessOptions } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { type SimInspector, type SimProcess, startSim } from '../support/sim-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, type Trader, trader, traderOn, usd } from '../support/trader.ts';

async function stop({ process }: StartedGateway, signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<void> {
  expect(await process.stop(signal)).to.deep.equal({ code: 0, signal: null });
  expect(errorRecords(process.errorLines)).to.deep.equal([]);
}

describe('stopped and started again', function () {
  this.timeout(60_000);
  const { launch, start, killAll } = gatewayProcesses();
  afterEach(killAll);

  /** Code and words of a start that must fail. */
  async function refusedStart(options: GatewayProcessOptions): Promise<string> {
    const process = launch(options);
    const { code } = await process.ended;
    expect(code, process.errorLines.join('\n')).to.equal(1);
    return process.errorLines.filter((line) => !line.startsWith('{')).join('\n');
  }

  describe('with its venue in another process', () => {
    let venueDir: string;
    let sim: SimProcess;
    let inspector: SimInspector;
    let dataDir: string;
    beforeEach(async () => {
      venueDir = await temporaryFolder();
      dataDir = await temporaryFolder();
      sim = await startSim({ dataDir: venueDir });
      inspector = await sim.inspect();
    });
    afterEach(async () => {
      inspector.close();
      await sim.stop();
    });

    const gateway = () => start({ dataDir, simPort: sim.port });
    const restartSim = async (speed: number) => {
      inspector.close();
      await sim.stop();
      sim = await startSim({ dataDir: venueDir, port: sim.port, speed });
      inspector = await sim.inspect();
    };
    const everyOrder = (...kinds: readonly FaultRule['action'][]) =>
      inspector.setFaults({ rules: kinds.map((action) => ({ match: { times: null }, action })) });
    const agrees = async (now: StartedGateway, bot: Trader) =>
      expect(
        auditAccount(await readAccount(now, now.port, bot), await readVenue(inspector, bot.accountId)),
      ).to.deep.equal([]);

    it('SIGTERM, and SIGINT of the next start: refuses new orders, lets what runs on a slow venue end, and ends with 0', async () => {
      let now = await gateway();
      let bot = await trader(now);
      await everyOrder({ kind: 'delay', delayMs: 900 });
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const ids = await Promise.all(
          [PAIR, [usd('SOL', 'BUY', '500')], [usd('BNB', 'SELL', '500'), usd('SOL', 'BUY', '200')]].map(
            async (legs) => {
              const answer = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs }, 202);
              return answer.execution.id;
            },
          ),
        );
        const stopped = stop(now, signal);
        await sleep(100);
        const late = await bot.call('POST', '/trade/open', {
          type: 'MARKET',
          legs: [usd('XRP', 'BUY', '90')],
        });
        expect(late.status).to.equal(409);
        expect(late.json).to.deep.include({ errorCode: 'RESOURCE_BUSY', details: { reason: 'STOPPING' } });
        await stopped;
        const stoppedAt = Date.now();

        now = await gateway();
        bot = traderOn(now, bot);
        for (const id of ids) {
          const { execution } = (await bot.call('GET', `/executions/${id}`)).json;
          expect(execution, signal).to.include({ status: 'COMPLETED' });
          expect(Date.parse(execution.finishedAt)).to.be.at.most(stoppedAt);
        }
        await agrees(now, bot);
      }
      await stop(now);
    });

    it('an execution that the venue leaves without an answer for longer than the drain continues after the start @long', async () => {
      const first = await gateway();
      const bot = await trader(first);
      await everyOrder({ kind: 'drop_answer' }, { kind: 'lookup_unknown' });
      const answer = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
      const { id } = answer.json.execution;
      await stop(first);
      await everyOrder();
      const second = await gateway();
      const again = traderOn(second, bot);
      expect((await again.ended(id)).status).to.equal('COMPLETED');
      await agrees(second, again);
      await stop(second);
    });

    it('finds an isolated liquidation of two baskets and hours of funding that came while it was down @long', async () => {
      const first = await gateway();
      const bot = await trader(first);
      const isolated = { symbol: 'BTC-PERP', leverage: 10, marginMode: 'isolated' };
      expect((await bot.call('PUT', '/leverage', isolated)).status).to.equal(200);
      await bot.open([usd('BTC', 'BUY', '3000'), usd('ETH', 'SELL', '3000')]);
      await bot.open([usd('BTC', 'BUY', '1000'), usd('SOL', 'SELL', '1500')]);
      await stop(first);
      // Some hours pass in a second.
      await restartSim(20_000);
      await sleep(1_000);
      await restartSim(1);
      await inspector.shock('BTC-PERP', 0.7);

      const second = await gateway();
      const again = traderOn(second, bot);
      const state = await readAccount(second, second.port, again);
      const legs = (position: Json) => position.legs.map((leg: Json) => [leg.symbol, leg.quantity !== '0']);
      expect(state.positions.map(({ status }: Json) => status)).to.deep.equal(['OPEN', 'OPEN']);
      expect(state.positions.map(legs)).to.deep.equal([
        [
          ['BTC-PERP', false],
          ['SOL-PERP', true],
        ],
        [
          ['BTC-PERP', false],
          ['ETH-PERP', true],
        ],
      ]);
      const liquidated = state.fills.filter(({ isLiquidation }: Json) => isLiquidation);
      expect(liquidated.map(({ positionId }: Json) => positionId)).to.have.members(
        state.positions.map(({ id }: Json) => id),
      );
      const account = { tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId };
      const paid = await inspector.funding(account);
      expect(paid.length).to.be.at.least(4);
      const received = paid.reduce((total, { amount }) => total + Number(amount), 0);
      const kept = state.positions
        .flatMap((position: Json) => position.legs)
        .reduce((total: number, leg: Json) => total - Number(leg.fundingPaid), 0);
      expect(kept).to.be.closeTo(received, 1e-4);
      await agrees(second, again);
      await stop(second);
    });

    it('finds a liquidation of everything: the positions are CLOSED, told once, and the baskets can be opened anew @long', async () => {
      const first = await gateway();
      const bot = await trader(first);
      await bot.open([usd('BTC', 'BUY', '150000'), usd('ETH', 'BUY', '60000')]);
      await bot.open([usd('BTC', 'BUY', '50000'), usd('SOL', 'SELL', '5000')]);
      await stop(first);
      await inspector.shock('BTC-PERP', 0.3);

      const second = await gateway();
      const again = traderOn(second, bot);
      const state = await readAccount(second, second.port, again);
      expect(state.positions.map(({ status }: Json) => status)).to.deep.equal(['CLOSED', 'CLOSED']);
      await resetPaper(second, again);
      expect(await again.open([usd('BTC', 'BUY', '50'), usd('SOL', 'SELL', '50')])).to.include({
        status: 'COMPLETED',
        intent: 'OPEN',
      });
      await agrees(second, again);
      await stop(second);
    });

    it('starts without its venue: says so, reads, and finds what happened as soon as the venue is back', async () => {
      const first = await gateway();
      const bot = await trader(first);
      await bot.open([usd('BTC', 'BUY', '200000'), usd('SOL', 'SELL', '5000')]);
      await bot.open(PAIR);
      await stop(first);
      await inspector.shock('BTC-PERP', 0.3);
      inspector.close();
      await sim.stop();

      const second = await gateway();
      const again = traderOn(second, bot);
      const isReady = async () => (await second.request('GET', '/ready')).json.ready;
      const accountStatus = async () =>
        (await second.request('GET', `/trade-accounts/${bot.accountId}`, { headers: bearer(bot) })).json
          .status;
      expect(await isReady()).to.equal(false);
      expect(await accountStatus()).to.equal('DEGRADED');
      const [position] = await again.positions();
      const closing = await again.call('POST', `/positions/${position.id}/close`, { type: 'MARKET' });
      expect(closing.status, closing.text).to.equal(500);
      expect(closing.json.errorCode).to.equal('CONFIGURATION_ERROR');
      const opening = await again.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
      expect(opening.status, opening.text).to.equal(500);
      expect(opening.json.errorCode).to.equal('CONFIGURATION_ERROR');

      sim = await startSim({ dataDir: venueDir, port: sim.port });
      inspector = await sim.inspect();
      for (let tries = 0; tries < 500 && (await again.positions()).length > 0; tries += 1) await sleep(20);
      expect(await again.positions()).to.deep.equal([]);
      await resetPaper(second, again);
      expect((await again.open([usd('BTC', 'BUY', '50')])).status).to.equal('COMPLETED');
      expect(await isReady()).to.equal(true);
      expect(await accountStatus()).to.equal('READY');
      await agrees(second, again);
      // Its answers 500 are in the log as errors.
      expect(await second.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    });
  });

  it('finds positions, leverage, equity, key, session and events as they were', async () => {
    const dataDir = await temporaryFolder();
    const first = await start({ dataDir });
    const bot = await trader(first);
    await bot.call('PUT', '/leverage', { symbol: 'SOL-PERP', leverage: 3, marginMode: 'isolated' });
    await bot.open(PAIR);
    await bot.open([usd('SOL', 'BUY', '700')]);
    const look = async (now: StartedGateway, as: Trader) => {
      const { executions, fills, positions, events } = await readAccount(now, now.port, as);
      return {
        executions,
        fills,
        events,
        legs: positions.map((position: Json) => position.legs.map((leg: Json) => [leg.symbol, leg.quantity])),
        leverage: (await as.call('GET', '/leverage')).json,
        keys: (await now.request('GET', '/api-keys', { headers: bearer(as) })).json.apiKeys.length,
      };
    };
    const before = await look(first, bot);
    await stop(first);

    const second = await start({ dataDir });
    const again = traderOn(second, bot);
    expect(await look(second, again)).to.deep.equal(before);
    const me = await second.request('GET', '/auth/me', { headers: bearer(again) });
    expect(me.status).to.equal(200);
    await again.open(PAIR);
    const { events } = await look(second, again);
    expect(events.slice(0, before.events.length)).to.deep.equal(before.events);
    expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index + 1));
    const plan = await again.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR, dryRun: true });
    // 100,000 USDC less what three small baskets have set aside: the account was not funded anew.
    expect(Number(plan.json.plan.freeMargin)).to.be.within(90_000, 99_900);
    await stop(second);
  });

  it('a database of a newer program is refused and left as it is', async () => {
    const dataDir = await temporaryFolder();
    await stop(await start({ dataDir }));
    const version = await withDatabase(join(dataDir, 'tandem.db'), 'PRAGMA user_version = 999');
    expect(version).to.equal(999);
    const said = await refusedStart({ dataDir });
    expect(said).to.match(
      /^tandem: This database was written by a newer Tandem \(schema 999, .*\)\. Update Tandem/,
    );
    expect(said.split('\n')).to.have.length(1);
    expect(await withDatabase(join(dataDir, 'tandem.db'), '')).to.equal(999);
  });
});

const bearer = ({ accessToken }: Trader) => ({ authorization: `Bearer ${accessToken}` });

/** A liquidation left nothing to trade with. */
async function resetPaper(now: StartedGateway, bot: Trader): Promise<void> {
  const path = `/trade-accounts/${bot.accountId}/paper/reset`;
  expect((await now.request('POST', path, { headers: bearer(bot) })).status).to.equal(200);
}

/** Runs the statement and answers with the schema version. */
async function withDatabase(file: string, sql: string): Promise<number> {
  const database = new sqlite3.Database(file);
  try {
    return await new Promise((resolve, reject) => {
      database.serialize(() => {
        database.exec(sql);
        database.get<{ user_version: number }>('PRAGMA user_version', (error, row) =>
          error === null ? resolve(row.user_version) : reject(error),
        );
      });
    });
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}
