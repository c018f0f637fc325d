/** Take-profit and stop-loss over HTTP: what fired goes on until the position is closed; what later orders make of them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { putBrackets } from '../../gateway/contract/brackets.ts';
import { reversePosition } from '../../gateway/contract/position-actions.ts';
import { getPosition, openTrade } from '../../gateway/contract/positions.ts';
import { getTrigger } from '../../gateway/contract/triggers.ts';
import { faultScript } from '../support/fault-script.ts';
import type { Json } from '../support/json.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTimedGateway, type TimedGateway } from '../support/timed-gateway.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const FILLS_PARTLY = { kind: 'fill', fraction: '0.2' } as const;
const TOO_LATE = { kind: 'reject', reason: 'expired', message: 'arrived after it had expired' } as const;

describe('brackets over HTTP', () => {
  let gateway: TimedGateway;
  let bot: Trader;
  before(async () => {
    // The first batch opens; the closes after it are refused as expired, then find a thin book.
    const faults = faultScript()
      .at({ batch: 2, times: null }, TOO_LATE)
      .at({ batch: 3, symbol: 'BTC-PERP', times: null }, FILLS_PARTLY)
      .at({ batch: 4, symbol: 'BTC-PERP', times: null }, FILLS_PARTLY)
      .at({ batch: 5, symbol: 'BTC-PERP', times: null }, FILLS_PARTLY)
      .at({ batch: 6, symbol: 'BTC-PERP', times: null }, FILLS_PARTLY)
      .at({ batch: 7, symbol: 'BTC-PERP', times: null }, FILLS_PARTLY)
      .done();
    const path = join(await temporaryFolder(), 'faults.json');
    await writeFile(path, JSON.stringify(faults));
    gateway = await startTimedGateway({ faultScript: path });
    bot = await trader(gateway);
  });
  after(() => gateway.close());

  const until = (so: () => Promise<boolean>) => untilOn(gateway.clock, 'it comes to that', so, 90_000);
  const triggerOf = async (id: string) =>
    getTrigger.success[200].parse((await bot.call('GET', `/triggers/${id}`)).json);
  const positionOf = async (id: string) =>
    getPosition.success[200].parse((await bot.call('GET', `/positions/${id}`)).json);
  const opened = async (): Promise<string> =>
    (await gateway.trade(bot, '/trade/open', { type: 'MARKET', legs: PAIR })).positionId;
  const set = async (id: string, body: object) => {
    const answer = await bot.expect('PUT', `/positions/${id}/brackets`, body);
    return putBrackets.success[200].parse(answer);
  };
  const shock = (factor: number) => gateway.gateway.paperVenue('paper').shock('BTC-PERP', factor);

  it('a stop whose close came too late and then filled partly closes the position in the end', async () => {
    const id = await opened();
    const { takeProfit, stopLoss } = await set(id, {
      takeProfit: { type: 'PERCENTAGE', value: '50' },
      stopLoss: { type: 'PERCENTAGE', value: '2', slippage: '0.05' },
    });
    expect(stopLoss).to.include({ slippage: '0.05', rounds: 0, nextRoundAt: null, error: null });
    expect(takeProfit).to.include({ slippage: '0.01', status: 'ACTIVE' });
    await shock(0.94);
    await until(async () => ((await positionOf(id)).stopLoss?.rounds ?? 0) >= 1);
    const working = await positionOf(id);
    expect(working.status).to.equal('OPEN');
    expect(working.stopLoss?.status).to.equal('TRIGGERED');
    expect(working.stopLoss?.error).to.contain('Still open: ');
    await until(async () => (await triggerOf(stopLoss?.triggerId ?? '')).status === 'COMPLETED');
    expect((await positionOf(id)).status).to.equal('CLOSED');
    expect((await triggerOf(takeProfit?.triggerId ?? '')).status).to.equal('CANCELLED');
    const told: Json[] = (await bot.call('GET', '/notifications')).json.notifications;
    const categories = told.map(({ category }) => category);
    expect(categories).to.include.members(['STOP_LOSS_FAILED', 'STOP_LOSS_HIT']);
    const failed = told.find(({ category }) => category === 'STOP_LOSS_FAILED');
    expect(failed?.parameters.reason).to.contain('Still open: ').and.to.contain('It goes on in ');
    const ran: Json[] = (await bot.call('GET', '/executions?limit=100')).json.executions;
    const rounds = ran.filter(({ origin }) => origin === 'BRACKET').toReversed();
    expect(rounds.length).to.be.greaterThan(1);
    expect(rounds.slice(0, 2).map(({ slippage }) => slippage)).to.deep.equal(['0.05', '0.06']);
  });

  it('an addition keeps the present stop and says so, in the dry run too, unless it is to replace it', async () => {
    const id = await opened();
    const { stopLoss } = await set(id, { stopLoss: { type: 'PERCENTAGE', value: '30' } });
    const body = { type: 'MARKET', legs: PAIR, stopLoss: { type: 'PERCENTAGE', value: '10' } };
    const dry = await bot.call('POST', '/trade/open', { ...body, dryRun: true });
    expect(openTrade.success[200].parse(dry.json).brackets?.kept[0]?.triggerId).to.equal(stopLoss?.triggerId);
    const kept = await bot.call('POST', '/trade/open', body);
    const answer = openTrade.success[202].parse(kept.json);
    expect(answer.brackets?.kept[0]).to.include({ triggerId: stopLoss?.triggerId, value: '30' });
    expect(answer.brackets?.set).to.deep.equal([]);
    await until(
      async () =>
        !['IDLE', 'ACTIVE'].includes(
          (await bot.call('GET', `/executions/${answer.execution.id}`)).json.execution.status,
        ),
    );
    expect((await positionOf(id)).stopLoss?.triggerId).to.equal(stopLoss?.triggerId);
    const replacing = await bot.call('POST', '/trade/open', { ...body, brackets: 'REPLACE' });
    const replaced = openTrade.success[202].parse(replacing.json);
    expect(replaced.brackets?.replaced[0]?.triggerId).to.equal(stopLoss?.triggerId);
    await until(async () => (await positionOf(id)).stopLoss?.value === '10');
    expect((await triggerOf(stopLoss?.triggerId ?? '')).status).to.equal('CANCELLED');
    const waiting = await bot.call('POST', '/triggers/open', {
      ...{ legs: PAIR, stopLoss: body.stopLoss, brackets: 'REPLACE' },
      condition: { type: 'PRICE', direction: 'MORE_THAN', value: '9000000', symbol: 'BTC-PERP' },
    });
    expect(waiting.json).to.include({ brackets: 'REPLACE' });
    await bot.call('POST', `/triggers/${waiting.json.id}/cancel`);
  });

  it('a reversal says what becomes of the brackets, and does it', async () => {
    const [held] = await bot.positions();
    await set(held?.id, { takeProfit: { type: 'PRICE_RATIO', value: '900000' } });
    const answer = await bot.call('POST', `/positions/${held?.id}/reverse`, {});
    const { brackets, execution } = reversePosition.success[202].parse(answer.json);
    expect(brackets.carried.map(({ bracketType, value }) => [bracketType, value])).to.deep.equal([
      ['STOP_LOSS', '10'],
    ]);
    expect(brackets.dropped.map(({ bracketType, reason }) => [bracketType, reason])).to.deep.equal([
      ['TAKE_PROFIT', 'ABSOLUTE_LEVEL'],
    ]);
    const turned = async () => (await bot.positions()).find(({ id }) => id !== held?.id);
    await until(async () => (await turned()) !== undefined);
    expect(execution.intent).to.equal('REVERSE');
    expect((await turned())?.stopLoss).to.include({ type: 'PERCENTAGE', value: '10', status: 'ACTIVE' });
    expect((await turned())?.takeProfit).to.equal(null);
  });
});
