/** Attempts of a delivery: their number and times. A slow receiver holds up nobody else. */
import { expect } from 'chai';
import {
  type AttemptOutcome,
  afterAttempt,
  type Delivery,
  type Destination,
  MAX_ATTEMPTS,
} from '../../../gateway/domain/delivery.ts';
import { Courier } from '../../../gateway/outgoing/courier.ts';
import { newDelivery } from '../../../gateway/outgoing/recorder.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const EVENT = {
  eventId: 'evt_1',
  event: 'execution.completed',
  tradeAccountId: 'a',
  seq: 1,
  mode: 'PAPER',
  network: null,
  entityId: 'x',
  occurredAt: 0,
} as const;

describe('courier', () => {
  const clock = createFakeClock();
  let tries: { readonly to: string; readonly at: number }[];
  let written: Delivery[];
  let outcome: (to: string) => Promise<AttemptOutcome> | AttemptOutcome;
  let courier: Courier;
  let writes: boolean;
  let busyShare: number;

  const refused = (): AttemptOutcome => ({ at: clock.now(), responseStatus: 500, response: '', error: 'no' });
  const taken = (): AttemptOutcome => ({ at: clock.now(), responseStatus: 200, response: '', error: null });

  beforeEach(() => {
    tries = [];
    written = [];
    writes = true;
    busyShare = 0;
    courier = new Courier({
      store: {
        commit: async ({ deliveries = [] }) => {
          if (!writes) return { ok: false, error: { kind: 'unavailable', message: 'full' } };
          written.push(...deliveries);
          return { ok: true, value: [] };
        },
      },
      clock,
      logger: silentLogger,
      destination: (id) => (id === 'gone' ? undefined : ({ id } as Destination)),
      attempt: async ({ id }) => {
        tries.push({ to: id, at: clock.now() });
        return outcome(id);
      },
      attempted: () => {},
      busyShare: () => busyShare,
    });
  });
  afterEach(() => courier.stop());

  it('waits four times as long after each failure and gives up after eight', async () => {
    outcome = refused;
    const begin = clock.now();
    courier.take([newDelivery('d', 'one', begin, EVENT)]);
    await clock.advance(48 * 3_600_000);
    const waits = tries.map(({ at }, index) => Math.round((at - (tries[index - 1]?.at ?? at)) / 1_000));
    expect(waits).to.deep.equal([0, 10, 40, 160, 640, 2_560, 10_240, 21_600]);
    expect(written.map(({ status }) => status)).to.deep.equal([
      ...Array.from({ length: MAX_ATTEMPTS - 1 }, () => 'RETRYING'),
      'FAILED',
    ]);
    expect(written.at(-1)).to.deep.include({ attempts: 8, nextAttemptAt: null, error: 'no' });
    expect(courier.waitingOf('one')).to.equal(0);
  });

  it('lets nobody wait for a destination that hangs, and sends it one at a time', async () => {
    let release = () => {};
    outcome = (to) =>
      to === 'slow' ? new Promise((resolve) => (release = () => resolve(taken()))) : taken();
    const now = clock.now();
    courier.take([
      newDelivery('s1', 'slow', now, EVENT),
      newDelivery('s2', 'slow', now, EVENT),
      newDelivery('q1', 'quick', now, EVENT),
      newDelivery('q2', 'quick', now, EVENT),
    ]);
    await clock.advance(1_000);
    expect(tries.map(({ to }) => to)).to.deep.equal(['slow', 'quick', 'quick']);
    release();
    await clock.advance(1_000);
    expect(tries.filter(({ to }) => to === 'slow').length).to.equal(2);
    release();
    await clock.advance(1);
    expect(written.map(({ id, status }) => `${id} ${status}`)).to.have.members([
      's1 DELIVERED',
      's2 DELIVERED',
      'q1 DELIVERED',
      'q2 DELIVERED',
    ]);
  });

  it('more destinations that hang than are tried at once: all get their turn, and nothing is looked for meanwhile', async () => {
    const held: (() => void)[] = [];
    outcome = () => new Promise((resolve) => held.push(() => resolve(taken())));
    const names = Array.from({ length: 18 }, (_, index) => `hangs-${index}`);
    courier.take(
      names.flatMap((name) => [1, 2].map((nth) => newDelivery(`${name} ${nth}`, name, clock.now(), EVENT))),
    );
    expect([tries.length, clock.untilNext()]).to.deep.equal([16, null]);
    for (const release of held.splice(0, 2)) release();
    await clock.advance(1);
    expect(tries.map(({ to }) => to)).to.deep.equal(names);
  });

  it('sends twenty a second in all while the gateway is busy, and goes on at once when it is not', async () => {
    outcome = taken;
    busyShare = 0.95;
    const now = clock.now();
    const forEach = (to: string) =>
      Array.from({ length: 100 }, (_, index) => newDelivery(`${to}${index}`, to, now, EVENT));
    courier.take([...forEach('a'), ...forEach('b')]);
    await clock.advance(999);
    const sent = (to: string) => tries.filter((one) => one.to === to).length;
    expect([sent('a'), sent('b')]).to.deep.equal([10, 10]);
    busyShare = 0.3;
    await clock.advance(100);
    expect([sent('a'), sent('b')]).to.deep.equal([100, 100]);
  });

  it('waits as long as the receiver asks for, and ends at once what has nobody to go to', async () => {
    outcome = () => (tries.length === 1 ? { ...refused(), retryAfterMs: 3_600_000 } : taken());
    courier.take([newDelivery('d', 'one', clock.now(), EVENT), newDelivery('g', 'gone', clock.now(), EVENT)]);
    await clock.advance(3_599_000);
    expect(tries.length).to.equal(1);
    expect(written.find(({ id }) => id === 'g')).to.deep.include({
      status: 'FAILED',
      error: 'It is turned off',
    });
    await clock.advance(61_000);
    expect(tries.length).to.equal(2);
  });

  it('keeps what the disk did not take, and sends it again', async () => {
    outcome = taken;
    writes = false;
    courier.take([newDelivery('d', 'one', clock.now(), EVENT)]);
    await clock.advance(1_000);
    expect([tries.length, courier.waitingOf('one')]).to.deep.equal([1, 1]);
    writes = true;
    await clock.advance(16_000);
    expect([tries.length, courier.waitingOf('one')]).to.deep.equal([2, 0]);
  });

  it('a delivery that has ended stays as it is', () => {
    const done = afterAttempt(newDelivery('d', 'one', 0, EVENT), taken());
    expect(afterAttempt(done, refused())).to.equal(done);
  });
});
