/**
 * The venue takes orders while its questions hang. What closes does not wait for it: it is sized from our own records and
 * sent reduce-only, so that it can open nothing whatever is held. What could open something stays.
 */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { type LiveLeg, liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '200'],
  ['ETH', 'SELL', '200'],
];

describe('API: Hyperliquid, emulated: closing while its questions hang', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());
  afterEach(() => live.emulator.script.clearFaults());

  /** Every question about the account hangs, and what was told before is over. */
  const hang = () =>
    bot.script.fault({ on: 'info', do: 'hang', execute: false, times: null, user: bot.address });
  const asked = async (method: string, path: string, body: object): Promise<Json> => {
    const answer = await bot.ask(method, path, body);
    expect(answer.status, answer.text).to.be.oneOf([200, 201, 202]);
    return answer.json;
  };
  const sentReduceOnly = () =>
    bot
      .orderIds()
      .flatMap((cloid) => bot.script.sentContaining(`"c":"${cloid}"`))
      .map((text) => JSON.parse(text.slice(text.indexOf('{'))).action.orders.map(({ r }: Json) => r));

  it('a close goes, reduce-only', async () => {
    const { positionId } = await bot.open(PAIR);
    hang();
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED', errorCode: null });
    expect(bot.held()).to.deep.equal({});
    expect(sentReduceOnly().slice(-1)).to.deep.equal([[true, true]]);
  });

  it('a part is closed, and no more than the part @long', async () => {
    const { positionId } = await bot.open(PAIR);
    hang();
    const { execution } = await asked('POST', `/positions/${positionId}/close`, {
      fraction: '0.5',
      type: 'MARKET',
    });
    expect(await bot.ended(execution.id)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({ BTC: '0.001', ETH: '-0.025' });
  });

  it('panic ends flat @long', async () => {
    await bot.open(PAIR);
    hang();
    await asked('POST', '/safety/panic', { confirm: 'CLOSE ALL' });
    await live.until('all is closed', () => Object.keys(bot.held()).length === 0);
    bot.script.clearFaults();
    await live.until(
      'panic is over',
      async () => (await bot.ask('POST', '/safety/resume', {})).status === 200,
    );
  });

  it('what was closed elsewhere is not closed again: nothing opens', async () => {
    const { positionId } = await bot.open([['BTC', 'BUY', '200']]);
    hang();
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    bot.script.tradeElsewhere(bot.address, 'BTC', 'sell', '0.002', '100000');
    const { execution } = await asked('POST', `/positions/${positionId}/close`, { type: 'MARKET' });
    expect((await bot.ended(execution.id)).status).to.equal('FAILED');
    expect(bot.held()).to.deep.equal({});
  });

  it('a basket against which another one holds is closed as far as the account certainly holds it @long', async () => {
    const { positionId } = await bot.open([['BTC', 'BUY', '300']]);
    await bot.open([
      ['BTC', 'SELL', '100'],
      ['ETH', 'BUY', '100'],
    ]);
    hang();
    const { execution } = await asked('POST', `/positions/${positionId}/close`, { type: 'MARKET' });
    const closed = await bot.ended(execution.id);
    expect(closed.orders[0]).to.include({ filledQuantity: '0.002', errorCode: 'UNDER_REVIEW' });
    expect(closed.orders[0].error).to.include('does not say what it holds');
    expect(bot.held()).to.deep.equal({ ETH: '0.025' });
    bot.script.clearFaults();
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({ BTC: '-0.001', ETH: '0.025' });
  });
});
