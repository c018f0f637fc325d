import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { type Answer, makeKey, Trader } from '../../../../support/venues/lighter/trader.ts';
import { SHAPES } from '../../../../support/venues/lighter/wire/tx-shapes.ts';

const HOUR_S = 3600;

const nowS = ({ clock }: Funded) => Math.floor(clock.now() / 1000);

describe('emulated Lighter: keys, numbers and tokens', () => {
  let on: Funded;

  beforeEach(async () => {
    on = await startFunded();
  });
  afterEach(() => on.close());

  const nonce = async () =>
    (await on.trader.get('nextNonce', { account_index: ACCOUNT, api_key_index: 4 })).nonce;
  const buy = { base: 1_000, price: 404_000 };

  it('takes the next number only, and says which it is', async () => {
    on.venue.script.setNonce(ACCOUNT, 4, 722);
    expect(await nonce()).to.equal(722);
    for (const wrong of [0, 721, 723]) {
      const answer = await on.trader.order(buy, { nonce: wrong });
      expect(answer).to.deep.equal({ code: 21104, message: 'invalid nonce' });
    }
    expect((await on.trader.order(buy, { nonce: 722 })).code).to.equal(200);
    expect(await nonce()).to.equal(723);
    // It counts at once, before the sequencer has executed.
    on.venue.script.holdExecution(true);
    expect((await on.trader.order(buy, { nonce: 723 })).code).to.equal(200);
    expect(await nonce()).to.equal(724);
  });

  it('lets numbers be left out by those who ask for it', async () => {
    expect((await on.trader.order(buy, { nonce: 9, attributes: { 4: 1 } })).code).to.equal(200);
    expect(await nonce()).to.equal(10);
    expect((await on.trader.order(buy, { nonce: 9, attributes: { 4: 1 } })).code).to.equal(21104);
  });

  it('gives one number to one of many senders that race for it', async () => {
    const answers = await Promise.all([0, 0, 0, 0].map((number) => on.trader.order(buy, { nonce: number })));
    expect(answers.map(({ code }) => code).sort()).to.deep.equal([200, 21104, 21104, 21104]);
  });

  it('takes sixteen transactions of one key in a row without waiting', async () => {
    const infos = Array.from({ length: 16 }, () =>
      on.trader.signed('createOrder', on.trader.orderFields({ base: 1_000, price: 404_000 })),
    );
    const sent = infos.map((tx_info) => on.trader.post('sendTx', { tx_type: '14', tx_info }));
    for (const { status } of await Promise.all(sent)) expect(status).to.equal(200);
    await until(
      on.clock,
      'all have filled',
      () => on.venue.script.state(ACCOUNT).positions[0]?.size === '1.6',
    );
  });

  it('refuses a signature of another key, for another network, and an account or key that there is not', async () => {
    const stranger = makeKey('stranger');
    const fields = on.trader.orderFields(buy);
    const send = (tx_info: string) => on.trader.post('sendTx', { tx_type: '14', tx_info });
    const forged = await send(on.trader.signed('createOrder', fields, { nonce: 0 }, stranger));
    expect([forged.status, forged.json.code]).to.deep.equal([400, 21120]);
    const { key } = on.trader;
    const elsewhere = new Trader(on.venue.url, {
      account: ACCOUNT,
      key,
      network: 'testnet',
      clock: on.clock,
    });
    expect((await elsewhere.order(buy)).code).to.equal(21120);
    expect((await new Trader(on.venue.url, { account: 99, key, clock: on.clock }).order(buy)).code).to.equal(
      21100,
    );
    expect(
      (await new Trader(on.venue.url, { account: ACCOUNT, apiKey: 5, key, clock: on.clock }).order(buy)).code,
    ).to.equal(21109);
    on.venue.script.revokeApiKey(ACCOUNT, 4);
    expect((await on.trader.order(buy)).code).to.equal(21109);
    expect(await nonce()).to.equal(0);
  });

  it('refuses what was changed after it was signed, has fields too many or too few, and types that it has not', async () => {
    const signed = JSON.parse(on.trader.signed('createOrder', on.trader.orderFields(buy), { nonce: 0 }));
    const send = async (tx: object, type = '14') =>
      (await on.trader.post('sendTx', { tx_type: type, tx_info: JSON.stringify(tx) })).json.code;
    expect(await send({ ...signed, Price: signed.Price + 1 })).to.equal(21120);
    expect(await send({ ...signed, Colour: 'red' })).to.equal(21501);
    const { Price: _, ...rest } = signed;
    expect(await send(rest)).to.equal(21501);
    expect(await send({ ...signed, BaseAmount: '1000' })).to.equal(21501);
    expect(await send(signed, '99')).to.equal(21505);
    expect(await send(signed)).to.equal(200);
  });

  it('refuses what comes after its ExpiredAt, by its own clock', async () => {
    expect((await on.trader.order(buy, { expiredAt: on.clock.now() - 1 })).code).to.equal(21711);
    on.venue.script.setClockOffset(60_000);
    expect((await on.trader.order(buy, { expiredAt: on.clock.now() + 30_000 })).code).to.equal(21711);
    expect((await on.trader.order(buy, { expiredAt: on.clock.now() + 90_000 })).code).to.equal(200);
  });

  it('answers questions about orders to bearers of a token of the account only', async () => {
    const ask = async (auth?: string) => {
      const given = auth === undefined ? {} : { auth };
      return on.trader.get('accountActiveOrders', { account_index: ACCOUNT, ...given });
    };
    const tokens: readonly (readonly [string | undefined, number])[] = [
      [undefined, 20001],
      ['nonsense', 20013],
      [on.trader.token(nowS(on) - 1), 20013],
      [on.trader.token(nowS(on) + 9 * HOUR_S), 20013],
      [new Trader('', { account: ACCOUNT, key: makeKey('stranger'), clock: on.clock }).token(), 20013],
      [new Trader('', { account: 8, key: on.trader.key, clock: on.clock }).token(), 20013],
      [on.trader.token(nowS(on) + 8 * HOUR_S - 5), 200],
    ];
    for (const [token, code] of tokens) expect((await ask(token)).code, `${token}`).to.equal(code);
    const headers = { authorization: on.trader.token() };
    const url = `${on.venue.url}/api/v1/accountActiveOrders?account_index=${ACCOUNT}`;
    expect((await fetch(url, { headers })).status).to.equal(200);
    on.venue.script.revokeApiKey(ACCOUNT, 4);
    expect((await ask(on.trader.token())).code).to.equal(20013);
  });

  it('makes tokens that read and do nothing else', async () => {
    const expiry = `${nowS(on) + 30 * 86_400}`;
    const form = { name: 'books', account_index: `${ACCOUNT}`, expiry, sub_account_access: 'false' };
    const made = await on.trader.post('tokens/create', { ...form, auth: on.trader.token() });
    // The body of this route has no such field; the header has.
    expect(made.json.code).to.equal(20001);
    const response = await fetch(`${on.venue.url}/api/v1/tokens/create`, {
      method: 'POST',
      headers: { authorization: on.trader.token() },
      body: new URLSearchParams(form),
    });
    const { api_token } = (await response.json()) as Answer;
    expect(api_token).to.match(/^ro:7:single:/);
    const asked = { account_index: ACCOUNT, auth: api_token };
    expect((await on.trader.get('accountActiveOrders', asked)).code).to.equal(200);
    const change = await on.trader.post('changeAccountTier', {
      ...{ account_index: `${ACCOUNT}`, new_tier: 'premium', auth: api_token },
    });
    expect(change.json.code).to.equal(20013);
  });

  it('finds orders by at most twenty of the client’s indexes, and refuses what is none', async () => {
    await on.trader.order({ ...buy, client: 5 });
    await until(on.clock, 'it is known', () => on.trader.lookUp(5));
    const ask = async (indexes: string) => on.trader.own('accountOrders', { client_order_indexes: indexes });
    expect((await ask('5,6')).orders.map((one: Answer) => one.client_order_index)).to.deep.equal([5]);
    expect((await ask(Array.from({ length: 21 }, (_, at) => at + 1).join())).code).to.equal(20001);
    expect((await ask('0')).code).to.equal(20001);
    expect((await ask('five')).code).to.equal(20001);
  });

  it('pages through trades and orders that have ended, newest first', async () => {
    for (let client = 1; client <= 5; client += 1) await on.trader.order({ ...buy, client });
    await until(on.clock, 'all have filled', () => on.venue.script.state(ACCOUNT).trades.length === 5);
    const pages = async (route: string, list: string, asked: object, name: (one: Answer) => number) => {
      const seen: number[][] = [];
      for (let cursor = ''; ; ) {
        const page = await on.trader.own(route, { limit: 2, ...asked, ...(cursor === '' ? {} : { cursor }) });
        seen.push(page[list].map(name));
        if (page.next_cursor === undefined) return seen;
        cursor = page.next_cursor;
      }
    };
    const expected = [[5, 4], [3, 2], [1]];
    const bySide = (one: Answer) => one.bid_client_id;
    expect(await pages('trades', 'trades', { sort_by: 'trade_id' }, bySide)).to.deep.equal(expected);
    const byClient = (one: Answer) => one.client_order_index;
    expect(await pages('accountInactiveOrders', 'orders', {}, byClient)).to.deep.equal(expected);
    expect((await on.trader.own('trades', { sort_by: 'trade_id', limit: 2, cursor: 'x' })).code).to.equal(
      20001,
    );
    expect((await on.trader.own('trades', { sort_by: 'trade_id', limit: 101 })).code).to.equal(20001);
  });
});

describe('emulated Lighter: margin and what the venue does by itself', () => {
  let on: Funded;

  beforeEach(async () => {
    on = await startFunded();
  });
  afterEach(() => on.close());

  const state = () => on.venue.script.state(ACCOUNT);
  const account = async () => (await on.trader.get('account', { by: 'index', value: ACCOUNT })).accounts[0];
  const act = async (...given: Parameters<Trader['send']>): Promise<number> => {
    const { code, tx_hash } = await on.trader.send(...given);
    if (code !== 200) return code;
    const tx = await until(on.clock, 'it is executed', async () => {
      const found = await on.trader.get('tx', { by: 'hash', value: tx_hash });
      return found.status === 1 ? null : found;
    });
    return tx.status === 2 ? 200 : JSON.parse(JSON.parse(tx.event_info).ae).code;
  };
  const leverage = (fraction: number, mode = 0, market = 0) =>
    act('updateLeverage', { MarketIndex: market, InitialMarginFraction: fraction, MarginMode: mode });
  const hold = (size: string, price = '4000') =>
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', size, price);

  it('reckons value, margin and the price of liquidation', async () => {
    hold('2');
    on.venue.script.setMark('ETH', '4100');
    const told = await account();
    expect(told).to.deep.include({
      ...{ collateral: '10000.000000', total_asset_value: '10200.000000', cross_asset_value: '10200.000000' },
      ...{
        cross_initial_margin_requirement: '410.000000',
        cross_maintenance_margin_requirement: '98.400000',
      },
      available_balance: '9790.000000',
    });
    expect(told.positions[0]).to.deep.include({
      ...{
        symbol: 'ETH',
        sign: 1,
        position: '2.0000',
        avg_entry_price: '4000.0000',
        unrealized_pnl: '200.000000',
      },
      ...{ initial_margin_fraction: '5.00', margin_mode: 0, position_value: '8200.000000' },
    });
    on.venue.script.setMark('ETH', '100');
    expect(state().value).to.equal('2200');
  });

  it('books gains and losses, and premium’s fees', async () => {
    on.venue.script.setTier(ACCOUNT, 'premium');
    on.venue.script.setBook('ETH', [['4000', '10']], [['4000', '10']]);
    await on.trader.order({ base: 10_000, price: 404_000, client: 1 });
    await until(on.clock, 'it is held', () => state().positions.length === 1);
    expect(state().collateral).to.equal('9998.88');
    on.venue.script.setBook('ETH', [['4100', '10']], []);
    await on.trader.order({ base: 10_000, price: 400_000, isAsk: true, reduceOnly: true, client: 2 });
    await until(on.clock, 'it is closed', () => state().positions.length === 0);
    expect(state().collateral).to.equal('10097.732');
    const [close, open] = (await on.trader.own('trades', { sort_by: 'trade_id', limit: 5 })).trades;
    expect(open).to.deep.include({ taker_fee: 280, bid_account_pnl: '0.000000' });
    expect(open).not.to.have.property('maker_fee');
    expect(close).to.deep.include({ ask_account_pnl: '100.000000', taker_position_size_before: '1.0000' });
    expect((await account()).positions[0]).to.deep.include({
      position: '0.0000',
      realized_pnl: '100.000000',
    });
    const activeOnly = await on.trader.get('account', { by: 'index', value: ACCOUNT, active_only: 'true' });
    expect(activeOnly.accounts[0].positions).to.have.length(0);
  });

  it('sets leverage within the market’s bounds and the account’s money', async () => {
    expect(await leverage(200)).to.equal(200);
    expect(await leverage(199)).to.equal(21604);
    expect(await leverage(10_001)).to.equal(21604);
    expect(await leverage(500, 0, 200)).to.equal(21602);
    expect(await leverage(3_300, 0, 50)).to.equal(21613);
    hold('20');
    expect(state().positions[0]?.fraction).to.equal(200);
    expect(await leverage(1_000)).to.equal(200);
    expect(await leverage(5_000)).to.equal(21508);
    expect(await leverage(1_000, 1)).to.equal(21613);
    expect(state().positions[0]).to.deep.include({ fraction: 1000, isCross: true });
  });

  it('keeps an isolated position’s money apart, and moves it in and out', async () => {
    expect(await leverage(1_000, 1)).to.equal(200);
    hold('1');
    expect(state()).to.deep.include({ collateral: '9600' });
    expect(state().positions[0]).to.deep.include({ isCross: false, allocated: '400' });
    const move = (USDCAmount: number, Direction: number) =>
      act('updateMargin', { MarketIndex: 0, USDCAmount, Direction });
    expect(await move(100_000_000, 1)).to.equal(200);
    expect(state().positions[0]?.allocated).to.equal('500');
    expect(await move(100_000_001, 0)).to.equal(21508);
    expect(await move(100_000_000, 0)).to.equal(200);
    expect(await move(9_600_000_001, 1)).to.equal(21508);
    expect(await act('updateMargin', { MarketIndex: 1, USDCAmount: 1, Direction: 1 })).to.equal(21614);
    expect((await account()).positions[0]).to.deep.include({
      margin_mode: 1,
      allocated_margin: '400.000000',
    });
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'sell', '0.5', '4000');
    expect(state()).to.deep.include({ collateral: '9800' });
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'sell', '0.5', '4000');
    expect(state()).to.deep.include({ collateral: '10000' });
  });

  it('charges longs and pays shorts, and keeps the history', async () => {
    hold('1');
    on.venue.script.tradeElsewhere(ACCOUNT, 'BTC', 'sell', '0.1', '100000');
    on.venue.script.setFundingRate('ETH', '0.0001');
    on.venue.script.setFundingRate('BTC', '0.00002');
    on.venue.script.settleFunding();
    expect(state().funding).to.equal('-0.2');
    const { position_fundings } = await on.trader.own('positionFunding', { limit: 10 });
    expect(
      position_fundings.map((one: Answer) => [one.market_id, one.change, one.rate, one.position_side]),
    ).to.deep.equal([
      [1, '0.200000', '0.0020', 'short'],
      [0, '-0.400000', '0.0100', 'long'],
    ]);
    const asked = {
      market_id: 0,
      resolution: '1h',
      start_timestamp: nowS(on) - 60,
      end_timestamp: nowS(on) + 60,
      count_back: 5,
    };
    expect((await on.trader.get('fundings', asked)).fundings).to.deep.include.members([
      { timestamp: position_fundings[0].timestamp, value: '0.40000000', rate: '0.0100', direction: 'long' },
    ]);
  });

  it('liquidates, deleverages and settles, each by its own type of trade and without a fee', async () => {
    hold('3');
    await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1, client: 1 });
    await until(on.clock, 'it rests', () => state().open.length === 1);
    on.venue.script.liquidate(ACCOUNT, 'ETH', '3000', '1');
    on.venue.script.deleverage(ACCOUNT, 'ETH', '3500', '1');
    on.venue.script.settlePosition(ACCOUNT, 'ETH', '4000');
    const { trades } = await on.trader.own('trades', { sort_by: 'trade_id', limit: 10 });
    expect(trades.map((one: Answer) => one.type)).to.deep.equal([
      ...['market-settlement', 'deleverage', 'liquidation', 'trade'],
    ]);
    expect(state().collateral).to.equal('8500');
    expect(state().orders[0]?.status).to.equal('canceled-liquidation');
    const only = await on.trader.own('trades', { sort_by: 'trade_id', limit: 10, type: 'deleverage' });
    expect(only.trades).to.have.length(1);
  });

  it('settles all positions of a market that ends, and lists it as inactive', async () => {
    hold('1');
    on.venue.script.delist('ETH');
    expect(state().positions).to.have.length(0);
    const { order_books } = await on.trader.get('orderBooks', { market_id: 0 });
    expect(order_books[0].status).to.equal('inactive');
    expect((await on.trader.order({ base: 1_000, price: 404_000 })).code).to.equal(21605);
  });

  it('changes the trading mode', async () => {
    expect(await act('updateAccountConfig', { AccountTradingMode: 1 })).to.equal(200);
    expect((await account()).account_trading_mode).to.equal(1);
    expect(SHAPES.updateAccountConfig.type).to.equal(41);
  });
});
