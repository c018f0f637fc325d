/** Lists of triggers and notifications: what they show, page by page, and whose they are. */
import { expect } from 'chai';
import { listNotifications } from '../../gateway/contract/notifications.ts';
import { listTriggers } from '../../gateway/contract/triggers.ts';
import type { Json } from '../support/json.ts';
import { notice, trailingStop, waitingTrigger } from '../support/resting-rows.ts';
import { readPages, seededGatewayForEachTest } from '../support/seeded-gateway.ts';
import { START } from '../support/store-records.ts';
import { traderForEachTest } from '../support/trader.ts';

describe('lists of triggers and notifications', () => {
  const gateway = seededGatewayForEachTest();
  const bot = traderForEachTest(gateway);
  const idsOf = (rows: readonly Json[]): readonly string[] => rows.map(({ id }) => id);

  it('triggers: newest first, page by page, of the account alone, with the peak of a stop that trails', async () => {
    const of = { tradeAccountId: bot.accountId };
    const older = trailingStop({ ...of, createdAt: START });
    const newer = waitingTrigger({ ...of, createdAt: START + 1 });
    await gateway.seed({ triggers: [older, newer, waitingTrigger()] });
    const pages = await readPages(bot, '/triggers?limit=1', 'triggers');
    expect(pages.map(idsOf)).to.deep.equal([[newer.id], [older.id]]);
    const closing = listTriggers.success[200].parse(await bot.expect('GET', '/triggers?kind=CLOSE'));
    expect(idsOf(closing.triggers)).to.deep.equal([older.id]);
    const unknown = await bot.expect('GET', '/triggers?connector=nowhere', undefined, 400);
    expect(unknown.details[0].path).to.equal('connector');
    const stop = await bot.expect('GET', `/triggers/${older.id}`);
    expect(stop.condition).to.equal(null);
    expect(stop.bracket).to.deep.include({
      ...{ type: 'PERCENTAGE', value: '5', slippage: '0.03' },
      trailing: { delta: '2', activation: null },
      ...{ peak: '1.5', rounds: 0, nextRoundAt: null },
    });
  });

  it('notifications: shown and marked, of its own accounts where the key is limited', async () => {
    const headers = { authorization: `Bearer ${bot.accessToken}` };
    const userId = (await gateway.request('GET', '/auth/me', { headers })).json.id;
    const mine = notice({ userId, parameters: { tradeAccountId: bot.accountId }, createdAt: START });
    const other = notice({ userId, parameters: {}, createdAt: START + 1 });
    const foreign = notice({ createdAt: START + 2 });
    await gateway.seed({ notifications: [mine, other, foreign] });
    const limits = { label: 'limited', scope: 'read_write', tradeAccountIds: [bot.accountId] };
    const { key } = await gateway.expect('POST', '/api-keys', { headers, body: limits }, 201);
    const limited = { 'x-api-key': key };
    const ids = async (query: string, as = {}) => {
      const { json } = await bot.call('GET', `/notifications${query}`, undefined, as);
      return idsOf(listNotifications.success[200].parse(json).notifications);
    };
    expect(await ids('')).to.deep.equal([other.id, mine.id]);
    expect(await ids('', limited)).to.deep.equal([mine.id]);
    expect(await ids(`?endDate=${START}`)).to.deep.equal([mine.id]);
    expect(await ids(`?startDate=${new Date(START + 1).toISOString()}`)).to.deep.equal([other.id]);

    const mark = async (path: string, body: object, as = {}) =>
      (await bot.call('POST', `/notifications/${path}`, body, as)).json.updated;
    expect(await mark('read', { id: other.id }, limited)).to.equal(0);
    expect(await mark('read', { id: foreign.id })).to.equal(0);
    expect(await mark('read', { before: START })).to.equal(1);
    expect(await ids('?scope=unread')).to.deep.equal([other.id]);
    expect(await ids('?scope=read')).to.deep.equal([mine.id]);
    expect(await mark('read', { before: '2030-01-01T00:00:00Z' })).to.equal(1);
    expect(await mark('unread', { id: mine.id })).to.equal(1);
    expect(await ids('?scope=unread')).to.deep.equal([mine.id]);
  });
});
