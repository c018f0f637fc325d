/** Idempotency-Key on the order-placing routes: one effect per key, across restarts too. */
import { expect } from 'chai';
import { gatewayForSuite } from '../support/gateway.ts';
import { PAIR, type Trader, trader, traderForSuite } from '../support/trader.ts';

describe('Idempotency-Key', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);

  const body = { type: 'MARKET', legs: PAIR };
  const open = (key: string, over: object = {}, from: Trader = bot) =>
    from.call('POST', '/trade/open', { ...body, ...over }, { 'idempotency-key': key });
  const count = async () => (await bot.call('GET', '/executions?limit=2000')).json.executions.length;

  it('same key, same body: the first answer again with its status and idempotency-replayed: true', async () => {
    const first = await open('replay-1');
    expect(first.status).to.equal(202);
    expect(first.headers.get('idempotency-replayed')).to.equal(null);
    await bot.ended(first.json.execution.id);
    const before = await count();
    const again = await open('replay-1');
    expect(again.status).to.equal(202);
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(await count()).to.equal(before);
  });

  it('the order of fields does not make another body', async () => {
    const first = await open('order-1');
    await bot.ended(first.json.execution.id);
    const turned = {
      legs: PAIR.map(({ symbol, side, mode, amount }) => ({ amount, mode, side, symbol })),
      type: 'MARKET',
    };
    const again = await bot.call('POST', '/trade/open', turned, { 'idempotency-key': 'order-1' });
    expect(again.text).to.equal(first.text);
  });

  it('same key, other body or other account: 400 on path idempotency-key', async () => {
    const first = await open('changed-1');
    await bot.ended(first.json.execution.id);
    const before = await count();
    const changed = await open('changed-1', { slippage: '0.02' });
    expect(changed.status).to.equal(400);
    expect(changed.json.errorCode).to.equal('VALIDATION_ERROR');
    expect(changed.json.details[0].path).to.equal('idempotency-key');
    expect(await count()).to.equal(before);
  });

  it('many at once with one key: one execution, every answer the same or RESOURCE_BUSY', async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 16 }, () => open('race-1')));
    const accepted = answers.filter((answer) => answer.status === 202);
    expect(accepted.length).to.be.at.least(1);
    expect(new Set(accepted.map((answer) => answer.json.execution.id)).size).to.equal(1);
    for (const answer of answers.filter((other) => other.status !== 202)) {
      expect(answer.status).to.equal(409);
      expect(answer.json.errorCode).to.equal('RESOURCE_BUSY');
    }
    await bot.ended(accepted[0]?.json.execution.id);
    expect(await count()).to.equal(before + 1);
  });

  it('a refused request keeps no key: corrected, it runs', async () => {
    const refused = await open('correct-1', { slippage: '9' });
    expect(refused.status).to.equal(400);
    const corrected = await open('correct-1');
    expect(corrected.status).to.equal(202);
    expect(corrected.headers.get('idempotency-replayed')).to.equal(null);
    await bot.ended(corrected.json.execution.id);
  });

  for (const key of ['', 'x'.repeat(129), 'tab\there']) {
    it(`a key that is not 1 to 128 printable characters is a 400 (${key.length})`, async () => {
      const answer = await open(key);
      expect(answer.status).to.equal(400);
      expect(answer.json.details[0].path).to.equal('idempotency-key');
    });
  }

  it('the same key of another user or route is another key', async () => {
    const first = await open('shared-1');
    const { positionId } = await bot.ended(first.json.execution.id);
    const close = await bot.call(
      'POST',
      `/positions/${positionId}/close`,
      { type: 'MARKET' },
      { 'idempotency-key': 'shared-1' },
    );
    expect(close.status).to.equal(202);
    expect(close.json.intent).to.equal('CLOSE');
    await bot.ended(close.json.execution.id);
    const other = await trader(gateway, { email: 'bob@example.test', connector: 'paper' });
    const theirs = await open('shared-1', {}, other);
    expect(theirs.status).to.equal(202);
    expect(theirs.json.execution.id).to.not.equal(first.json.execution.id);
    await other.ended(theirs.json.execution.id);
  });

  it('a close that is repeated after the position is closed gets its first answer', async () => {
    const { positionId } = await bot.open(PAIR);
    const close = () =>
      bot.call(
        'POST',
        `/positions/${positionId}/close`,
        { type: 'MARKET' },
        { 'idempotency-key': 'close-1' },
      );
    const first = await close();
    await bot.ended(first.json.execution.id);
    const again = await close();
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
  });

  it('the key holds across a restart', async () => {
    const first = await open('restart-1');
    await bot.ended(first.json.execution.id);
    const { key, accountId } = bot;
    await gateway.restart();
    const again = await gateway.request('POST', '/trade/open', {
      headers: { 'x-api-key': key, 'x-trade-account-id': accountId, 'idempotency-key': 'restart-1' },
      body,
    });
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
  });
});
