import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { type Answer, makeKey, Trader } from '../../../../support/venues/lighter/trader.ts';

const ETH = 0;
const PURR = 50;
const MATIC = 51;
const OTHER = 8;

describe('emulated Lighter: orders', () => {
  let on: Funded;

  beforeEach(async () => {
    const key = makeKey('other').publicKey;
    on = await startFunded({
      accounts: [{ index: OTHER, l1Address: `0x${'bb'.repeat(20)}`, collateral: '10000', keys: { 4: key } }],
    });
  });
  afterEach(() => on.close());

  const state = () => on.venue.script.state(ACCOUNT);
  const ended = (client: number) =>
    until(
      on.clock,
      `order ${client} is known`,
      async () => (await on.trader.lookUp(client)) as Answer | undefined,
    );
  const executed = async (work: Promise<Answer>) => {
    const answer = await work;
    if (answer.code !== 200) return answer.code;
    return (await until(on.clock, 'it is executed', () => txOf(answer.tx_hash))).status;
  };
  const txOf = async (hash: string) => {
    const tx = await on.trader.get('tx', { by: 'hash', value: hash });
    return tx.status === 1 ? null : tx;
  };

  it('fills an IOC order inside its limit, and tells the rest as cancelled', async () => {
    on.venue.script.setBook(
      'ETH',
      [['3999', '1']],
      [
        ['4000', '0.5'],
        ['4001', '0.5'],
        ['4003', '5'],
      ],
    );
    await on.trader.order({ base: 2_000, price: 400_000, client: 11 });
    expect(await ended(11)).to.deep.include({
      ...{
        status: 'filled',
        side: 'buy',
        is_ask: false,
        type: 'limit',
        time_in_force: 'immediate-or-cancel',
      },
      ...{ initial_base_amount: '0.2000', filled_base_amount: '0.2000', filled_quote_amount: '800.000000' },
      ...{ remaining_base_amount: '0.0000', price: '4000.00', base_size: 2_000, base_price: 400_000 },
    });
    await on.trader.order({ base: 20_000, price: 400_100, client: 12 });
    expect(await ended(12)).to.deep.include({
      ...{ status: 'canceled', filled_base_amount: '0.8000', filled_quote_amount: '3200.500000' },
      remaining_base_amount: '1.2000',
    });
    await on.trader.order({ base: 20_000, price: 400_200, client: 13 });
    expect(await ended(13)).to.deep.include({ status: 'canceled', filled_base_amount: '0.0000' });
    expect(state().positions).to.deep.equal([
      { symbol: 'ETH', size: '1', entry: '4000.5', isCross: true, fraction: 500, allocated: '0' },
    ]);
    // A standard account pays nothing.
    expect(state().collateral).to.equal('10000');
  });

  it('says of a market order why it found no more', async () => {
    on.venue.script.setBook('ETH', [], [['4003', '5']]);
    await on.trader.order({ base: 10_000, price: 400_000, type: 1, client: 1 });
    expect((await ended(1)).status).to.equal('canceled-too-much-slippage');
    await on.trader.order({ base: 10_000, price: 399_000, type: 1, isAsk: true, client: 2 });
    expect((await ended(2)).status).to.equal('canceled-not-enough-liquidity');
    expect((await ended(2)).type).to.equal('market');
  });

  it('lets orders rest, fills them as makers and cancels them by either number', async () => {
    for (const client of [1, 2, 3]) {
      await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1, client });
    }
    const open = await until(on.clock, 'three rest', async () => {
      const { orders } = await on.trader.own('accountActiveOrders');
      return orders.length === 3 ? orders : null;
    });
    expect(open.map((order: Answer) => order.client_order_index)).to.deep.equal([1, 2, 3]);
    expect(await executed(on.trader.cancel(1))).to.equal(2);
    expect(await executed(on.trader.cancel(open[1].order_index))).to.equal(2);
    on.venue.script.setMark('ETH', '3899');
    expect((await ended(1)).status).to.equal('canceled');
    expect(await ended(3)).to.deep.include({ status: 'filled', filled_quote_amount: '390.000000' });
    const [trade] = (await on.trader.own('trades', { sort_by: 'timestamp', limit: 10 })).trades;
    expect(trade).to.deep.include({
      is_maker_ask: false,
      bid_client_id: 3,
      bid_account_id: ACCOUNT,
      price: '3900.00',
    });
    // An ended order cannot be cancelled. The API does not check this, the sequencer does.
    expect(await executed(on.trader.cancel(3))).to.equal(0);
    expect(await executed(on.trader.cancel(99))).to.equal(0);
  });

  it('cancels a post-only order that would match', async () => {
    await on.trader.order({ base: 1_000, price: 410_000, timeInForce: 2, client: 1 });
    expect((await ended(1)).status).to.equal('canceled-post-only');
    await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 2, client: 2 });
    expect(await ended(2)).to.deep.include({ status: 'open', time_in_force: 'post-only' });
  });

  it('cancels what rests of its owner’s rather than let him trade with himself', async () => {
    on.venue.script.setBook('ETH', [], []);
    await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1, client: 1 });
    await on.trader.order({ base: 1_000, price: 390_000, isAsk: true, client: 2 });
    expect((await ended(2)).status).to.equal('canceled');
    expect((await ended(1)).status).to.equal('canceled-self-trade');
  });

  it('ends the newer of one owner’s two orders, or both, where that is asked for', async () => {
    on.venue.script.setBook('ETH', [], []);
    const rest = async (client: number) => {
      await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1, client });
      await ended(client);
    };
    const sell = (client: number, attributes: Record<string, number>) =>
      on.trader.order({ base: 1_000, price: 390_000, isAsk: true, client }, { attributes });
    await rest(1);
    await sell(2, { 6: 1 });
    expect((await ended(2)).status).to.equal('canceled-self-trade');
    expect((await ended(1)).status).to.equal('open');
    await sell(3, { 6: 2 });
    expect((await ended(3)).status).to.equal('canceled-self-trade');
    expect((await ended(1)).status).to.equal('canceled-self-trade');
    for (const attributes of [{ 6: 9 }, { 4: 0 }, { 2: 100 }, { 1: 0, 2: 0, 3: 0, 6: 0, 7: 0 }]) {
      expect((await sell(4, attributes)).code).to.equal(21501);
    }
  });

  it('counts orders of two accounts of one owner as his own, where that is asked for', async () => {
    const { address } = on.owner;
    const second = 140_737_488_355_400;
    const key = makeKey('second');
    on.venue.script.addAccount({
      index: second,
      l1Address: address,
      collateral: '1000',
      keys: { 4: key.publicKey },
    });
    const other = new Trader(on.venue.url, { account: second, key, clock: on.clock });
    on.venue.script.setBook('ETH', [], []);
    await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1, client: 1 });
    await ended(1);
    await other.order({ base: 1_000, price: 390_000, isAsk: true }, { attributes: { 7: 1 } });
    await until(on.clock, 'it rests no more', async () => (await ended(1)).status === 'canceled-self-trade');
  });

  it('lets two accounts trade with one another, both sides of one trade', async () => {
    const other = new Trader(on.venue.url, { account: OTHER, key: makeKey('other'), clock: on.clock });
    on.venue.script.setBook('ETH', [], []);
    await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1, client: 1 });
    await ended(1);
    await other.order({ base: 1_000, price: 389_000, isAsk: true, client: 2 });
    await until(on.clock, 'it rests no more', async () => (await ended(1)).status === 'filled');
    const ours = (await on.trader.own('trades', { sort_by: 'trade_id', limit: 5 })).trades;
    const theirs = (await other.own('trades', { sort_by: 'trade_id', limit: 5 })).trades;
    expect(ours).to.deep.equal(theirs);
    expect(ours[0]).to.deep.include({
      ask_account_id: OTHER,
      bid_account_id: ACCOUNT,
      ask_client_id: 2,
      bid_client_id: 1,
    });
    expect(on.venue.script.state(OTHER).positions[0]?.size).to.equal('-0.1');
  });

  it('cuts a reduce-only order to the position, and lets one that would open vanish without a trace', async () => {
    await on.trader.order({ base: 10_000, price: 404_000 });
    await until(on.clock, 'it is held', () => state().positions.length === 1);
    await on.trader.order({ base: 30_000, price: 396_000, isAsk: true, reduceOnly: true, client: 5 });
    expect(await ended(5)).to.deep.include({
      filled_base_amount: '1.0000',
      remaining_base_amount: '2.0000',
      reduce_only: true,
    });
    expect(state().positions).to.have.length(0);
    const known = state().orders.length;
    expect(
      await executed(
        on.trader.order({ base: 10_000, price: 396_000, isAsk: true, reduceOnly: true, client: 6 }),
      ),
    ).to.equal(2);
    expect(await on.trader.lookUp(6)).to.equal(undefined);
    expect(state().orders).to.have.length(known);
    on.venue.script.setReduceOnly('is cancelled');
    await on.trader.order({ base: 10_000, price: 396_000, isAsk: true, reduceOnly: true, client: 7 });
    expect((await ended(7)).status).to.equal('canceled-reduce-only');
    on.venue.script.setReduceOnly('is refused');
    expect(
      await executed(
        on.trader.order({ base: 10_000, price: 396_000, isAsk: true, reduceOnly: true, client: 8 }),
      ),
    ).to.equal(0);
  });

  const refusals: readonly (readonly [string, number, object | (() => object)])[] = [
    ['no amount', 21701, { base: 0 }],
    ['no price', 21702, { price: 0 }],
    ['a price of more than 32 bits', 21702, { price: 2 ** 32 }],
    ['a client index of more than 48 bits', 21727, { client: 2 ** 48 }],
    ['a time in force that there is not', 21705, { timeInForce: 3 }],
    ['a market order that would rest', 21705, { type: 1, timeInForce: 1 }],
    ['a stop', 21710, { type: 2 }],
    ['a type that there is not', 21704, { type: 7 }],
    ['an IOC order with an end', 21711, () => ({ expiry: on.clock.now() + 86_400_000 })],
    ['an end that is too near', 21711, () => ({ timeInForce: 1, expiry: on.clock.now() + 60_000 })],
    ['an end that is too far', 21711, () => ({ timeInForce: 1, expiry: on.clock.now() + 31 * 86_400_000 })],
    ['less than the smallest size', 21706, { base: 49 }],
    ['less than ten USDC', 21706, { market: 3, base: 10, price: 200_000 }],
    ['an unknown market', 21602, { market: 200 }],
    ['a market that is not active', 21605, { market: MATIC, price: 50_000 }],
    ['more than the margin allows', 21739, { base: 1_000_000 }],
    ['a price far beyond the book', 21733, { price: 450_000 }],
    ['a price far from the mark', 21734, { price: 800_000 }],
  ];
  for (const [what, code, change] of refusals) {
    it(`refuses ${what} with ${code}, without using the number`, async () => {
      const terms = typeof change === 'function' ? change() : change;
      const answer = await on.trader.order({ base: 10_000, price: 400_000, ...terms });
      expect(answer.code).to.equal(code);
      expect(await on.trader.get('nextNonce', { account_index: ACCOUNT, api_key_index: 4 })).to.deep.equal({
        code: 200,
        nonce: 0,
      });
      expect(state().orders).to.have.length(0);
    });
  }

  it('takes a client’s index once', async () => {
    await on.trader.order({ base: 1_000, price: 404_000, client: 1 });
    await ended(1);
    expect((await on.trader.order({ base: 1_000, price: 404_000, client: 1 })).code).to.equal(21728);
  });

  it('does without the band of prices where the sender says so', async () => {
    const fields = on.trader.orderFields({ base: 1_000, price: 450_000, client: 1 });
    const form = { tx_type: '14', tx_info: on.trader.signed('createOrder', fields) };
    const unprotected = await on.trader.post('sendTx', { ...form, price_protection: 'false' });
    expect(unprotected.status).to.equal(200);
    expect((await ended(1)).status).to.equal('filled');
  });

  it('closes a position that is smaller than the smallest order, and opens none', async () => {
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '0.001', '4000');
    expect((await on.trader.order({ base: 10, price: 396_000, isAsk: true })).code).to.equal(21706);
    const close = { base: 10, price: 396_000, isAsk: true, reduceOnly: true, client: 9 };
    expect((await on.trader.order(close)).code).to.equal(200);
    expect((await ended(9)).status).to.equal('filled');
  });

  it('takes only closing orders of a market that is being ended', async () => {
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '1', '4000');
    on.venue.script.setForceReduceOnly('ETH', true);
    expect((await on.trader.order({ base: 1_000, price: 404_000 })).code).to.equal(21740);
    const close = { base: 10_000, price: 396_000, isAsk: true, reduceOnly: true, client: 9 };
    await on.trader.order(close);
    expect((await ended(9)).status).to.equal('filled');
    const [detail] = (await on.trader.get('orderBookDetails', { market_id: ETH })).order_book_details;
    expect(detail.market_config.force_reduce_only).to.equal(true);
  });

  it('reckons a market without cross margin in isolated margin', async () => {
    await on.trader.order({ market: PURR, base: 1_000, price: 202_000, client: 1 });
    await ended(1);
    const [position] = state().positions;
    expect(position).to.deep.include({ symbol: 'PURR', isCross: false, fraction: 3300, size: '1000' });
    expect(Number(position?.allocated)).to.be.greaterThan(60);
  });

  it('takes a batch as a whole or not at all, by consecutive numbers', async () => {
    const legs = [1, 2, 3].map((client) =>
      on.trader.signed('createOrder', on.trader.orderFields({ base: 1_000, price: 404_000, client })),
    );
    const batch = (infos: readonly string[]) =>
      on.trader.post('sendTxBatch', {
        tx_types: JSON.stringify(infos.map(() => 14)),
        tx_infos: JSON.stringify(infos),
      });
    const [first = '', second = '', third = ''] = legs;
    const torn = await batch([first, third]);
    expect([torn.status, torn.json.code]).to.deep.equal([400, 21105]);
    const wrong = await batch([second, third]);
    expect(wrong.json.code).to.equal(21104);
    const taken = await batch(legs);
    expect(taken.json.tx_hash).to.have.length(3);
    await ended(3);
    expect(state().orders.map(({ status }) => status)).to.deep.equal(['filled', 'filled', 'filled']);
  });

  it('changes the price and size of an order that rests', async () => {
    await on.trader.order({ base: 10_000, price: 390_000, timeInForce: 1, client: 1 });
    await ended(1);
    const change = { MarketIndex: ETH, Index: 1, BaseAmount: 5_000, Price: 391_000, TriggerPrice: 0 };
    expect(await executed(on.trader.send('modifyOrder', change))).to.equal(2);
    expect(await ended(1)).to.deep.include({
      price: '3910.00',
      initial_base_amount: '0.5000',
      status: 'open',
    });
  });

  it('cancels all orders at once, of one market, or at a time that can be taken back', async () => {
    const rest = async (client: number, market: number, price: number) => {
      await on.trader.order({ market, base: 1_000, price, timeInForce: 1, client });
      await ended(client);
    };
    const cancelAll = (fields: object, attributes?: Record<string, number>) =>
      executed(
        on.trader.send(
          'cancelAllOrders',
          { TimeInForce: 0, Time: 0, ...fields },
          attributes ? { attributes } : {},
        ),
      );
    await rest(1, ETH, 390_000);
    await rest(2, 1, 990_000);
    expect(await cancelAll({}, { 5: 1 })).to.equal(2);
    expect(state().open.map(({ client }) => client)).to.deep.equal([1]);
    expect(await cancelAll({ TimeInForce: 1, Time: on.clock.now() + 60_000 })).to.equal(0);
    expect(await cancelAll({ TimeInForce: 1, Time: on.clock.now() + 10 * 60_000 })).to.equal(2);
    expect(await cancelAll({ TimeInForce: 2 })).to.equal(2);
    on.venue.script.setClockOffset(20 * 60_000);
    await on.trader.get('exchangeStats');
    expect(state().open).to.have.length(1);
    const late = { TimeInForce: 1, Time: on.clock.now() + 30 * 60_000 };
    const scheduled = await on.trader.send('cancelAllOrders', late, {
      expiredAt: on.clock.now() + 40 * 60_000,
    });
    await until(on.clock, 'it is scheduled', () => txOf(scheduled.tx_hash));
    on.venue.script.setClockOffset(40 * 60_000);
    await on.trader.get('exchangeStats');
    expect(state().open).to.have.length(0);
  });

  it('ends an order at its own time', async () => {
    await on.trader.order({
      base: 1_000,
      price: 390_000,
      timeInForce: 1,
      expiry: on.clock.now() + 10 * 60_000,
      client: 1,
    });
    await ended(1);
    on.venue.script.setClockOffset(11 * 60_000);
    await on.trader.get('exchangeStats');
    expect(state().orders[0]?.status).to.equal('canceled-expired');
  });
});
