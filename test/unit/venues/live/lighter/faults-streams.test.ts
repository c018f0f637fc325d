/** Streams of an emulated Lighter that break, fall silent, repeat and surprise: what the adapter tells of the account. */
import { expect } from 'chai';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { until } from '../../../../support/until.ts';
import { accountAt, adapterAt } from '../../../../support/venues/lighter/adapter.ts';
import { startEmulator } from '../../../../support/venues/lighter/emulator.ts';
import { VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';
import { memoryHost, untilUp } from '../../../../support/venues/shared/memory-host.ts';

describe('streams of Lighter, when things go wrong', () => {
  const desk = openForEachTest(() => VenueDesk.start());

  it('a fill that the stream kept silent about is told with the first message of the next connection', async () => {
    await desk.placeOne();
    await desk.untilFills(1);
    desk.script.streamFaults({ silent: ['account_all_trades'] });
    const missed = desk.order();
    await desk.placeOne(missed);
    await desk.ended(missed);
    expect(desk.fills).to.have.length(1);
    desk.script.streamFaults({});
    desk.script.cutStreams();
    await desk.untilFills(2);
    expect(desk.fills[1]?.clientOrderId).to.equal(missed.clientOrderId);
  });

  it('an order’s end that comes before its beginning stays its end', async () => {
    const order = await desk.rest({ limitPrice: '90000' });
    const [open] = desk.script.state(desk.index).open;
    const state = (status: string, filledBase: string) => ({
      ...{ order_id: String(open?.order), client_order_index: desk.numberOf(order), market_index: 1 },
      ...{ initial_base_amount: '0.00100', filled_base_amount: filledBase, status },
    });
    const channel = `account_all_orders:${desk.index}`;
    desk.script.say(channel, { orders: { 1: [state('filled', '0.00100')] } });
    desk.script.say(channel, { orders: { 1: [state('open', '0.00000')] } });
    await until(desk.clock, 'its end is told', () => desk.told(order)?.kind === 'done');
    await desk.placeOne();
    await desk.untilFills(1);
    expect(desk.told(order)).to.include({ kind: 'done', state: 'filled' });
  });

  it('the state of the account that the stream keeps is that of the venue, and nothing while an order is on its way', async () => {
    const state = () => desk.venue.accountState?.(desk.test.account);
    await until(desk.clock, 'the stream has told it', () => state() != null);
    desk.script.setExecutionDelay(200);
    const placed = desk.placeOne();
    await until(desk.clock, 'it has left', () => desk.count('sendTx createOrder') === 1);
    expect(state()).to.equal(null);
    await placed;
    const told = await until(desk.clock, 'the stream has told all of it', () => {
      const now = state();
      return now?.positions.length === 1 ? now : null;
    });
    const [asked] = await desk.positions();
    expect(told.positions.map(({ symbol, quantity }) => [symbol, quantity])).to.deep.equal([
      ['BTC-PERP', '0.001'],
    ]);
    expect(asked?.entryPrice).to.equal(told.positions[0]?.entryPrice);
    expect(Number(told.balances.equity)).to.be.closeTo(Number(desk.script.state(desk.index).value), 0.01);
  });

  it('an order that stands in the book against somebody’s liquidation is a trade like any other', async () => {
    const order = await desk.rest();
    desk.script.setMark('BTC', '98000');
    const fill = await until(desk.clock, 'it fills', () => desk.fills.at(0));
    expect(fill).to.include({ liquidity: 'MAKER', isLiquidation: false, clientOrderId: order.clientOrderId });
  });

  it('words and fields that nobody knows stop nothing @long', async () => {
    for (const [channel, fields] of [
      [`account_all_orders:${desk.index}`, { orders: { 1: [{ status: 'frozen' }] } }],
      [`account_all_orders:${desk.index}`, { orders: null }],
      [`account_all_trades:${desk.index}`, { trades: { 777: [{ trade_id: 5 }] } }],
      [`account_all_positions:${desk.index}`, { positions: { 777: { market_id: 777 } } }],
      [`account_tx:${desk.index}`, { txs: [{ hash: 'ab', status: 0, event_info: 'not JSON' }] }],
      [`user_stats:${desk.index}`, { stats: { available_balance: 'NaN' } }],
      ['market_stats:all', { market_stats: { 777: { market_id: 777, symbol: 'NEW' } } }],
      ['ticker:1', { ticker: null }],
    ] as const)
      desk.script.say(channel, fields);
    await desk.placeOne();
    await desk.untilFills(1);
    expect(desk.venue.status()).to.include({ status: 'UP' });
    expect(desk.warnings(/not as described/).length).to.be.greaterThan(2);
  });

  it('prices that stand still are told again while the stream speaks, and no more when it is silent', async () => {
    let told = 0;
    const leave = desk.venue.marketStream(({ quotes }) => {
      told += quotes.filter(({ id }) => id === 'MATIC-PERP').length;
    });
    const before = told;
    await until(desk.clock, 'it is told again', () => told > before);
    leave();
  });
});

describe('streams of Lighter that rarely repeat themselves', () => {
  const desk = openForEachTest(() => VenueDesk.start({ pulseMs: 60_000 }));

  it('the account’s streams get a new token after six hours, and what happened meanwhile is to be read @long', async () => {
    await desk.clock.advance(6 * 3_600_000);
    await desk.untilSubscribed(2);
    await until(desk.clock, 'it is told', () => desk.reconnections > 0);
    await desk.placeOne();
    await desk.untilFills(1);
  });
});

describe('best prices of Lighter', () => {
  it('of more markets than may be asked for at once are asked for within the venue’s limit of messages @long', async () => {
    const markets = Array.from({ length: 150 }, (_, index) => ({
      ...{ index, symbol: `COIN${index}`, sizeDecimals: 2, priceDecimals: 2, mark: '10' },
    }));
    const clock = createFakeClock();
    const emulator = await startEmulator({ markets, pulseMs: 100, clock });
    const venue = adapterAt(emulator.url, { host: memoryHost(clock) });
    await venue.start();
    await untilUp(clock, venue);
    const asked = () => emulator.script.sentContaining('ticker/').length;
    await until(clock, 'some are followed', () => asked() >= 50);
    const test = accountAt(emulator);
    await venue.openAccount(test.account, test.access);
    await until(
      clock,
      'the account is followed',
      () => emulator.script.sentContaining('account_all/').length === 1,
    );
    // The rest comes one in a second: none is refused.
    expect(asked()).to.be.lessThan(150);
    const { counts } = emulator.script.traffic();
    expect((counts['ws subscribe'] ?? 0) + (counts['ws unsubscribe'] ?? 0)).to.be.lessThan(200);
    await venue.stop();
    await emulator.close();
  });
});
