import { expect } from 'chai';
import type { Notification } from '../../../gateway/domain/notification.ts';
import type { NotificationOwner } from '../../../gateway/engine/ports/store.ts';
import { notice } from '../../support/resting-rows.ts';
import { nextId, START, storeForEachTest } from '../../support/store-records.ts';

const ALL: NotificationOwner = { userId: 'user', tradeAccountIds: null };

describe('store: notifications', () => {
  const store = storeForEachTest();
  let old: Notification;
  let read: Notification;
  let general: Notification;
  let foreign: Notification;

  beforeEach(async () => {
    old = notice();
    read = notice({ createdAt: START + 1, isRead: true });
    general = notice({
      createdAt: START + 2,
      category: 'CONNECTOR_DEGRADED',
      parameters: { connector: 'paper' },
    });
    foreign = notice({ userId: 'another', createdAt: START + 3 });
    await store.commit({ notifications: [old, read, general, foreign] });
  });

  const list = async (filter: object, owner = ALL) =>
    (await store.notifications({ ...owner, ...filter }, { limit: 10, after: null })).rows;
  const mark = async (which: { id: string } | { before: number }, isRead: boolean, owner = ALL) => {
    const marked = await store.markNotifications(owner, which, isRead, START + 50);
    return marked.ok ? marked.value : marked.error.kind;
  };

  it('lists the newest first, by state and time, to the letter', async () => {
    expect(await list({})).to.deep.equal([general, read, old]);
    expect(await list({ isRead: true })).to.deep.equal([read]);
    expect(await list({ isRead: false })).to.deep.equal([general, old]);
    expect(await list({ from: START + 1 })).to.deep.equal([general, read]);
    expect(await list({ to: START + 2 })).to.deep.equal([read, old]);
    expect(await list({ from: START + 1, to: START + 2 })).to.deep.equal([read]);
  });

  it('shows an owner of some accounts what belongs to them', async () => {
    expect(await list({}, { userId: 'user', tradeAccountIds: ['account'] })).to.deep.equal([read, old]);
    expect(await list({}, { userId: 'user', tradeAccountIds: ['other'] })).to.deep.equal([]);
    expect(await list({}, { userId: 'user', tradeAccountIds: [] })).to.deep.equal([]);
  });

  it('counts what it changed: one by id, once, and never another user’s', async () => {
    expect(await mark({ id: old.id }, true)).to.equal(1);
    expect(await mark({ id: old.id }, true)).to.equal(0);
    expect(await mark({ id: foreign.id }, true)).to.equal(0);
    expect(await mark({ id: nextId() }, true)).to.equal(0);
    expect(await list({ isRead: false })).to.deep.equal([general]);
    const [, , changed] = await list({});
    expect(changed).to.deep.equal({ ...old, isRead: true, updatedAt: START + 50 });
    expect(await mark({ id: old.id }, false)).to.equal(1);
    expect(await list({ isRead: false })).to.have.length(2);
  });

  it('marks all up to a moment, within the accounts of the owner', async () => {
    const limited = { userId: 'user', tradeAccountIds: ['account'] };
    expect(await mark({ before: START - 1 }, true)).to.equal(0);
    expect(await mark({ before: START + 9 }, true, limited)).to.equal(1);
    expect(await mark({ before: START + 9 }, true)).to.equal(1);
    expect(await list({ isRead: false })).to.deep.equal([]);
    expect(await list({ isRead: false }, { userId: 'another', tradeAccountIds: null })).to.have.length(1);
  });
});
