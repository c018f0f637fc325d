/** The emulated venue's answers have the fields of the recorded ones, of the same kinds, and all that the venue's own
 * OpenAPI calls required. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { Listener } from '../../../../support/venues/lighter/trader.ts';
import { expectSameShape as expectShape } from '../../../../support/venues/shared/recordings.ts';
import type { Answer } from '../../../../support/venues/shared/socket-listener.ts';

const FOLDER = resolve(import.meta.dirname, '../../../../data/live/lighter');
const read = (file: string): Answer => JSON.parse(readFileSync(resolve(FOLDER, file), 'utf8'));
const recorded = (name: string): Answer => read(`payloads/${name}.json`);
const api = read('openapi-subset.json');

/** Fees of 0 are left out of a trade. */
const OPTIONAL = new Set(['taker_fee', 'maker_fee', 'next_cursor']);
/** Maps by market or asset. */
const MAPS = new Set(['market_stats', 'orders', 'trades', 'positions', 'assets']);

const expectSameShape = (ours: Answer, theirs: Answer, where: string) =>
  expectShape(ours, theirs, where, OPTIONAL);

/** A map's one entry, under any key. */
function unkeyed(message: Answer): Answer {
  const fields = Object.entries(message as object).map(([name, value]) => {
    const isMap =
      MAPS.has(name) && !Array.isArray(value) && Object.keys(value).every((key) => /^\d+$/.test(key));
    return [name, isMap ? { entry: Object.values(value)[0] } : value];
  });
  return Object.fromEntries(fields);
}

/** Has what the definition requires, of the kinds that it says, all the way down. */
function expectConforms(ours: Answer, name: string, where = name): void {
  const { required = [], properties = {} } = api.definitions[name];
  for (const field of required) {
    // Only pools have it, whatever the venue's definition says; no recorded answer has it.
    if (field !== 'pool_info') expect(ours, where).to.have.property(field);
  }
  for (const [field, value] of Object.entries(ours as object)) {
    const kind = properties[field];
    expect(kind, `${where}.${field} is unknown`).not.to.equal(undefined);
    const list = kind.type === 'array' ? value : [value];
    const item = kind.type === 'array' ? kind.items : kind;
    if (value === null) continue;
    for (const one of list) {
      if (item.$ref !== undefined) expectConforms(one, item.$ref.split('/').at(-1), `${where}.${field}`);
      else expect(typeof one, `${where}.${field}`).to.equal(item.type === 'integer' ? 'number' : item.type);
      if (item.enum !== undefined) expect(item.enum, `${where}.${field}`).to.include(one);
    }
  }
}

describe('emulated Lighter beside recorded answers', () => {
  let on: Funded;
  let listener: Listener;

  before(async () => {
    on = await startFunded();
    on.venue.script.setTier(ACCOUNT, 'premium');
    on.venue.script.approveIntegrator(ACCOUNT, 5);
    listener = await Listener.open(on.venue.wsUrl);
    const token = on.trader.token();
    for (const channel of ['market_stats/all', 'order_book/0', 'ticker/0']) {
      await listener.subscribe(channel);
    }
    for (const name of ['account_all_positions', 'account_all_trades', 'user_stats']) {
      await listener.subscribe(`${name}/${ACCOUNT}`);
    }
    await listener.subscribe(`account_all_orders/${ACCOUNT}`, token);
    on.venue.script.setMark('ETH', '4000.5');
    await on.trader.order({ base: 10_000, price: 404_000, client: 1 });
    await on.trader.order({ base: 10_000, price: 300_000, timeInForce: 1, client: 2 });
    await until(
      on.clock,
      'one is filled and one rests',
      () => on.venue.script.state(ACCOUNT).open.length === 1,
    );
    on.venue.script.settleFunding();
    await until(on.clock, 'the order is heard', () => listener.of('update/account_all_orders').length > 0);
  });
  after(async () => {
    listener.close();
    await on.close();
  });

  const asked: readonly (readonly [string, string, object])[] = [
    ['account', 'http_account', { by: 'index', value: ACCOUNT }],
    ['nextNonce', 'http_next_nonce', { account_index: ACCOUNT, api_key_index: 4 }],
    ['orderBookDetails', 'http_order_book_details', { market_id: 0 }],
  ];
  for (const [route, name, query] of asked) {
    it(`answers ${route} like ${name}`, async () => {
      expectSameShape(await on.trader.get(route, query as never), recorded(name), name);
    });
  }

  it('answers orders like http_orders', async () => {
    const ours = await on.trader.own('accountActiveOrders');
    expectSameShape(ours, recorded('http_orders'), 'http_orders');
    expect(Object.keys(ours.orders[0])).to.include.members(Object.keys(recorded('http_orders').orders[0]));
  });

  const told: readonly (readonly [string, string])[] = [
    ['subscribed/order_book', 'ws_order_book_subscribed'],
    ['update/order_book', 'ws_order_book_update'],
    ['subscribed/ticker', 'ws_ticker_subscribed'],
    ['subscribed/market_stats', 'ws_market_stats_update_all'],
    ['update/market_stats', 'ws_market_stats_update_all'],
    ['update/account_all_positions', 'ws_account_all_positions_update'],
    ['update/account_all_trades', 'ws_account_all_trades_update'],
    ['subscribed/user_stats', 'ws_user_stats_update'],
  ];
  for (const [type, name] of told) {
    it(`says ${type} like ${name}`, async () => {
      const [ours] = listener.of(type);
      expectSameShape(unkeyed(ours), unkeyed(recorded(name)), name);
      expect(ours.channel).to.match(/^[a-z_]+(:(\d+|all))*$/);
    });
  }

  it('says the rest of what was recorded: one market’s prices, the height, a ticker’s change and an empty book', async () => {
    const other = await Listener.open(on.venue.wsUrl);
    on.venue.script.setBook('ADA', [], []);
    const firsts: readonly (readonly [string, string])[] = [
      ['market_stats/1', 'ws_market_stats_subscribed_single'],
      ['order_book/39', 'ws_order_book_subscribed_empty'],
      ['ticker/39', 'ws_ticker_subscribed_empty'],
    ];
    for (const [channel, name] of firsts)
      expectSameShape(await other.subscribe(channel), recorded(name), name);
    expect(other.of('subscribed/ticker')[0].ticker.a).to.deep.equal({ price: '', size: '' });
    const { timestamp, height } = await other.subscribe('height');
    expectSameShape(
      { timestamp, height, channel: 'height', type: '' },
      recorded('ws_height_update'),
      'height',
    );
    await other.subscribe('ticker/0');
    on.venue.script.setMark('ETH', '4001');
    await until(on.clock, 'it changes', () => other.of('update/ticker').length > 0);
    expectSameShape(other.of('update/ticker')[0], recorded('ws_ticker_update'), 'ws_ticker_update');
    other.close();
  });

  const own = { account_index: ACCOUNT };
  const routes: readonly (readonly [string, string, object])[] = [
    ['account', 'DetailedAccounts', { by: 'index', value: ACCOUNT }],
    ['accountActiveOrders', 'Orders', own],
    ['accountLimits', 'AccountLimits', own],
    ['accountOrders', 'Orders', { ...own, client_order_indexes: '1,2' }],
    ['accountsByL1Address', 'SubAccounts', { l1_address: `0x${'19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'}` }],
    ['apikeys', 'AccountApiKeys', own],
    ['deposit/latest', 'Deposit', { l1_address: `0x${'19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'}` }],
    ['deposit/networks', 'BridgeSupportedNetworks', {}],
    ['fastwithdraw/info', 'RespGetFastwithdrawalInfo', own],
    ['nextNonce', 'NextNonce', { ...own, api_key_index: 4 }],
    ['orderBookDetails', 'OrderBookDetails', {}],
    ['positionFunding', 'PositionFundings', { ...own, limit: 5 }],
    ['trades', 'Trades', { ...own, sort_by: 'timestamp', limit: 5 }],
    ['transferFeeInfo', 'TransferFeeInfo', own],
  ];
  for (const [route, definition, query] of routes) {
    it(`answers ${route} as the venue’s OpenAPI says`, async () => {
      const isOwn = 'account_index' in query;
      const auth = isOwn && route !== 'apikeys' && route !== 'nextNonce' ? { auth: on.trader.token() } : {};
      const ours = await on.trader.get(route, { ...(query as Record<string, string>), ...auth });
      expect(ours.code, JSON.stringify(ours).slice(0, 200)).to.equal(200);
      expectConforms(ours, definition);
    });
  }
});
