/** The approval queue: repeated requests, its limit, its list, expiry by the clock alone, and a disk that refuses. */
import { expect } from 'chai';
import type { Approval } from '../../gateway/domain/approval.ts';
import { fail } from '../../gateway/domain/result.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { UnitOfWork } from '../../gateway/engine/ports/unit-of-work.ts';
import { openStore } from '../../gateway/store/open-store.ts';
import { AskedDesk, LARGE } from '../support/asked-desk.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { askingMandate } from '../support/mandates.ts';
import { openForEachTest } from '../support/open-for-tests.ts';

describe('the approval queue', () => {
  let store: Store;
  let refuses: (unit: UnitOfWork) => boolean;
  const desk = openForEachTest(() => {
    refuses = () => false;
    const opened: typeof openStore = async (options) => {
      store = await openStore(options);
      const { commit } = store;
      const full = fail({ kind: 'unavailable', message: 'disk full' } as const);
      return { ...store, commit: async (unit) => (refuses(unit) ? full : commit(unit)) };
    };
    return AskedDesk.open({ overrides: { openStore: opened } });
  });

  const asks = (over: Parameters<typeof askingMandate>[1]) =>
    desk.mandates.set(desk.keyId, { mandate: { approval: askingMandate([], over).approval } });
  const said = ({ status, json }: TestAnswer) => [status, json.errorCode];
  const isFull = ({ json }: TestAnswer) => json.details.reason === 'APPROVALS_FULL';
  const withdraw = (id: string, key = desk.bot.key) =>
    desk.gateway.request('DELETE', `/approvals/mine/${id}`, { headers: { 'x-api-key': key } });

  it('sends an event of each step, and expires by its timer, on time', async () => {
    asks({ lifeSeconds: 60 });
    const { id, planHash, expiresAt } = await desk.waiting();
    expect(planHash).to.match(/^[0-9a-f]{64}$/);
    expect(Date.parse(expiresAt)).to.equal(desk.gateway.clock.now() + 60_000);
    await desk.gateway.clock.advance(59_999);
    expect(await store.approval(id)).to.include({ status: 'PENDING', decidedAt: null });
    await desk.gateway.clock.advance(1);
    expect(await store.approval(id)).to.include({ status: 'EXPIRED', decidedAt: Date.parse(expiresAt) });
    const { events } = await store.events(desk.bot.accountId, 0, 100);
    const sent = events.map(({ event }) => event).filter((event) => /^(approval|notification)/.test(event));
    expect(sent).to.deep.equal([
      ...['approval.created', 'notification.created'],
      ...['approval.updated', 'notification.created'],
    ]);
  });

  it('a request without a key is the same question again, until its time is over', async () => {
    const idOf = ({ json }: TestAnswer): string => json.details.approvalId;
    const first = await desk.waiting();
    expect(idOf(await desk.ask())).to.equal(first.id);
    expect(idOf(await desk.ask(undefined, { slippage: '0.02' }))).to.not.equal(first.id);
    const approved = await desk.approve(first.id, first.planHash);
    await desk.bot.ended(approved.json.madeId);
    const again = await desk.ask();
    expect(again.json.details).to.deep.include({ reason: 'APPROVAL', status: 'APPROVED' });
    desk.gateway.clock.leap(600_000);
    expect(idOf(await desk.ask())).to.not.equal(first.id);
  });

  it('a key is for one request, and is answered with its end as long as keys are kept', async () => {
    const { id } = await desk.waiting('mine');
    const waits = await desk.ask('mine');
    expect(waits.json.details).to.deep.include({ reason: 'APPROVAL', status: 'PENDING', approvalId: id });
    const other = await desk.ask('mine', { slippage: '0.02' });
    expect(said(other)).to.deep.equal([400, 'VALIDATION_ERROR']);
    await desk.deny(id);
    await desk.gateway.restart();
    desk.gateway.clock.leap(1_200_000);
    const denied = await desk.ask('mine');
    expect(said(denied)).to.deep.equal([403, 'AGENT_LIMIT']);
    expect(denied.json.details).to.deep.equal({ reason: 'DENIED', approvalId: id, limits: [] });
  });

  it('holds five of whoever asks, also when all come at once; the next one leaves nothing behind', async () => {
    const keys = Array.from({ length: 9 }, (_, index) => `key ${index}`);
    const answers = await Promise.all(keys.map((key) => desk.ask(key)));
    expect(answers.filter((answer) => !isFull(answer))).to.have.length(5);
    expect((await desk.user('GET', '/approvals')).json.approvals).to.have.length(5);
    expect(isFull(await desk.ask('later'))).to.equal(true);
    const [waiting] = answers.filter((answer) => !isFull(answer));
    await desk.deny(waiting?.json.details.approvalId);
    expect((await desk.ask('later', { slippage: '0.02' })).json.details.reason).to.equal('APPROVAL');
  });

  it('lists pending ones first, page by page, each once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      desk.gateway.clock.leap(1_000);
      const { id } = await desk.waiting(`key ${index}`);
      ids.unshift(id);
      if (index % 2 === 0) await desk.deny(id);
    }
    const listed: string[] = [];
    let cursor = '';
    do {
      const { json } = await desk.user('GET', `/approvals?limit=2${cursor}`);
      listed.push(...json.approvals.map((one: Json) => one.id));
      cursor = json.nextCursor === undefined ? '' : `&cursor=${json.nextCursor}`;
    } while (cursor !== '');
    expect(listed).to.deep.equal([1, 3, 5, 0, 2, 4, 6].map((index) => ids[index]));
  });

  it('ends once, whoever decides at the same moment, and stays as it ended', async () => {
    const ends = new Map<string, Approval | null>();
    for (let round = 0; round < 8; round += 1) {
      const { id, planHash } = await desk.waiting(`round ${round}`);
      const before = (await desk.executions()).length;
      const approve = () => desk.approve(id, planHash);
      const decisions = [approve, () => desk.deny(id), () => withdraw(id), approve];
      const turned = decisions.map((_, index) => decisions[(index + round) % 4] ?? approve);
      const answers = await Promise.all(turned.map((decide) => decide()));
      const refused = answers.filter(({ status }) => status !== 200).map(said);
      expect(refused).to.deep.equal(Array(3).fill([409, 'NOOP_ERROR']));
      const ended = await store.approval(id);
      ends.set(id, ended);
      const isMade = ended?.status === 'APPROVED';
      expect([(await desk.executions()).length - before, ended?.madeId !== null]).to.deep.equal(
        isMade ? [1, true] : [0, false],
      );
      if (isMade) await desk.bot.ended(ended?.madeId ?? '');
    }
    desk.gateway.clock.leap(600_000);
    await desk.user('DELETE', `/api-keys/${desk.keyId}`);
    for (const [id, ended] of ends) {
      expect(said(await desk.approve(id, ended?.planHash ?? ''))).to.deep.equal([409, 'NOOP_ERROR']);
      expect(said(await desk.deny(id))).to.deep.equal([409, 'NOOP_ERROR']);
      expect(await store.approval(id)).to.deep.equal(ended);
    }
    const audit = await store.auditLog(desk.mandates.all()[0]?.userId ?? '', { limit: 100, after: null });
    const steps = audit.rows.filter(({ action }) => /^approval\.(?!requested)/.test(action));
    expect(steps).to.have.length(8);
  });

  it('another key of the same user does not withdraw it', async () => {
    const { id } = await desk.waiting();
    const made = await desk.user('POST', '/api-keys', { label: 'Other', scope: 'read_write' });
    expect(said(await withdraw(id, made.json.key))).to.deep.equal([404, 'RESOURCE_NOT_FOUND']);
    expect((await desk.read(id)).status).to.equal('PENDING');
  });

  it('needs no new look where the market moved as far as the mandate allows, and new figures beyond', async () => {
    asks({ driftBps: 0 });
    const still = await desk.waiting();
    expect((await desk.approve(still.id, still.planHash)).status).to.equal(200);
    const waits = await desk.waiting('moves', { legs: LARGE.slice(0, 1) });
    const [shown] = waits.plan.legs;
    await desk.gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1.02);
    await desk.gateway.clock.advance(5_000);
    const moved = await desk.approve(waits.id, waits.planHash);
    expect([moved.json.message, moved.json.details.reason]).to.deep.equal([
      'The price moved: look again',
      'PRICE_MOVED',
    ]);
    const [leg] = (await desk.read(waits.id)).plan.legs;
    expect(leg.mark).to.equal(leg.markNow);
    expect(Number(leg.mark)).to.be.above(Number(shown.mark));
    expect(leg.worstUsd).to.equal(shown.worstUsd);
    const moves = (name: string) => Number(leg[name]) / Number(shown[name]);
    expect(moves('worstPrice')).to.be.closeTo(moves('mark'), 1e-9);
    expect(moves('quantity')).to.be.closeTo(1 / moves('mark'), 1e-9);
  });

  it('a question that is not written does not wait; an approval that is not written places nothing', async () => {
    refuses = (unit) => unit.approvals !== undefined;
    expect(said(await desk.ask('mine'))).to.deep.equal([500, 'DATABASE_ERROR']);
    refuses = () => false;
    expect((await desk.user('GET', '/approvals')).json).to.deep.include({ approvals: [], waiting: 0 });
    const { id, planHash } = await desk.waiting('mine', { slippage: '0.02' });
    refuses = (unit) => unit.newExecutions !== undefined;
    expect(said(await desk.approve(id, planHash))).to.deep.equal([500, 'DATABASE_ERROR']);
    refuses = () => false;
    expect([(await desk.read(id)).status, await desk.executions()]).to.deep.equal(['PENDING', []]);
    expect((await desk.approve(id, planHash)).status).to.equal(200);
    expect(await desk.executions()).to.have.length(1);
  });

  it('an end that is on disk alone counts: nothing is placed', async () => {
    const { id, planHash } = await desk.waiting();
    const approval = await store.approval(id);
    if (approval === null) throw new Error('no approval');
    expect((await store.commit({ approvals: [{ ...approval, status: 'DENIED' }] })).ok).to.equal(true);
    expect(said(await desk.approve(id, planHash))).to.deep.equal([409, 'RESOURCE_BUSY']);
    expect([(await desk.read(id)).status, await desk.executions()]).to.deep.equal(['DENIED', []]);
  });
});
