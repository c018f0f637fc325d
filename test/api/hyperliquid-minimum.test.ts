/** Hyperliquid's $10 holds for what reduces too; only the close of all that the venue holds of an instrument is exempt. */
import { expect } from 'chai';
import { openForEachTest } from '../support/open-for-tests.ts';
import { type LiveLeg, liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

const LARGE: readonly LiveLeg[] = [['BTC', 'BUY', '200']];
const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '12'],
  ['ETH', 'SELL', '12'],
];

describe('API: Hyperliquid, emulated: a leg worth less than the smallest order', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());
  afterEach(() => {
    live.emulator.script.setMark('BTC', '100000');
  });

  const refused = () =>
    bot.script.state(bot.address).orders.filter(({ status }) => status === 'minTradeNtlRejected').length;
  const unassigned = async () => (await bot.ask('GET', '/positions/unassigned')).json.items;

  it('is left as dust where another basket holds the instrument too: the pair is closed, half of it is not kept', async () => {
    await bot.open(LARGE);
    const { positionId } = await bot.open(PAIR);
    const { BTC } = bot.held();
    bot.script.setMark('BTC', '70000');
    await live.gateway.clock.advance(2_000);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(refused()).to.equal(0);
    expect(bot.held()).to.deep.equal({ BTC });
    expect(await unassigned()).to.have.length(1);
    expect((await unassigned())[0]).to.deep.include({ source: 'DUST', quantity: '0.00012' });
    expect(await bot.unexplained()).to.deep.equal([]);
  });

  it('is closed where it is all that the venue holds', async () => {
    const { positionId } = await bot.open(PAIR);
    bot.script.setMark('BTC', '70000');
    await live.gateway.clock.advance(2_000);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(refused()).to.equal(0);
    expect(bot.held()).to.deep.equal({});
    expect(await unassigned()).to.deep.equal([]);
  });
});
