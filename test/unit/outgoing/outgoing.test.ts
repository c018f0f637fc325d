/** Destinations that are changed by several at once, and what is left of one that goes while something is under way. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { TradeAccount } from '../../../gateway/domain/model.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import type { Logger } from '../../../gateway/engine/ports/system.ts';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import type { Vault } from '../../../gateway/engine/ports/vault.ts';
import { type NewDestination, Outgoing } from '../../../gateway/outgoing/outgoing.ts';
import { createIds } from '../../../gateway/system/ids.ts';
import { createMemoryVault } from '../../../gateway/vault/memory-vault.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { HookReceiver } from '../../support/hook-receiver.ts';
import { nextId, temporaryFolder, testStore, user } from '../../support/store-records.ts';
import { untilSettled } from '../../support/until.ts';
import { unwrap } from '../../support/unwrap.ts';

describe('destinations', () => {
  const clock = createFakeClock();
  const { id: userId, ...owner } = user();
  const account = { id: nextId(), userId, connector: 'paper', mode: 'PAPER' } as TradeAccount;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: Store;
  let vault: Vault;
  let receiver: HookReceiver;
  let outgoing: Outgoing;
  let stop = () => {};
  let errors: string[];
  let isLocked: boolean;
  /** Called when a unit is handed to the store, before it is on disk. */
  let onCommit: (unit: UnitOfWork) => void;

  const logger: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_fields, text) => void errors.push(String(text)),
  };

  const open = async () => {
    const opened = await testStore(join(folder.path, 'tandem.db'));
    store = {
      ...opened,
      commit: (unit) => {
        const done = opened.commit(unit);
        onCommit(unit);
        return done;
      },
    };
    outgoing = new Outgoing({
      store,
      vault,
      market: { instrument: () => undefined },
      clock,
      ids: createIds({ now: () => clock.now() }),
      logger,
      busyShare: () => 0,
      accounts: {
        all: () => [account],
        get: (id) => (id === account.id ? account : undefined),
        moneyOf: () => ({ mode: 'PAPER', network: null }),
      },
    });
    await outgoing.load();
    stop = outgoing.start();
  };
  const close = async () => {
    stop();
    await store.close();
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
    receiver = await HookReceiver.open();
    errors = [];
    isLocked = false;
    onCommit = () => {};
    const memory = createMemoryVault();
    vault = {
      ...memory,
      get: async (name) => (isLocked ? Promise.reject(new Error('locked')) : memory.get(name)),
    };
    await open();
    await store.commit({ users: [{ id: userId, ...owner }] });
  });
  afterEach(async () => {
    await close();
    await receiver.close();
    await folder.remove();
  });

  const wanted = (over: Partial<NewDestination> = {}): NewDestination => ({
    userId,
    kind: 'WEBHOOK',
    name: 'hook',
    address: receiver.url,
    wants: ['*'],
    tradeAccountIds: null,
    enabled: true,
    ...over,
  });
  const make = async () => {
    const made = await outgoing.create(wanted(), null, () => ({}));
    return unwrap(made).destination;
  };
  const happens = () =>
    store.commit({
      events: [
        { tradeAccountId: account.id, event: 'order.updated', entityId: nextId(), timestamp: clock.now() },
      ],
    });
  /** Lets what was heard be recorded and sent. */
  const gathered = () => clock.advance(25);

  it('changed by two at once, it has both changes, in memory and on disk', async () => {
    const one = await make();
    await Promise.all([
      outgoing.change(one, { name: 'renamed' }, {}),
      outgoing.change(one, { enabled: false }, {}),
      outgoing.rotate(one, 0, {}),
    ]);
    const [inMemory] = outgoing.list(userId, ['WEBHOOK']);
    expect(inMemory).to.deep.include({ name: 'renamed', enabled: false });
    const [onDisk] = await store.destinations();
    expect(onDisk).to.deep.include({ name: 'renamed', enabled: false });
  });

  it('there are never more than twenty, however many are asked for at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 25 }, () => outgoing.create(wanted(), null, () => ({}))),
    );
    expect(made.filter(({ ok }) => ok).length).to.equal(20);
    expect((await store.destinations()).length).to.equal(20);
  });

  it('removed while events are recorded for it, nothing is left that is tried for ever', async () => {
    const one = await make();
    let removing: Promise<unknown> | null = null;
    onCommit = ({ deliveries = [] }) => {
      if (deliveries.length > 0) removing ??= outgoing.remove(one, {});
    };
    await happens();
    await gathered();
    await untilSettled('it is removed', async () => removing !== null);
    await removing;
    await clock.advance(60_000);
    expect([outgoing.waitingOf(one.id), errors]).to.deep.equal([0, []]);
  });

  it('removed while it is asked to send again or to test, the answer is that it is gone', async () => {
    const one = await make();
    const tested = unwrap(await outgoing.test(one));
    receiver.answers = ['hang'];
    const testing = outgoing.test(one);
    await untilSettled('it is under way', async () => receiver.received.length === 2);
    const [again, removed] = await Promise.all([outgoing.redeliver(one, tested), outgoing.remove(one, {})]);
    await receiver.close();
    expect([again.ok, removed.ok]).to.deep.equal([true, true]);
    expect(await testing).to.deep.equal({ ok: false, error: { kind: 'not_found' } });
    expect(await outgoing.redeliver(one, tested)).to.deep.equal({
      ok: false,
      error: { kind: 'not_found' },
    });
    await clock.advance(60_000);
    expect([outgoing.waitingOf(one.id), errors]).to.deep.equal([0, []]);
  });

  it('what is asked for again waits within the same bound as everything', async () => {
    const one = await make();
    const tested = unwrap(await outgoing.test(one));
    receiver.answers = ['hang'];
    for (let asked = 0; asked < 1_000; asked += 1) await outgoing.redeliver(one, tested);
    const more = await outgoing.redeliver(one, tested);
    expect(more).to.deep.equal({ ok: false, error: { kind: 'full' } });
  });

  it('a vault that is locked for a while loses no delivery', async () => {
    const one = await make();
    await close();
    await open();
    isLocked = true;
    await happens();
    await gathered();
    await untilSettled('it was tried', async () => outgoing.lastAttempt(one.id) !== null);
    expect(outgoing.lastAttempt(one.id)).to.deep.include({ status: 'RETRYING' });
    isLocked = false;
    await clock.advance(11_000);
    await untilSettled('it has come', async () => receiver.received.length === 1);
  });

  it('a clock that is set back keeps nothing from it that happens from then on', async () => {
    await make();
    clock.jump(-3_600_000);
    await happens();
    await gathered();
    await untilSettled('it has come', async () => receiver.received.length === 1);
  });
});
