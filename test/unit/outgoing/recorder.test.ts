/** Events committed while the recorder reads what it has missed are recorded too, and once. */
import { expect } from 'chai';
import type { Delivery, Destination } from '../../../gateway/domain/delivery.ts';
import type { StoredEvent } from '../../../gateway/engine/ports/unit-of-work.ts';
import { Recorder } from '../../../gateway/outgoing/recorder.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const ACCOUNT = 'account';
const HOOK: Destination = {
  ...{ id: 'hook', userId: 'user', kind: 'WEBHOOK', name: 'Hook', address: 'https://hook.test' },
  ...{ wants: ['*'], tradeAccountIds: null, enabled: true, since: 0, skipped: 0 },
  ...{ createdAt: 0, updatedAt: 0 },
};

describe('recorder', () => {
  const clock = createFakeClock();
  /** The account's log, and what was committed while a page of it was on its way. */
  let log: StoredEvent[];
  let meanwhile: StoredEvent[];
  let written: Delivery[];
  let recorder: Recorder;

  const eventOf = (seq: number): StoredEvent => ({
    tradeAccountId: ACCOUNT,
    event: 'order.updated',
    entityId: `entity-${seq}`,
    timestamp: clock.now(),
    seq,
  });
  const commit = (event: StoredEvent) => {
    log.push(event);
    recorder.hear([event]);
  };

  beforeEach(() => {
    log = [];
    meanwhile = [];
    written = [];
    let id = 0;
    recorder = new Recorder({
      store: {
        commit: async ({ deliveries = [] }) => {
          written.push(...deliveries);
          return { ok: true, value: [] };
        },
        cursor: async () => null,
        events: async (_account, after, limit) => {
          const events = log.filter(({ seq }) => seq > after).slice(0, limit);
          for (const event of meanwhile.splice(0)) commit(event);
          return { events, hasMore: false } as never;
        },
        lastSeq: () => log.at(-1)?.seq ?? 0,
        notification: async () => null,
      },
      clock,
      ids: {
        next: () => {
          id += 1;
          return String(id);
        },
      },
      logger: silentLogger,
      destinationsOf: () => [HOOK],
      moneyOf: () => ({ mode: 'PAPER', network: null }),
      accountIds: () => [ACCOUNT],
      waitingOf: () => 0,
      skip: () => {},
      busyShare: () => 0,
      recorded: () => {},
    });
  });
  afterEach(() => recorder.stop());

  for (const missed of [0, 2])
    it(`${missed} missed, and one committed while they are read`, async () => {
      for (let seq = 1; seq <= missed; seq += 1) log.push(eventOf(seq));
      meanwhile.push(eventOf(missed + 1));
      recorder.start();
      await clock.advance(1_000);
      commit(eventOf(missed + 2));
      await clock.advance(1_000);
      const expected = Array.from({ length: missed + 2 }, (_, index) => index + 1);
      expect(written.map(({ seq }) => seq)).to.deep.equal(expected);
    });
});
