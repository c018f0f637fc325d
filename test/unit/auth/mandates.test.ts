/** The book of mandates: what it answers between a request and its commit, when the disk refuses, and after a restart. */
import { expect } from 'chai';
import { loadMandates, type MandateSurroundings, type Mandates } from '../../../gateway/auth/mandates.ts';
import { fail } from '../../../gateway/domain/result.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { NO_HOUSE_LIMITS, openMandate } from '../../support/mandates.ts';
import { auditOf } from '../../support/oauth-records.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { START, storeForEachTest } from '../../support/store-records.ts';

const FULL = { kind: 'unavailable', message: 'full' } as const;

describe('the book of mandates', () => {
  // It ends before its store does.
  afterEach(() => book.close());
  const store = storeForEachTest();
  let clock: FakeClock;
  let book: Mandates;
  let diskIsFull: boolean;
  /** Commits that wait until the test lets them go on. */
  let held: (() => void)[] | null;

  const userId = 'user';
  const holder = { kind: 'oauth_grant', id: 'grant', userId } as const;
  const placed = { authorityKind: 'oauth_grant', authorityId: 'grant' } as const;
  const making = { userId, by: 'session', at: START };
  const terms = (maxOrderUsd: string | null) => openMandate(['paper'], { maxOrderUsd });
  const bindingUsd = () => book.of(placed)?.mandate.maxOrderUsd;
  const entry = () => auditOf(userId, { action: 'agent.suspended', subjectId: 'grant' });

  async function load(): Promise<void> {
    const around: MandateSurroundings = {
      store: {
        ...store,
        commit: async (unit) => {
          if (held !== null) await new Promise<void>((resolve) => held?.push(resolve));
          return diskIsFull ? fail(FULL) : store.commit(unit);
        },
      },
      clock,
      logger: silentLogger,
      lineageOf: (id) => (id === 'grant' ? ['earlier'] : []),
      accountsOf: () => ['paper', 'other'],
      isAlive: () => true,
      ownerOf: ({ id }) => (id === 'grant' ? userId : undefined),
      news: () => ({}),
      selfSuspended: () => ({ audit: entry() }),
    };
    book = await loadMandates(around);
  }

  beforeEach(async () => {
    clock = createFakeClock(START);
    diskIsFull = false;
    held = null;
    await load();
  });

  const letGo = () => {
    const waiting = held ?? [];
    held = null;
    for (const go of waiting) go();
  };

  it('binds nobody without a mandate', () => {
    expect(book.of(placed)).to.equal(null);
    expect(book.of({ authorityKind: 'session', authorityId: 'grant' })).to.equal(null);
    expect(book.of({ authorityKind: null, authorityId: null })).to.equal(null);
    expect(book.all()).to.deep.equal([]);
  });

  it('takes away from the call on, and adds from the commit on', async () => {
    await book.change(holder, terms('100'), 0, making, {});
    held = [];
    const tightening = book.change(holder, terms('50'), 1, making, {});
    expect(bindingUsd(), 'asked').to.equal('50');
    expect(book.of(placed)?.version).to.equal(1);
    letGo();
    expect((await tightening).ok).to.equal(true);
    expect([bindingUsd(), book.of(placed)?.version]).to.deep.equal(['50', 2]);
    held = [];
    const loosening = book.change(holder, terms('70'), 2, making, {});
    expect(bindingUsd(), 'asked').to.equal('50');
    letGo();
    await loosening;
    expect(bindingUsd()).to.equal('70');
  });

  it('binds a holder without a mandate from the call on, too', async () => {
    held = [];
    const first = book.change(holder, terms('50'), 0, making, {});
    expect(bindingUsd()).to.equal('50');
    letGo();
    await first;
    expect(book.of(placed)).to.include({ version: 1, userId });
    expect(book.of(placed)?.lineage).to.deep.equal(['earlier']);
  });

  it('a change that could not be written binds nobody any more', async () => {
    await book.change(holder, terms('100'), 0, making, {});
    diskIsFull = true;
    const failed = await book.change(holder, terms('50'), 1, making, {});
    expect(failed).to.deep.equal(fail({ kind: 'store', error: FULL }));
    expect([bindingUsd(), book.of(placed)?.version]).to.deep.equal(['100', 1]);
    diskIsFull = false;
    expect((await book.change(holder, terms('50'), 1, making, {})).ok).to.equal(true);
  });

  it('of several changes from one version one is made', async () => {
    const changes = await Promise.all(
      ['90', '80', '70'].map((amount) => book.change(holder, terms(amount), 0, making, {})),
    );
    expect(changes.map(({ ok }) => ok)).to.deep.equal([true, false, false]);
    expect(bindingUsd()).to.equal('90');
    expect(book.of(placed)?.version).to.equal(1);
  });

  it('limits over all of them, likewise', async () => {
    const limits = { ...NO_HOUSE_LIMITS, maxOrderUsd: '100' };
    expect(book.house(userId)).to.equal(null);
    held = [];
    const tightening = book.changeHouse(limits, 0, making, {});
    expect(book.house(userId)).to.deep.equal(limits);
    letGo();
    await tightening;
    held = [];
    const loosening = book.changeHouse({ ...limits, maxOrderUsd: null }, 1, making, {});
    expect(book.house(userId)?.maxOrderUsd).to.equal('100');
    letGo();
    await loosening;
    expect(book.house(userId)?.maxOrderUsd).to.equal(null);
  });

  it('suspends from the call on, over a full disk, until it is written', async () => {
    await book.change(holder, terms('100'), 0, making, {});
    diskIsFull = true;
    book.suspend({ kind: 'oauth_grant', id: 'grant' }, 'It lost 200 USD');
    expect(book.of(placed)?.suspended).to.include({ reason: 'It lost 200 USD' });
    await clock.advance(1_000);
    expect((await store.suspensions()).length).to.equal(0);
    expect(book.of(placed)?.suspended, 'still').to.not.equal(null);
    diskIsFull = false;
    await clock.advance(5_000);
    await store.commit({});
    expect((await store.suspensions()).map(({ reason }) => reason)).to.deep.equal(['It lost 200 USD']);
    await load();
    expect(book.of(placed)?.suspended).to.include({ reason: 'It lost 200 USD' });
  });

  it('goes on from the commit of a resume on, unless suspended anew meanwhile', async () => {
    await book.change(holder, terms('100'), 0, making, {});
    expect(await book.suspendAll([holder], 'First', entry)).to.deep.equal({ ok: true, value: true });
    expect(await book.suspendAll([holder], 'Again', entry)).to.deep.equal({ ok: true, value: false });
    held = [];
    const resuming = book.resume(holder, entry());
    expect(book.of(placed)?.suspended).to.include({ reason: 'First' });
    const anew = book.suspendAll([holder], 'Second', entry);
    letGo();
    await Promise.all([resuming, anew]);
    expect(book.of(placed)?.suspended).to.include({ reason: 'Second' });
    expect((await store.suspensions()).map(({ reason }) => reason)).to.deep.equal(['Second']);
    expect(await book.resume(holder, entry())).to.deep.equal({ ok: true, value: true });
    expect(book.of(placed)?.suspended).to.equal(null);
    expect(await book.resume(holder, entry())).to.deep.equal({ ok: true, value: false });
  });

  it('suspends one without a mandate: it forbids nothing else', async () => {
    await book.suspendAll([holder], 'Stop', entry);
    const bound = book.of(placed);
    expect(bound).to.include({ version: 0 });
    expect(bound?.mandate.accounts).to.deep.equal(['paper', 'other']);
    expect(bound?.mandate.maxOrderUsd).to.equal(null);
    await book.resume(holder, entry());
    expect(book.of(placed)).to.equal(null);
  });
});
