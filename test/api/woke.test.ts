/**
 * A machine that was asleep: its wall clock has moved on, its timers have not. The desktop app tells the gateway, which
 * looks at once at what it would otherwise look at within a minute.
 */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { timedGatewayForSuite } from '../support/timed-gateway.ts';
import { PAIR, traderForSuite } from '../support/trader.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
/** Far less than the minute within which everything is looked at anyway. */
const SHORT_MS = 10_000;

describe('a machine that was asleep', () => {
  const gateway = timedGatewayForSuite();
  const bot = traderForSuite(gateway);

  const read = async (path: string): Promise<Json> => (await bot.call('GET', path)).json;
  const made = (path: string, body: object) => bot.expect('POST', path, body);
  it('ends what expired, sends the slice that was missed, and trades on', async () => {
    const { id: trigger } = await made('/triggers/open', {
      legs: PAIR,
      condition: { type: 'PRICE', direction: 'MORE_THAN', value: '10000000', symbol: 'BTC-PERP' },
      expiresAt: new Date(gateway.clock.now() + HOUR).toISOString(),
    });
    const { id: schedule } = await made('/schedules', {
      legs: PAIR,
      durationSeconds: 7_200,
      intervalSeconds: 3_600,
    });
    const slices = async () => (await read(`/schedules/${schedule}`)).slicesCompleted;
    await until(gateway.clock, 'the first slice is sent', async () => (await slices()) === 1, SHORT_MS);
    const { sliceCount } = await read(`/schedules/${schedule}`);

    gateway.clock.jump(HOUR + 60_000);
    // Timers have as long to go as before the sleep.
    expect([(await read(`/triggers/${trigger}`)).status, await slices()]).to.deep.equal(['ACTIVE', 1]);
    gateway.gateway.woke();
    const isExpired = async () => (await read(`/triggers/${trigger}`)).status === 'EXPIRED';
    await until(gateway.clock, 'the trigger has expired', isExpired, SHORT_MS);
    await until(gateway.clock, 'the second slice is sent', async () => (await slices()) === 2, SHORT_MS);
    expect(sliceCount).to.be.greaterThan(1);

    // The venue is asked anew, and what it says and what is known agree.
    const ready = await gateway.request('GET', '/ready');
    expect([ready.status, ready.json.checks.every(({ ok }: Json) => ok)]).to.deep.equal([200, true]);
    const [position] = await bot.positions();
    expect(position.id).to.be.a('string');
    const closed = await gateway.trade(bot, `/positions/${position.id}/close`, { type: 'MARKET' });
    expect(closed.status).to.equal('COMPLETED');
  });
});
