/** Saved baskets of a trade account: every rule, and what each fault is answered with. */
import { expect } from 'chai';
import { deriveBasketKey } from '../../gateway/contract/basket-key.ts';
import { businessError } from '../../gateway/contract/errors.ts';
import { savedBasket } from '../../gateway/contract/saved-baskets.ts';
import { gatewayForSuite, type TestAnswer } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { traderForSuite, traderOn } from '../support/trader.ts';

const leg = (ticker: string, side: 'BUY' | 'SELL', weight: unknown) => ({
  symbol: `${ticker}-PERP`,
  side,
  weight,
});
const PAIR_LEGS = [leg('BTC', 'BUY', 0.5), leg('ETH', 'SELL', 0.5)];
const NOBODY = '018f0000-0000-7000-8000-000000000000';

describe('saved baskets', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  afterEach(async () => {
    for (const { id } of await list()) expect((await remove(id)).status).to.equal(204);
  });

  const list = async (who = bot): Promise<Json[]> => {
    const answer = await who.expect('GET', '/saved-baskets');
    return answer.savedBaskets.map((row: unknown) => savedBasket.parse(row));
  };
  const create = (name: unknown, legs: unknown = PAIR_LEGS, who = bot) =>
    who.call('POST', '/saved-baskets', { name, legs });
  const change = (id: string, body: unknown, who = bot) => who.call('PATCH', `/saved-baskets/${id}`, body);
  const remove = (id: string, who = bot) => who.call('DELETE', `/saved-baskets/${id}`);

  async function created(name: string, legs: unknown = PAIR_LEGS, who = bot): Promise<Json> {
    const answer = await create(name, legs, who);
    expect(answer.status, answer.text).to.equal(201);
    return savedBasket.parse(answer.json);
  }

  function expectInvalid(answer: TestAnswer, path: string, message?: string): void {
    expect(answer.status, answer.text).to.equal(400);
    const body = businessError.parse(answer.json);
    expect(body).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
    const details = Array.isArray(body.details) ? body.details : [];
    const detail = details.find((entry) => entry.path === path);
    expect(detail, `${path} in ${answer.text}`).to.not.equal(undefined);
    if (message !== undefined) expect(detail?.message).to.include(message);
  }

  it('are made, listed, renamed, given other legs, and deleted', async () => {
    const made = await created('  Majors  ');
    expect(made).to.deep.include({ name: 'Majors', legs: PAIR_LEGS });
    expect(await list()).to.deep.equal([made]);
    const legs = [leg('SOL', 'BUY', 1)];
    const changed = await change(made.id, { legs });
    expect(changed.status).to.equal(200);
    expect(savedBasket.parse(changed.json)).to.deep.include({ id: made.id, name: 'Majors', legs });
    const renamed = await change(made.id.toUpperCase(), { name: 'Minors' });
    expect(renamed.json).to.deep.include({ id: made.id, name: 'Minors', legs, createdAt: made.createdAt });
    expect(await list()).to.deep.equal([renamed.json]);
    expect((await remove(made.id)).status).to.equal(204);
    expect(await list()).to.deep.equal([]);
    expect((await remove(made.id)).status).to.equal(404);
  });

  it('are listed most recently updated first', async () => {
    const names = async () => (await list()).map(({ name }) => name);
    const a = await created('A');
    await gateway.clock.advance(2);
    await created('B');
    await gateway.clock.advance(2);
    await created('C');
    await gateway.clock.advance(2);
    expect(await names()).to.deep.equal(['C', 'B', 'A']);
    await change(a.id, { name: 'A' });
    expect(await names()).to.deep.equal(['A', 'C', 'B']);
  });

  it('belong to one trade account: others neither see, change nor delete them', async () => {
    const made = await created('Mine');
    const account = await bot.call('POST', '/trade-accounts', { alias: 'Second', connector: 'paper' });
    const second = traderOn(gateway, { ...bot, accountId: account.json.id });
    expect(await list(second)).to.deep.equal([]);
    for (const answer of [await change(made.id, { name: 'Yours' }, second), await remove(made.id, second)]) {
      expect(answer.status).to.equal(404);
      expect(answer.json).to.include({ errorCode: 'RESOURCE_NOT_FOUND', message: 'Saved basket not found' });
    }
    // The same name is free there, and goes with the account.
    await created('Mine', PAIR_LEGS, second);
    await bot.expect('DELETE', `/trade-accounts/${account.json.id}`, undefined, 204);
    expect(await list()).to.have.length(1);
  });

  it('show their basket among the materialized ones', async () => {
    await created('Odd', [leg('APT', 'BUY', 0.25), leg('INJ', 'BUY', 0.25), leg('SEI', 'SELL', 0.5)]);
    const key = deriveBasketKey(['APT-PERP', 'INJ-PERP'], ['SEI-PERP']);
    const { json } = await gateway.request('GET', '/markets/baskets?connector=paper&search=APT&limit=5');
    const row = json.markets.find((market: Json) => market.basketKey === key);
    expect(row).to.include({ displaySymbol: 'APT+INJ/SEI', hasMaterializedStats: true });
    const counted = await gateway.request('POST', '/markets/baskets/positions', {
      body: { basketKeys: [key] },
    });
    expect(counted.json.counts).to.deep.equal([{ basketKey: key, opened: 0, traders: 0 }]);
  });

  describe('names', () => {
    it('have 1 to 48 characters after trimming', async () => {
      await created('x');
      await created(`  ${'y'.repeat(48)}\t`);
      expectInvalid(await create('z'.repeat(49)), 'name', '1 to 48');
      expectInvalid(await create(''), 'name', '1 to 48');
      expectInvalid(await create('   \u3000\u00a0'), 'name', '1 to 48');
      expectInvalid(await create(7), 'name');
      expectInvalid(await bot.call('POST', '/saved-baskets', { legs: PAIR_LEGS }), 'name');
    });

    it('count characters, not bytes: 48 emoji, 48 composed letters', async () => {
      await created('🦊'.repeat(48));
      expectInvalid(await create('🦊'.repeat(49)), 'name', '1 to 48');
      const made = await created('e\u0301'.repeat(48));
      expect(made.name).to.equal('é'.repeat(48));
    });

    it('must be visible and printable', async () => {
      expectInvalid(await create('\u200b\u200d'), 'name', 'visible');
      expectInvalid(await create('a\u0000b'), 'name', 'control');
      expectInvalid(await create('a\nb'), 'name', 'control');
      expectInvalid(await create('\ud800'), 'name', 'control');
      expect((await created('👩‍👩‍👧')).name).to.equal('👩‍👩‍👧');
    });

    it('are unique in any case and spelling', async () => {
      const made = await created('Café Straße');
      for (const name of ['café straße', ' CAFÉ STRASSE ', 'Cafe\u0301 Straße'])
        expectInvalid(await create(name), 'name', 'already');
      const other = await created('Other');
      expectInvalid(await change(other.id, { name: 'CAFÉ STRASSE' }), 'name', 'already');
      // Its own name in another case is not taken by another.
      expect((await change(made.id, { name: 'CAFÉ STRASSE' })).status).to.equal(200);
      await remove(made.id);
      await created('café straße');
    });

    it('of twenty that race for one name, one wins', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create('Race')));
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 400)).to.have.length(19);
      expect(await list()).to.have.length(1);
    });
  });

  describe('legs', () => {
    it('are 1 to 20, no symbol twice, each an instrument of the connector', async () => {
      expectInvalid(await create('x', []), 'legs', 'at least one');
      expectInvalid(
        await create('x', [leg('BTC', 'BUY', 0.5), leg('BTC', 'SELL', 0.5)]),
        'legs.1.symbol',
        'only once',
      );
      expectInvalid(await create('x', [leg('BTC', 'BUY', 0.5), leg('NOPE', 'SELL', 0.5)]), 'legs.1.symbol');
      const { json } = await gateway.request('GET', '/instruments/lite?connector=paper');
      const tickers: string[] = json.instruments.map(({ symbol }: Json) => symbol);
      const of = (count: number, weight: number) =>
        tickers.slice(0, count).map((ticker) => leg(ticker, 'BUY', weight));
      await created('Twenty', of(20, 0.05));
      expectInvalid(await create('x', of(21, 0.04)), 'legs', 'at most 20');
    });

    for (const weight of [0, -0.5, 1.0000000000000002, 2, '0.5', null, true]) {
      it(`a weight of ${JSON.stringify(weight)}`, async () => {
        expectInvalid(
          await create('x', [leg('BTC', 'BUY', weight), leg('ETH', 'SELL', 0.5)]),
          'legs.0.weight',
        );
      });
    }

    it('weigh exactly 1 over the whole basket, in decimals as they are written', async () => {
      await created('Decimal', [leg('BTC', 'BUY', 0.1), leg('ETH', 'BUY', 0.2), leg('SOL', 'SELL', 0.7)]);
      await created('Thin', [leg('BTC', 'BUY', 0.999999999999999), leg('ETH', 'SELL', 1e-15)]);
      await created('Alone', [leg('BTC', 'SELL', 1)]);
      const third = 0.3333333333333333;
      for (const weights of [
        [0.9999999999999999],
        [third, third, third],
        [0.5, 0.5, 1e-300],
        [0.6, 0.6],
        [0.5, 0.4],
        [1, 1],
      ]) {
        const answer = await create(
          'x',
          weights.map((weight, index) => leg(['BTC', 'ETH', 'SOL'][index] ?? '', 'BUY', weight)),
        );
        expect(answer.status, weights.join()).to.equal(400);
        expect(businessError.parse(answer.json)).to.include({
          message: 'The sum of weights must be exactly 1',
          errorCode: 'VALIDATION_ERROR',
        });
      }
      const made = await created('Changed');
      const refused = await change(made.id, { legs: [leg('BTC', 'BUY', 0.9)] });
      expect(refused.json.message).to.equal('The sum of weights must be exactly 1');
      expect((await list()).find(({ id }) => id === made.id)).to.deep.equal(made);
    });
  });

  it('PATCH needs name or legs, and takes nothing else', async () => {
    const made = await created('Whole');
    expectInvalid(await change(made.id, {}), '', 'name or legs');
    expectInvalid(await change(made.id, { name: 'x', weight: 1 }), 'weight');
    expectInvalid(await change(made.id, { legs: null }), 'legs');
    expectInvalid(await change('x'.repeat(65), { name: 'x' }), 'id');
    expect((await change(NOBODY, { name: 'x' })).status).to.equal(404);
    expect(await list()).to.deep.equal([made]);
  });

  it('a change and a deletion at the same time never bring a basket back', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = await created(`Round ${round}`);
      const [changed, removed] = await Promise.all([change(made.id, { name: 'New' }), remove(made.id)]);
      expect(removed.status).to.equal(204);
      expect(changed.status).to.be.oneOf([200, 404]);
      expect(await list()).to.deep.equal([]);
    }
  });
});
