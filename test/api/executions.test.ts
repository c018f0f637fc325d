/** `GET /executions`: its three rules, its filters, and pages that neither repeat nor skip. */
import { expect } from 'chai';
import { listExecutions } from '../../gateway/contract/trading.ts';
import type { Execution, ExecutionOrigin, ExecutionStatus } from '../../gateway/domain/model.ts';
import type { Json } from '../support/json.ts';
import { readPages, seededGatewayForEachTest } from '../support/seeded-gateway.ts';
import { execution, nextId, START } from '../support/store-records.ts';
import { traderForEachTest, usd } from '../support/trader.ts';

describe('GET /executions', () => {
  const gateway = seededGatewayForEachTest({ hasCross: true });
  const bot = traderForEachTest(gateway);
  let userId: string;
  let made = 0;

  beforeEach(async () => {
    const headers = { authorization: `Bearer ${bot.accessToken}` };
    userId = (await gateway.request('GET', '/auth/me', { headers })).json.id;
  });

  /** Each a millisecond younger than the one before, if not said otherwise. */
  const record = (over: Partial<Execution> = {}): Execution => {
    made += 1;
    const createdAt = over.createdAt ?? START + made;
    return execution(
      {
        id: nextId(createdAt),
        userId,
        tradeAccountId: bot.accountId,
        basketKey: 'b'.repeat(64),
        createdAt,
        status: 'COMPLETED',
        finishedAt: createdAt,
        ...over,
      },
      1,
    );
  };
  const seed = async (...executions: readonly Execution[]): Promise<readonly string[]> => {
    await gateway.seed({ newExecutions: executions });
    return executions.map(({ id }) => id);
  };
  const list = async (query = ''): Promise<Json[]> => {
    const answer = await bot.expect('GET', `/executions${query}`);
    return listExecutions.success[200].parse(answer).executions;
  };
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

  describe('status', () => {
    const all: ExecutionStatus[] = ['IDLE', 'ACTIVE', 'COMPLETED', 'CANCELLED', 'FAILED'];
    beforeEach(() => seed(...all.map((status) => record({ status }))));
    const statuses = async (query: string) => (await list(query)).map((row) => row.status).sort();

    it('left out: every status, IDLE among them', async () => {
      expect(await statuses('')).to.deep.equal([...all].sort());
    });

    for (const [asked, got] of [
      ['ACTIVE', ['ACTIVE']],
      ['COMPLETED', ['COMPLETED', 'FAILED']],
      ['CANCELLED', ['CANCELLED']],
    ] as const) {
      it(`${asked} gives ${got.join(' and ')}${asked === 'ACTIVE' ? '' : ' @long'}`, async () => {
        expect(await statuses(`?status=${asked}`)).to.deep.equal(got);
      });
    }

    it('is an array: repeated, or with commas', async () => {
      expect(await statuses('?status=ACTIVE&status=CANCELLED')).to.deep.equal(['ACTIVE', 'CANCELLED']);
      expect(await statuses('?status=ACTIVE,COMPLETED')).to.deep.equal(['ACTIVE', 'COMPLETED', 'FAILED']);
    });

    for (const status of ['IDLE', 'FAILED', 'active', 'ACTIVE,IDLE', '']) {
      it(`'${status}' cannot be selected: 400${status === 'IDLE' ? '' : ' @long'}`, async () => {
        const answer = await bot.expect('GET', `/executions?status=${status}`, undefined, 400);
        expect(answer).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
        expect(answer.details[0].path).to.match(/^status/);
      });
    }

    it('each of them is read by its id, with the failure reason', async () => {
      for (const row of await list()) {
        const { json } = await bot.call('GET', `/executions/${row.id}`);
        expect(json).to.deep.equal({ execution: row });
      }
      const failed = await bot.open([usd('BTC', 'BUY', '2')]);
      expect(failed.error).to.include('Leg 1 (BTC-PERP BUY)');
      expect(failed.orders[0]).to.include({ errorCode: 'MIN_NOTIONAL' });
    });
  });

  describe('origin', () => {
    const origins: ExecutionOrigin[] = ['API', 'TRIGGER', 'SCHEDULE', 'LADDER', 'REBALANCE', 'BRACKET'];
    beforeEach(() => seed(...origins.map((origin) => record({ origin }))));
    const seen = async (query: string) => (await list(query)).map((row) => row.origin).sort();
    const direct = ['API', 'BRACKET', 'REBALANCE'];

    it('what a schedule or a trigger placed is left out', async () => {
      expect(await seen('')).to.deep.equal(direct);
      expect(await seen('?includeSchedule=false&includeTriggers=false')).to.deep.equal(direct);
    });

    it('includeSchedule=true adds what schedules placed, includeTriggers=true what triggers and ladder rungs did', async () => {
      expect(await seen('?includeSchedule=true')).to.deep.equal([...direct, 'SCHEDULE'].sort());
      expect(await seen('?includeTriggers=true')).to.deep.equal([...direct, 'LADDER', 'TRIGGER'].sort());
      expect(await seen('?includeSchedule=true&includeTriggers=true')).to.deep.equal([...origins].sort());
    });

    it('goes together with status', async () => {
      await seed(record({ origin: 'SCHEDULE', status: 'FAILED' }), record({ status: 'CANCELLED' }));
      expect(await seen('?status=COMPLETED&includeSchedule=true')).to.deep.equal(
        [...direct, 'SCHEDULE', 'SCHEDULE'].sort(),
      );
    });
  });

  it('connector: only that venue’s', async () => {
    const [, cross] = await seed(record(), record({ connector: 'paper-cross' }));
    expect(ids(await list('?connector=paper-cross'))).to.deep.equal([cross]);
    expect(await list('?connector=paper')).to.have.length(1);
  });

  it('shows only the account that is asked for', async () => {
    const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
    await seed(record(), record({ tradeAccountId: other.json.id }));
    expect(await list()).to.have.length(1);
    const [theirs] = (
      await bot.call('GET', '/executions', undefined, { 'x-trade-account-id': other.json.id })
    ).json.executions;
    expect(theirs.tradeAccountId).to.equal(other.json.id);
    expect((await bot.call('GET', `/executions/${theirs.id}`)).status).to.equal(404);
  });

  describe('pages', () => {
    it('newest first; the last page carries no nextCursor', async () => {
      const seeded = await seed(...Array.from({ length: 25 }, () => record()));
      const pages = await readPages(bot, '/executions?limit=10', 'executions');
      expect(pages.map((page) => page.length)).to.deep.equal([10, 10, 5]);
      expect(ids(pages.flat())).to.deep.equal([...seeded].reverse());
    });

    it('neither repeat nor skip while new ones come in, also where many share a millisecond', async () => {
      const before = [
        ...(await seed(...Array.from({ length: 17 }, () => record({ createdAt: START + 10_000 })))),
        ...(await seed(...Array.from({ length: 18 }, () => record({ createdAt: START + 20_000 })))),
      ];
      const pages = await readPages(bot, '/executions?limit=4', 'executions', async () => {
        await seed(record({ createdAt: START + 30_000 }), record({ createdAt: START + 30_000 }));
        await bot.open([usd('SOL', 'BUY', '100')]);
      });
      const read = ids(pages.flat());
      expect(new Set(read).size, 'none twice').to.equal(read.length);
      expect([...read].sort(), 'those that were there, and no later ones').to.deep.equal([...before].sort());
    });

    it('go together with filters', async () => {
      const some = Array.from({ length: 12 }, (_, index) =>
        record({ status: index % 3 === 0 ? 'FAILED' : 'CANCELLED' }),
      );
      await seed(...some);
      const pages = await readPages(bot, '/executions?limit=3&status=COMPLETED', 'executions');
      expect(pages.flat().map((row) => row.status)).to.deep.equal(['FAILED', 'FAILED', 'FAILED', 'FAILED']);
    });
  });
});
