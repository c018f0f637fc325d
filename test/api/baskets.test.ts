/** Market discovery: the baskets of a connector and how often they were opened. */
import { expect } from 'chai';
import { deriveBasketKey } from '../../gateway/contract/basket-key.ts';
import { countBasketPositions, listMarketBaskets } from '../../gateway/contract/baskets.ts';
import { businessError } from '../../gateway/contract/errors.ts';
import { dec } from '../../gateway/domain/decimal.ts';
import { faultScript } from '../support/fault-script.ts';
import { gatewayForSuite, type TestAnswer } from '../support/gateway.ts';
import { PAIR, traderForSuite, traderOn, usd } from '../support/trader.ts';

const BTC_ETH = deriveBasketKey(['BTC-PERP'], ['ETH-PERP']);
const ETH_BTC = deriveBasketKey(['ETH-PERP'], ['BTC-PERP']);
const NEVER = '0'.repeat(64);

describe('market baskets', () => {
  const gateway = gatewayForSuite({ hasCross: true });
  const ada = traderForSuite(gateway);
  const bob = traderForSuite(gateway, { email: 'bob@example.test', connector: 'paper' });

  const list = async (query = '') => {
    const answer = await gateway.request('GET', `/markets/baskets?connector=paper${query}`);
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
    return listMarketBaskets.success[200].parse(answer.json);
  };
  const ask = (body: unknown) => gateway.request('POST', '/markets/baskets/positions', { body });
  const counts = async (basketKeys: string[], connector?: string[]) => {
    const answer = await ask({ basketKeys, ...(connector === undefined ? {} : { connector }) });
    expect(answer.status, answer.text).to.equal(200);
    return countBasketPositions.success[200].parse(answer.json).counts;
  };
  const expectInvalid = (answer: TestAnswer, path: string) => {
    expect(answer.status, answer.text).to.equal(400);
    const body = businessError.parse(answer.json);
    expect(body).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
    const details = Array.isArray(body.details) ? body.details : [];
    expect(details.map((detail) => detail.path)).to.include(path);
  };

  it('generates every ordered pair of the tradable instruments, by descending volume', async () => {
    const { json } = await gateway.request('GET', '/instruments/lite?connector=paper&scope=tradable');
    const tradable: number = json.instruments.length;
    const { count, limit, offset, markets } = await list();
    expect({ count, limit, offset }).to.deep.equal({
      count: tradable * (tradable - 1),
      limit: 50,
      offset: 0,
    });
    expect(markets).to.have.length(50);
    for (const [index, row] of markets.entries()) {
      const [long, short] = row.legs;
      expect(row.basketKey).to.equal(deriveBasketKey([long?.id ?? ''], [short?.id ?? '']));
      expect(row.tradeability).to.deep.equal({ status: 'tradable', reason: null });
      expect(row.hasMaterializedStats).to.equal(false);
      const before = markets[index - 1];
      if (before !== undefined) expect(dec(before.volume24h ?? '0').gte(row.volume24h ?? '0')).to.equal(true);
      // weightRatio of a pair is the square root of its price ratio.
      const square = dec(row.weightRatio ?? '0')
        .pow(2)
        .div(row.price ?? '1');
      expect(square.minus(1).abs().lt('1e-10')).to.equal(true);
    }
    const last = await list(`&offset=${count - 1}`);
    expect(last.markets).to.have.length(1);
  });

  it('puts a basket first that was opened, and counts the open', async () => {
    expect(await counts([BTC_ETH])).to.deep.equal([{ basketKey: BTC_ETH, opened: 0, traders: 0 }]);
    const { count } = await list('&limit=1');
    await ada.open(PAIR);
    const { markets, count: after } = await list('&limit=3');
    expect(markets[0]).to.include({
      basketKey: BTC_ETH,
      displaySymbol: 'BTC/ETH',
      hasMaterializedStats: true,
    });
    expect(markets.slice(1).every((row) => row.basketKey !== BTC_ETH)).to.equal(true);
    expect(after).to.equal(count);
    expect(await counts([BTC_ETH])).to.deep.equal([{ basketKey: BTC_ETH, opened: 1, traders: 1 }]);
  });

  it('counts new positions only: not what is added to one, and never less after a close', async () => {
    const { positionId } = await ada.open(PAIR);
    expect(await counts([BTC_ETH])).to.deep.equal([{ basketKey: BTC_ETH, opened: 1, traders: 1 }]);
    expect((await ada.execute(`/positions/${positionId}/close`, { type: 'MARKET' })).status).to.equal(
      'COMPLETED',
    );
    expect(await counts([BTC_ETH])).to.deep.equal([{ basketKey: BTC_ETH, opened: 1, traders: 1 }]);
    await ada.open(PAIR);
    expect(await counts([BTC_ETH])).to.deep.equal([{ basketKey: BTC_ETH, opened: 2, traders: 1 }]);
  });

  it('does not count an open that did not complete', async () => {
    gateway.gateway
      .paperVenue('paper')
      .setFaults(
        faultScript().at({ batch: 1, leg: 1 }, { kind: 'reject', reason: 'other', message: 'No' }).done(),
      );
    const ended = await ada.open([usd('SOL', 'BUY', '500'), usd('DOGE', 'SELL', '500')]);
    expect(ended.status).to.equal('FAILED');
    expect(ended.positionId).to.not.equal(null);
    const key = deriveBasketKey(['SOL-PERP'], ['DOGE-PERP']);
    expect(await counts([key])).to.deep.equal([{ basketKey: key, opened: 0, traders: 0 }]);
    const refused = await ada.open([usd('SOL', 'BUY', '1'), usd('AVAX', 'SELL', '1')]);
    expect(refused.status).to.equal('FAILED');
    const small = deriveBasketKey(['SOL-PERP'], ['AVAX-PERP']);
    expect(await counts([small])).to.deep.equal([{ basketKey: small, opened: 0, traders: 0 }]);
  });

  it('counts a trader once per venue when venues are summed', async () => {
    await bob.open(PAIR);
    const account = await ada.call('POST', '/trade-accounts', { alias: 'Cross', connector: 'paper-cross' });
    const cross = traderOn(gateway, { ...ada, accountId: account.json.id });
    await cross.open(PAIR);
    const row = (opened: number, traders: number) => [{ basketKey: BTC_ETH, opened, traders }];
    expect(await counts([BTC_ETH])).to.deep.equal(row(4, 3));
    expect(await counts([BTC_ETH], ['paper'])).to.deep.equal(row(3, 2));
    expect(await counts([BTC_ETH], ['paper-cross'])).to.deep.equal(row(1, 1));
    expect(await counts([BTC_ETH], ['paper', 'paper-cross', 'paper'])).to.deep.equal(row(4, 3));
    expect((await list('&limit=1')).markets[0]?.basketKey).to.equal(BTC_ETH);
  });

  it('answers one row per key in the order asked, 500 of them, the same key twice too', async () => {
    const keys = [NEVER, BTC_ETH, ETH_BTC, BTC_ETH];
    const rows = await counts(keys);
    expect(rows.map(({ basketKey }) => basketKey)).to.deep.equal(keys);
    expect(rows.map(({ opened }) => opened)).to.deep.equal([0, 4, 0, 4]);
    const many = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(64, '0'));
    expect((await counts(many)).map(({ basketKey }) => basketKey)).to.deep.equal(many);
  });

  it('keeps counts and baskets over a restart', async () => {
    const before = await counts([BTC_ETH]);
    const first = (await list('&limit=1')).markets[0];
    await gateway.restart();
    expect(await counts([BTC_ETH])).to.deep.equal(before);
    expect((await list('&limit=1')).markets[0]).to.include({
      basketKey: first?.basketKey,
      hasMaterializedStats: true,
    });
  });

  describe('bad input', () => {
    it('0 and 501 keys', async () => {
      expectInvalid(await ask({ basketKeys: [] }), 'basketKeys');
      expectInvalid(await ask({ basketKeys: Array.from({ length: 501 }, () => BTC_ETH) }), 'basketKeys');
      expectInvalid(await ask({}), 'basketKeys');
    });
    for (const [name, key] of [
      ['an uppercase key', BTC_ETH.toUpperCase()],
      ['a short key', BTC_ETH.slice(1)],
      ['a long key', `${BTC_ETH}0`],
      ['a key that is not hex', `g${BTC_ETH.slice(1)}`],
      ['a key with a newline', `${BTC_ETH}\n`],
      ['a number', 7],
    ] as const) {
      it(name, async () => {
        expectInvalid(await ask({ basketKeys: [NEVER, key] }), 'basketKeys.1');
      });
    }
    it('an empty connector array, one that is not an array, an unknown connector', async () => {
      expectInvalid(await ask({ basketKeys: [NEVER], connector: [] }), 'connector');
      expectInvalid(await ask({ basketKeys: [NEVER], connector: 'paper' }), 'connector');
      expectInvalid(await ask({ basketKeys: [NEVER], connector: ['paper', 'nowhere'] }), 'connector.1');
    });
    it('an unknown field', async () => {
      expectInvalid(await ask({ basketKeys: [NEVER], connectors: ['paper'] }), 'connectors');
    });
    for (const [query, path] of [
      ['', 'connector'],
      ['?connector=nowhere', 'connector'],
      ['?connector=paper&scope=open', 'scope'],
      [`?connector=paper&search=${'x'.repeat(65)}`, 'search'],
      ['?connector=paper&limit=0', 'limit'],
      ['?connector=paper&limit=501', 'limit'],
      ['?connector=paper&limit=ten', 'limit'],
      ['?connector=paper&offset=-1', 'offset'],
      ['?connector=paper&offset=1e3', 'offset'],
      ['?connector=paper&offset=99999999999999999999', 'offset'],
    ] as const) {
      for (const route of ['/markets', '/markets/baskets']) {
        it(`GET ${route}${query.slice(0, 40)}`, async () => {
          expectInvalid(await gateway.request('GET', `${route}${query}`), path);
        });
      }
    }
    it('a huge offset is an empty page', async () => {
      expect((await list('&offset=999999999')).markets).to.deep.equal([]);
    });
    it('a search of 64 characters, of emoji, of pattern characters matches nothing and breaks nothing', async () => {
      for (const search of ['x'.repeat(64), '🦊', '.*', '%', "';--", '\\', 'İ'])
        expect((await list(`&search=${encodeURIComponent(search)}`)).count, search).to.equal(0);
    });
  });
});
