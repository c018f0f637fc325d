/** Every rule of the validation table: a clear documented error each time, and nothing recorded. */
import { expect } from 'chai';
import { businessError, frameworkError } from '../../gateway/contract/errors.ts';
import { gatewayForSuite, type TestAnswer } from '../support/gateway.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';

describe('bad input', () => {
  const gateway = gatewayForSuite({ hasCross: true });
  const bot = traderForSuite(gateway);
  const crossBot = traderForSuite(gateway, { email: 'cross@example.test', connector: 'paper-cross' });

  afterEach('nothing was recorded', async () => {
    for (const who of [bot, crossBot]) {
      expect((await who.call('GET', '/executions')).json.executions).to.deep.equal([]);
      expect((await who.call('GET', '/positions')).json.positions).to.deep.equal([]);
      expect((await who.call('GET', '/leverage')).json.leverage).to.deep.equal([]);
    }
  });

  const expectInvalid = (answer: TestAnswer, path: string, message?: string) => {
    expect(answer.status, answer.text).to.equal(400);
    const body = businessError.parse(answer.json);
    expect(body).to.include({ message: 'Validation error', errorCode: 'VALIDATION_ERROR' });
    const detail = Array.isArray(body.details)
      ? body.details.find((entry) => entry.path === path)
      : undefined;
    expect(detail, `${path} in ${answer.text}`).to.not.equal(undefined);
    if (message !== undefined) expect(detail?.message).to.include(message);
  };

  const open = (over: Record<string, unknown>) =>
    bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR, ...over });
  const leg = (over: Record<string, unknown>) => open({ legs: [{ ...PAIR[0], ...over }, PAIR[1]] });

  describe('POST /trade/open', () => {
    for (const amount of [1000, 0, -5, 1e21, true, null, ['1000']]) {
      it(`amount ${JSON.stringify(amount)} where a decimal string is asked`, async () => {
        expectInvalid(await leg({ amount }), 'legs.0.amount');
      });
    }
    for (const amount of [
      '-1',
      '+1',
      '1e3',
      '1E3',
      '0x10',
      '',
      ' 1',
      '1 ',
      '1.',
      '.5',
      '1,5',
      'NaN',
      'Infinity',
      '0',
      '0.000',
      '123456789012345678901234567890',
      '1.1234567890123456789',
    ]) {
      it(`amount '${amount}' is no accepted decimal`, async () => {
        expectInvalid(await leg({ amount }), 'legs.0.amount');
      });
    }
    it('0 legs', async () => {
      expectInvalid(await open({ legs: [] }), 'legs', 'at least one leg');
    });
    it('21 legs', async () => {
      const legs = Array.from({ length: 21 }, (_, index) => usd(`X${index}`, 'BUY', '100'));
      expectInvalid(await open({ legs }), 'legs', 'at most 20');
    });
    it('a symbol twice', async () => {
      expectInvalid(await open({ legs: [PAIR[0], usd('BTC', 'SELL', '50')] }), 'legs.1.symbol', 'only once');
    });
    it('an unknown symbol, and a ticker where the instrument id is asked', async () => {
      expectInvalid(await leg({ symbol: 'NOPE-PERP' }), 'legs.0.symbol', 'Not an instrument');
      expectInvalid(await leg({ symbol: 'BTC' }), 'legs.0.symbol', 'Not an instrument');
    });
    it('an unknown field, in the body and in a leg: one detail each', async () => {
      const answer = await open({ legs: [{ ...PAIR[0], size: '1' }], leverage: 5 });
      expectInvalid(answer, 'leverage');
      expectInvalid(answer, 'legs.0.size');
      for (const detail of answer.json.details) expect(detail.code).to.equal('unrecognized_keys');
    });
    it('missing fields: one detail per field', async () => {
      const answer = await bot.call('POST', '/trade/open', { legs: [{}] });
      for (const path of ['type', 'legs.0.symbol', 'legs.0.side', 'legs.0.mode', 'legs.0.amount']) {
        expectInvalid(answer, path);
      }
    });
    it('an unknown side, mode, type, policy', async () => {
      expectInvalid(await leg({ side: 'LONG' }), 'legs.0.side');
      expectInvalid(await leg({ mode: 'usd' }), 'legs.0.mode');
      expectInvalid(await open({ type: 'LIMIT' }), 'type');
      expectInvalid(await open({ onLegFailure: 'PANIC' }), 'onLegFailure');
    });
    it('slippage above 0.1, as a number, with an exponent', async () => {
      for (const slippage of ['0.1000000001', '0.2', '1', 0.01, '1e-2', '-0.01']) {
        expectInvalid(await open({ slippage }), 'slippage');
      }
    });
    it('WEIGHT mixed with other modes, without totalUsd, or not summing to exactly 1', async () => {
      const weight = (symbol: string, amount: string) => ({ symbol, side: 'BUY', mode: 'WEIGHT', amount });
      expectInvalid(
        await open({ legs: [weight('BTC-PERP', '1'), PAIR[1]], totalUsd: '100' }),
        'legs.1.mode',
        'mixed',
      );
      expectInvalid(await open({ legs: [weight('BTC-PERP', '1')] }), 'totalUsd', 'need a total');
      for (const [a, b] of [
        ['0.5', '0.499999999999999999'],
        ['0.3', '0.3'],
        ['0.7', '0.7'],
      ] as const) {
        const legs = [weight('BTC-PERP', a), weight('ETH-PERP', b)];
        expectInvalid(await open({ legs, totalUsd: '100' }), 'legs', 'The sum of weights must be exactly 1');
      }
      expectInvalid(
        await open({ totalUsd: '100' }),
        'totalUsd',
        'A total is taken only where the legs are shares',
      );
    });
    it('an unknown clientId', async () => {
      expectInvalid(await open({ clientId: 'nobody' }), 'clientId', 'Unknown or inactive clientId');
    });
    it('a body that is no object', async () => {
      for (const body of ['[]', '"x"', '7', 'null']) {
        const answer = await bot.call('POST', '/trade/open', body);
        expect(answer.status, body).to.equal(400);
        expect(answer.json.errorCode).to.equal('VALIDATION_ERROR');
      }
    });
  });

  describe('PUT /leverage', () => {
    it('rule 1: marginMode omitted on a connector that requires it', async () => {
      const answer = await bot.call('PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 3 });
      expectInvalid(answer, 'marginMode', 'Required');
    });
    it('rule 2: marginMode sent on the connector that rejects it', async () => {
      const body = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' };
      expectInvalid(await crossBot.call('PUT', '/leverage', body), 'marginMode', 'Not accepted');
    });
    it('leverage 0, negative, fractional, as text, above the maximum', async () => {
      for (const leverage of [0, -1, 1.5, '3', 1_000]) {
        const answer = await bot.call('PUT', '/leverage', {
          symbol: 'BTC-PERP',
          leverage,
          marginMode: 'cross',
        });
        expectInvalid(answer, 'leverage');
      }
    });
    it('an unknown symbol', async () => {
      const body = { symbol: 'NOPE', leverage: 3, marginMode: 'cross' };
      expectInvalid(await bot.call('PUT', '/leverage', body), 'symbol');
    });
  });

  describe('positions', () => {
    const NOBODY = '01900000-0000-7000-8000-000000000000';
    it('close and adjust of an id that is none, and of one that does not exist', async () => {
      for (const id of ['7', NOBODY]) {
        const missing = await bot.expect('POST', `/positions/${id}/close`, { type: 'MARKET' }, 404);
        expect(businessError.parse(missing).errorCode).to.equal('RESOURCE_NOT_FOUND');
      }
      await bot.expect(
        'POST',
        `/positions/${NOBODY}/adjust`,
        {
          intent: 'REDUCE',
          fraction: '0.5',
        },
        404,
      );
    });
    it('fractions of 0, above 1, as a number', async () => {
      for (const fraction of ['0', '1.01', '2', 0.5, '-0.5']) {
        const answer = await bot.call('POST', `/positions/${NOBODY}/close`, { type: 'MARKET', fraction });
        expectInvalid(answer, 'fraction');
      }
    });
    it('adjust with none or two of usd, fraction, targets', async () => {
      expectInvalid(
        await bot.call('POST', `/positions/${NOBODY}/adjust`, { intent: 'REDUCE' }),
        '',
        'Exactly one',
      );
      const both = { intent: 'REDUCE', usd: '5', fraction: '0.5' };
      expectInvalid(await bot.call('POST', `/positions/${NOBODY}/adjust`, both), '', 'Exactly one');
    });
  });

  describe('lists', () => {
    for (const path of ['/executions', '/fills', '/positions']) {
      it(`${path}: limit 0, above 2000, no integer; malformed cursor; unknown connector`, async () => {
        for (const limit of ['0', '2001', '-1', '1.5', 'x', '']) {
          expectInvalid(await bot.call('GET', `${path}?limit=${limit}`), 'limit');
        }
        const forged = [btoa('1:../x'), 'a'.repeat(300), `${btoa('1:a')}=`];
        for (const cursor of ['x', 'AAAA', '%20', 'MTIz', ...forged]) {
          expectInvalid(await bot.call('GET', `${path}?cursor=${cursor}`), 'cursor');
        }
        expectInvalid(await bot.call('GET', `${path}?connector=nope`), 'connector');
      });
    }
    it('a status that the list cannot select, an order it does not know, a boolean in other words', async () => {
      expectInvalid(await bot.call('GET', '/executions?status=IDLE'), 'status.0');
      expectInvalid(await bot.call('GET', '/positions?status=OPEN,HALF'), 'status.1');
      for (const [path, name, values] of [
        ['/positions', 'orderBy', ['price', 'id', 'closedAt', '+createdAt', '']],
        ['/fills', 'orderBy', ['price', '-price', 'TIMESTAMP', '--timestamp', '']],
        ['/executions', 'includeSchedule', ['1', 'yes', 'TRUE', '']],
      ] as const)
        for (const value of values) expectInvalid(await bot.call('GET', `${path}?${name}=${value}`), name);
    });
    it('unknown query parameters are ignored', async () => {
      const plain = await bot.call('GET', '/executions?limit=1');
      const more = await bot.call('GET', '/executions?foo=bar&limit=1&foo=baz');
      expect([more.status, more.json]).to.deep.equal([200, plain.json]);
      expectInvalid(await bot.call('GET', '/executions?foo=bar&limit=0'), 'limit');
    });
  });

  describe('accounts and ids of others', () => {
    const body = { type: 'MARKET', legs: PAIR };
    it('a missing x-trade-account-id', async () => {
      const answer = await gateway.expect(
        'POST',
        '/trade/open',
        {
          headers: { 'x-api-key': bot.key },
          body,
        },
        400,
      );
      expect(frameworkError.parse(answer).message).to.equal('Missing required header: x-trade-account-id');
    });
    it('a malformed one', async () => {
      for (const id of ['7', 'x'.repeat(36), `${bot.accountId}0`]) {
        const answer = await bot.call('POST', '/trade/open', body, { 'x-trade-account-id': id });
        expect(answer.status, id).to.equal(400);
        frameworkError.parse(answer.json);
      }
    });
    it('a foreign one is a 404, as one that does not exist', async () => {
      const foreign = await bot.call('POST', '/trade/open', body, {
        'x-trade-account-id': crossBot.accountId,
      });
      const missing = await bot.call('POST', '/trade/open', body, {
        'x-trade-account-id': '01900000-0000-7000-8000-000000000000',
      });
      expect(foreign.status).to.equal(404);
      expect(missing.status).to.equal(404);
      expect({ ...foreign.json, timestamp: '' }).to.deep.equal({ ...missing.json, timestamp: '' });
    });
  });
});
