import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { type Answer, makeKey } from '../../../../support/venues/lighter/trader.ts';

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

  it('closes a position that is smaller than the smallest order, and opens none', async () => {
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '0.001', '4000');
    expect((await on.trader.order({ base: 10, price: 396_000, isAsk: true })).code).to.equal(21706);
    const close = { base: 10, price: 396_000, isAsk: true, reduceOnly: true, client: 9 };
    expect((await on.trader.order(close)).code).to.equal(200);
    expect((await ended(9)).status).to.equal('filled');
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
});
