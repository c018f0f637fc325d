import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { type Answer, Listener } from '../../../../support/venues/lighter/trader.ts';

describe('emulated Lighter: streams', () => {
  let on: Funded;
  let listener: Listener;

  beforeEach(async () => {
    on = await startFunded();
    listener = await Listener.open(on.venue.wsUrl);
    await until(on.clock, 'it is greeted', () => listener.of('connected').length === 1);
  });
  afterEach(async () => {
    listener.close();
    await on.close();
  });

  const heard = (type: string, count = 1) =>
    until(on.clock, `${count} of ${type}`, () =>
      listener.of(type).length >= count ? listener.of(type) : null,
    );
  const buy = (client = 1) => on.trader.order({ base: 10_000, price: 404_000, client });

  it('tells orders, trades, positions, money and transactions of one order, each on its own stream', async () => {
    const token = on.trader.token();
    const first = await listener.subscribe(`account_all_orders/${ACCOUNT}`, token);
    expect(first).to.deep.equal({
      type: 'subscribed/account_all_orders',
      channel: 'account_all_orders:7',
      orders: {},
    });
    await listener.subscribe(`account_orders/0/${ACCOUNT}`, token);
    await listener.subscribe(`account_tx/${ACCOUNT}`, token);
    await listener.subscribe(`account_all_assets/${ACCOUNT}`, token);
    for (const name of ['account_all_trades', 'account_all_positions', 'user_stats', 'account_all']) {
      await listener.subscribe(`${name}/${ACCOUNT}`);
    }
    const { tx_hash } = await buy();
    const [orders] = await heard('update/account_all_orders');
    expect(orders.orders['0'][0]).to.deep.include({ client_order_index: 1, status: 'filled' });
    expect((await heard('update/account_orders'))[0]).to.deep.include({
      account: ACCOUNT,
      channel: 'account_orders:0:7',
    });
    expect((await heard('update/account_all_trades'))[0].trades['0'][0]).to.deep.include({
      bid_client_id: 1,
      size: '1.0000',
    });
    expect((await heard('update/account_all_positions'))[0].positions['0']).to.deep.include({
      position: '1.0000',
      sign: 1,
    });
    expect((await heard('update/user_stats'))[0].stats).to.deep.include({
      collateral: '10000.000000',
      leverage: '0.40',
    });
    expect((await heard('update/account_tx'))[0].txs[0]).to.deep.include({
      hash: tx_hash,
      status: 2,
      type: 14,
    });
    expect((await heard('update/account_all'))[0].positions['0'].position).to.equal('1.0000');
    expect((await heard('update/account_all_assets'))[0].assets['3'].margin_balance).to.equal('10000.000000');
  });

  it('tells of positions only what has changed, and of a closed one that it is 0', async () => {
    on.venue.script.tradeElsewhere(ACCOUNT, 'BTC', 'buy', '0.1', '100000');
    const first = await listener.subscribe(`account_all_positions/${ACCOUNT}`);
    expect(Object.keys(first.positions)).to.deep.equal(['1']);
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '1', '4000');
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'sell', '1', '4000');
    const [update] = await heard('update/account_all_positions');
    expect(Object.keys(update.positions)).to.deep.equal(['0']);
    expect(update.positions['0'].position).to.equal('0.0000');
    await listener.send({ type: 'unsubscribe', channel: `account_all_positions/${ACCOUNT}` });
    await heard('unsubscribed');
    expect((await listener.subscribe(`account_all_positions/${ACCOUNT}`)).positions).to.have.all.keys(['1']);
  });

  it('lets the account’s orders be heard with a token of the account only', async () => {
    const refused = async (channel: string, auth?: string) => {
      const before = listener.messages.length;
      listener.send({ type: 'subscribe', channel, ...(auth === undefined ? {} : { auth }) });
      await until(on.clock, 'it is answered', () => listener.messages.length > before);
      return listener.messages[before].error?.code;
    };
    expect(await refused(`account_all_orders/${ACCOUNT}`)).to.equal(20001);
    expect(await refused(`account_all_orders/${ACCOUNT}`, 'nonsense')).to.equal(20013);
    expect(await refused(`account_tx/${ACCOUNT}`, on.trader.token(1))).to.equal(20013);
    expect(await refused('account_all_orders/99')).to.equal(21100);
    expect(await refused('order_book/200')).to.equal(21602);
    expect(await refused('weather/0')).to.equal(30005);
    await listener.subscribe('order_book/0');
    expect(await refused('order_book/0')).to.equal(30003);
    expect(await refused(`account_all_orders/${ACCOUNT}`, on.trader.token())).to.equal(undefined);
  });

  it('tells a book whole and then by its changes, which follow one another by number', async () => {
    on.venue.script.setBook(
      'ETH',
      [
        ['3999', '1'],
        ['3998', '2'],
      ],
      [['4001', '1']],
    );
    const { order_book } = await listener.subscribe('order_book/0');
    expect(order_book).to.deep.include({ begin_nonce: 0, asks: [{ price: '4001.00', size: '1.0000' }] });
    on.venue.script.setBook(
      'ETH',
      [
        ['3999', '1'],
        ['3998', '3'],
      ],
      [['4002', '1']],
    );
    const [change] = await heard('update/order_book');
    expect(change.order_book).to.deep.include({
      bids: [{ price: '3998.00', size: '3.0000' }],
      asks: [
        { price: '4002.00', size: '1.0000' },
        { price: '4001.00', size: '0.0000' },
      ],
      begin_nonce: order_book.nonce,
    });
    on.venue.script.bookGap('ETH');
    on.venue.script.setBook('ETH', [['3997', '1']], [['4002', '1']]);
    on.venue.script.setBook('ETH', [['3996', '1']], [['4002', '1']]);
    const [, later] = await heard('update/order_book', 2);
    expect(later.order_book.begin_nonce).to.be.greaterThan(change.order_book.nonce);
    expect(later.order_book.bids).to.deep.equal([
      { price: '3996.00', size: '1.0000' },
      { price: '3997.00', size: '0.0000' },
    ]);
    listener.send({ type: 'unsubscribe', channel: 'order_book/0' });
    await heard('unsubscribed');
    const whole = await listener.subscribe('order_book/0');
    expect(whole.order_book.bids).to.deep.equal([{ price: '3996.00', size: '1.0000' }]);
    expect(whole.order_book.nonce).to.equal(later.order_book.nonce);
  });

  it('tells prices, the best of the book and trades of markets', async () => {
    const all = await listener.subscribe('market_stats/all');
    expect(all.market_stats['1']).to.deep.include({ symbol: 'BTC', mark_price: '100000.0' });
    await listener.subscribe('ticker/0');
    await listener.subscribe('trade/0');
    on.venue.script.setMark('ETH', '4100', { index: '4101' });
    const [stats] = await heard('update/market_stats');
    expect(Object.keys(stats.market_stats)).to.deep.equal(['0']);
    expect(stats.market_stats['0']).to.deep.include({ mark_price: '4100.00', index_price: '4101.00' });
    expect((await heard('update/ticker'))[0].ticker).to.deep.include({
      s: 'ETH',
      a: { price: '4100.41', size: '24.3903' },
    });
    await on.trader.order({ base: 10_000, price: 420_000 });
    const [told] = await heard('update/trade');
    expect(told.trades[0]).to.deep.include({ price: '4100.41', type: 'trade' });
    on.venue.script.liquidate(ACCOUNT, 'ETH', '4000');
    await until(on.clock, 'it is told', () =>
      listener.of('update/trade').some((one: Answer) => one.liquidation_trades.length === 1),
    );
  });

  it('repeats prices and money in its pulse, and cuts off those who say nothing', async () => {
    await on.close();
    on = await startFunded({ pulseMs: 40, idleMs: 400 });
    const talking = await Listener.open(on.venue.wsUrl);
    await talking.subscribe('market_stats/0');
    await talking.subscribe(`user_stats/${ACCOUNT}`);
    await talking.subscribe('height');
    await until(on.clock, 'it has a pulse', () => {
      talking.send({ type: 'ping' });
      return ['market_stats', 'user_stats', 'height'].every(
        (name) => talking.of(`update/${name}`).length > 1,
      );
    });
    await until(on.clock, 'it is answered', () => talking.of('pong').length > 0);
    await until(on.clock, 'it is cut off', () => talking.closed);
  });

  it('takes transactions over the socket, as objects, and answers by the sender’s id', async () => {
    const tx = (options = {}) =>
      JSON.parse(
        on.trader.signed('createOrder', on.trader.orderFields({ base: 1_000, price: 404_000 }), options),
      );
    const answerTo = async (id: string, type: string, data: object) => {
      listener.send({ type, data: { id, ...data } });
      return until(on.clock, `${id} is answered`, () => listener.messages.find((one) => one.id === id));
    };
    const sent = await answerTo('a', 'jsonapi/sendtx', { tx_type: 14, tx_info: tx({ nonce: 0 }) });
    expect(sent).to.deep.include({ type: 'jsonapi/sendtx', code: 200 });
    const again = await answerTo('b', 'jsonapi/sendtx', { tx_type: 14, tx_info: tx({ nonce: 0 }) });
    expect(again).to.deep.equal({ error: { code: 21104, message: 'invalid nonce' }, id: 'b' });
    const text = await answerTo('c', 'jsonapi/sendtx', {
      tx_type: 14,
      tx_info: JSON.stringify(tx({ nonce: 1 })),
    });
    expect(text.error.code).to.equal(21501);
    const infos = [tx({ nonce: 1 }), tx()].map((one) => JSON.stringify(one));
    const batch = { tx_types: '[14,14]', tx_infos: JSON.stringify(infos) };
    expect((await answerTo('d', 'jsonapi/sendtxbatch', batch)).tx_hash).to.have.length(2);
    await until(
      on.clock,
      'all three are filled',
      () => on.venue.script.state(ACCOUNT).positions[0]?.size === '0.3',
    );
    expect(on.venue.script.traffic().counts).to.deep.include({
      'sendTx createOrder': 3,
      'sendTxBatch createOrder': 1,
    });
  });

  it('hears two hundred messages a minute, and asks whether its clients are there', async () => {
    await on.close();
    on = await startFunded({ idleMs: 200 });
    const talking = await Listener.open(on.venue.wsUrl);
    await until(on.clock, 'it asks', () => talking.of('ping').length > 0);
    for (let n = 0; n < 205; n += 1) talking.send({ type: 'pong' });
    await until(on.clock, 'it has enough', () => talking.messages.some(({ error }) => error?.code === 30009));
    talking.close();
  });

  it('tells stated candles', async () => {
    const candle = { t: 1_778_821_440_000, o: 1, h: 2, l: 1, c: 2, v: 3, V: 4, i: 5 };
    on.venue.script.setCandles('ETH', '1m', [candle]);
    expect((await listener.subscribe('candle/0/1m')).candles).to.deep.equal([candle]);
    const asked = {
      market_id: 0,
      start_timestamp: 1_778_821_440,
      end_timestamp: 1_778_821_500,
      count_back: 10,
    };
    expect(await on.trader.get('candles', { ...asked, resolution: '1m' })).to.deep.equal({
      code: 200,
      r: '1m',
      c: [candle],
    });
    expect((await on.trader.get('candles', { ...asked, resolution: '1h' })).c).to.equal(null);
  });
});
