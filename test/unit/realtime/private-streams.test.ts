import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import {
  createPrivateStreams,
  type PrivateStreams,
  type PrivateSubscription,
} from '../../../gateway/realtime/private-streams.ts';
import { createEventLog, type EventLog } from '../../support/event-log.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { silentLogger } from '../../support/market-venue.ts';
import { forAllAsync, propertyRuns, weightedRecord } from '../../support/property-runs.ts';

const ACCOUNT = '0190b7a0-0000-7000-8000-000000000001';

interface Received {
  readonly event: string;
  readonly seq: number;
}

interface Client {
  readonly received: Received[];
  readonly subscription: PrivateSubscription;
  /** Last seq committed when it subscribed. */
  readonly lastThen: number;
  readonly resumeFrom: number | null;
}

function subscribe(streams: PrivateStreams, log: EventLog, resumeFrom: number | null): Client {
  const received: Received[] = [];
  const subscription = streams.open(
    {
      connection: {
        isOpen: true,
        send: (frame) => received.push(JSON.parse(frame.toString())),
        drained: () => Promise.resolve(),
      },
      mayReceive: () => true,
      endStream: (ended) => streams.end(ended),
    },
    { id: ACCOUNT, mode: 'LIVE', network: 'testnet' },
    resumeFrom,
  );
  return { received, subscription, lastThen: log.lastSeq(ACCOUNT), resumeFrom };
}

function streamsOf(store: Pick<Store, 'events' | 'lastSeq'>): PrivateStreams {
  return createPrivateStreams({
    store,
    clock: createFakeClock(),
    logger: silentLogger,
    counters: { privateFrames: 0 },
    pageSize: 3,
    maxSetAside: 4,
  });
}

/** after + 1 … last */
function range(after: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - after) }, (_, index) => after + 1 + index);
}

function checkClient(client: Client, last: number, wasPruned: boolean): void {
  const { received, resumeFrom, lastThen } = client;
  const resyncs = received.filter(({ event }) => event === 'resync');
  expect(resyncs.length).to.be.at.most(1);
  const [resync] = resyncs;
  if (resync === undefined) {
    expect(received.map(({ seq }) => seq)).to.deep.equal(range(resumeFrom ?? lastThen, last));
    return;
  }
  // A resync needs a reason, and after it the stream is as exact as any other.
  const from = resumeFrom ?? lastThen;
  expect(
    wasPruned || from > lastThen,
    `resync without a reason after ${from}, last was ${lastThen}`,
  ).to.equal(true);
  const at = received.indexOf(resync);
  expect(received.slice(0, at).map(({ seq }) => seq)).to.deep.equal(
    range(from, received[at - 1]?.seq ?? from),
  );
  expect(received.slice(at + 1).map(({ seq }) => seq)).to.deep.equal(range(resync.seq, last));
}

type Step =
  | { readonly do: 'publish'; readonly count: number }
  | { readonly do: 'subscribe'; readonly back: number | null; readonly startsLater: boolean }
  | { readonly do: 'prune'; readonly keep: number }
  | { readonly do: 'read' };

const steps = (withPrune: boolean): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      weightedRecord(4, { do: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 7 }) }),
      weightedRecord(3, {
        do: fc.constant('subscribe' as const),
        back: fc.option(fc.integer({ min: -2, max: 12 })),
        startsLater: fc.boolean(),
      }),
      weightedRecord(4, { do: fc.constant('read' as const) }),
      ...(withPrune
        ? [weightedRecord(1, { do: fc.constant('prune' as const), keep: fc.integer({ min: 0, max: 5 }) })]
        : []),
    ),
    { maxLength: 30 },
  );

/** Lets what is ready run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function finishReads(scheduler: fc.Scheduler): Promise<void> {
  await settled();
  while (scheduler.count() > 0) {
    await scheduler.waitOne();
    await settled();
  }
}

/** Runs the steps with reads that look at the disk when they begin or when they end, in any order. */
async function run(scheduler: fc.Scheduler, script: readonly Step[]): Promise<void> {
  const log = createEventLog();
  log.commit(ACCOUNT, 5);
  let looksEarly = false;
  const streams = streamsOf({
    lastSeq: log.lastSeq,
    async events(tradeAccountId, after, limit) {
      looksEarly = !looksEarly;
      const early = looksEarly ? log.events(tradeAccountId, after, limit) : null;
      await scheduler.schedule(Promise.resolve(), 'read');
      return early ?? log.events(tradeAccountId, after, limit);
    },
  });
  const clients: Client[] = [];
  const starts: (() => void)[] = [];
  let wasPruned = false;
  for (const step of script) {
    const last = log.lastSeq(ACCOUNT);
    if (step.do === 'publish') {
      streams.publish(log.commit(ACCOUNT, step.count));
    } else if (step.do === 'prune') {
      wasPruned = true;
      log.prune(ACCOUNT, last - step.keep);
    } else if (step.do === 'read') {
      if (scheduler.count() > 0) await scheduler.waitOne();
      await settled();
      starts.shift()?.();
    } else {
      const client = subscribe(streams, log, step.back === null ? null : Math.max(0, last - step.back));
      clients.push(client);
      const start = () => streams.start(client.subscription, client.resumeFrom !== null);
      if (step.startsLater) starts.push(start);
      else start();
    }
  }
  for (const start of starts) start();
  await finishReads(scheduler);
  // An event after everything has settled reaches everybody too.
  streams.publish(log.commit(ACCOUNT, 2));
  for (const client of clients) checkClient(client, log.lastSeq(ACCOUNT), wasPruned);
}

describe('private event streams', () => {
  it('deliver every event once and in order, however publishing, subscribing and replaying interleave', () =>
    forAllAsync([fc.scheduler(), steps(false)], propertyRuns(300), run));

  it('say resync, and only then, where retention has removed what a client asks for', () =>
    forAllAsync([fc.scheduler(), steps(true)], propertyRuns(300), run));

  async function resumed(log: EventLog, from: number): Promise<readonly Received[]> {
    const streams = streamsOf(log);
    const client = subscribe(streams, log, from);
    streams.start(client.subscription, true);
    for (let page = 0; page < 8; page += 1) await settled();
    return client.received;
  }

  it('resume exactly at the edge of what is kept', async () => {
    const log = createEventLog();
    log.commit(ACCOUNT, 10);
    log.prune(ACCOUNT, 4);
    expect((await resumed(log, 4)).map(({ seq }) => seq)).to.deep.equal([5, 6, 7, 8, 9, 10]);
    expect(await resumed(log, 3)).to.have.length(1);
    expect((await resumed(log, 3))[0]).to.include({ event: 'resync', seq: 10 });
  });

  it('resume with nothing to replay, and resync from the future', async () => {
    const log = createEventLog();
    log.commit(ACCOUNT, 10);
    expect(await resumed(log, 10)).to.deep.equal([]);
    expect((await resumed(log, 11))[0]).to.include({ event: 'resync', seq: 10 });
  });

  it('know that nothing was missed even if everything has been pruned', async () => {
    const log = createEventLog();
    log.commit(ACCOUNT, 10);
    log.prune(ACCOUNT, 10);
    expect(await resumed(log, 10)).to.deep.equal([]);
    expect((await resumed(log, 9))[0]).to.include({ event: 'resync', seq: 10 });
  });

  it('end the subscription when the store cannot be read, and say so', async () => {
    const log = createEventLog();
    log.commit(ACCOUNT, 1);
    const streams = streamsOf({ ...log, events: () => Promise.reject(new Error('disk I/O error')) });
    const client = subscribe(streams, log, 0);
    streams.start(client.subscription, true);
    await settled();
    expect(client.received).to.deep.equal([
      { op: 'error', id: null, code: 'INTERNAL_ERROR', message: 'Stored events could not be read' },
    ]);
    streams.publish(log.commit(ACCOUNT, 1));
    expect(client.received).to.have.length(1);
  });

  it('deliver nothing after the end', () => {
    const log = createEventLog();
    const streams = streamsOf(log);
    const client = subscribe(streams, log, null);
    streams.start(client.subscription, false);
    streams.publish(log.commit(ACCOUNT, 1));
    streams.end(client.subscription);
    streams.publish(log.commit(ACCOUNT, 1));
    expect(client.received.map(({ seq }) => seq)).to.deep.equal([1]);
  });
});
