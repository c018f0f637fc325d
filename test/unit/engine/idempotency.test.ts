/** One `Idempotency-Key`, many requests at once, a process that dies: one execution. */

import { expect } from 'chai';
import type { IdempotentRequest } from '../../../gateway/engine/core/idempotency.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { basketOf, leg, PRINCIPAL } from '../../support/engine-desk.ts';
import { unwrap } from '../../support/unwrap.ts';

const LEGS = [leg('AAA', 'BUY', '1000')];
const HASH = 'a'.repeat(64);

describe('the idempotency of accepting', () => {
  const desk = engineDeskForEachTest();

  const request = (over: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
    userId: 'user',
    route: 'POST /trade/open',
    key: 'key-1',
    requestHash: HASH,
    ...over,
  });
  const send = (over: Partial<IdempotentRequest> = {}, legs = LEGS) =>
    desk.engine.openBasket(PRINCIPAL, { ...desk.command(), idempotency: request(over) }, basketOf(legs));

  it('of many at once after it was answered all get the first answer, whoever asked first', async () => {
    const first = unwrap(await send());
    await desk.ended(JSON.parse(first.json).id);
    const results = await Promise.all(Array.from({ length: 50 }, () => send()));
    for (const result of results) expect(unwrap(result)).to.deep.equal({ ...first, replayed: true });
    const changed = await Promise.all([send(), send({ requestHash: 'b'.repeat(64) })]);
    expect(changed.map((result) => result.ok || result.error.code)).to.deep.equal([true, 'VALIDATION_ERROR']);
  });

  it('it holds across the death of the process right after the commit', async () => {
    desk.dieAfterCommit = (unit) => (unit.newExecutions?.length ?? 0) > 0;
    void send().catch(() => undefined);
    await desk.advanceTo(() => !desk.isAlive);
    const [execution] = await desk.unfinished();
    await desk.start();
    const again = unwrap(await send());
    expect(again.replayed).to.equal(true);
    expect(JSON.parse(again.json).id).to.equal(execution?.id);
    expect(await desk.executions()).to.have.length(1);
    expect(desk.venue.batches).to.deep.equal([]);
  });

  it('two different keys for one basket at once: one runs, the other is busy and names it', async () => {
    const [one, two] = await Promise.all([send({ key: 'one' }), send({ key: 'two' })]);
    const won = unwrap(one ?? (await send()));
    expect(two?.ok || two?.error.code).to.equal('RESOURCE_BUSY');
    await desk.ended(JSON.parse(won.json).id);
    expect(unwrap(await send({ key: 'two' })).replayed).to.equal(false);
  });
});
