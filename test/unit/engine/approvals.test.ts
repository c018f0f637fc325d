/** Orders that wait for a person: every event in every state, races, lives of the process, and what whoever asked is told. */
import { expect } from 'chai';
import type { ApprovalStatus } from '../../../gateway/domain/approval.ts';
import { ApprovalRig, GRANT, idOf, LIFE_SECONDS } from '../../support/approval-rig.ts';
import { openForEachTest } from '../../support/open-for-tests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SUSPENDED = {
  code: 'AGENT_LIMIT',
  message: 'maxOrderUsd: 505 asked, 400 allowed',
  details: { limits: [{ limit: 'maxOrderUsd', allowed: '400', used: null, asked: '505' }] },
} as const;

describe('an order that waits for a person', () => {
  const rig = openForEachTest(async () => ApprovalRig.open(await temporaryFolder()));

  const known = (request = rig.request()) => rig.desk.known(GRANT, rig.account, request);

  const EVENTS = {
    approve: async (id: string) => rig.approve(id, (await rig.read(id)).planHash),
    deny: (id: string) => rig.deny(id),
    withdraw: (id: string) => rig.withdraw(id),
    expire: async () => rig.expire(),
    revoke: async () => rig.revoke(),
    suspend: async () => rig.suspend(),
    disarm: async () => rig.disarm(),
    remove: async () => rig.removeAccount(),
  };
  const ENDS: Readonly<Record<keyof typeof EVENTS, ApprovalStatus>> = {
    approve: 'APPROVED',
    deny: 'DENIED',
    withdraw: 'WITHDRAWN',
    expire: 'EXPIRED',
    revoke: 'WITHDRAWN',
    suspend: 'WITHDRAWN',
    disarm: 'WITHDRAWN',
    remove: 'WITHDRAWN',
  };
  const names = Object.keys(EVENTS) as (keyof typeof EVENTS)[];
  const settled = () => rig.desk.holderStopped(GRANT);

  it('waits: on disk with its audit entry, its event and a notification, and nothing is ordered', async () => {
    const answer = await rig.ask();
    expect(answer).to.deep.include({ code: 'RESOURCE_BUSY' });
    expect(answer.details).to.include({ reason: 'APPROVAL', status: 'PENDING' });
    const approval = await rig.read(idOf(answer));
    expect(approval).to.include({
      status: 'PENDING',
      holderName: 'Codex',
      aboveUsd: '250',
      expiresAt: rig.clock.now() + LIFE_SECONDS * 1_000,
    });
    expect(approval.planHash).to.match(/^[0-9a-f]{64}$/);
    expect(await rig.executions()).to.deep.equal([]);
    expect(await rig.audited()).to.deep.equal(['approval.requested']);
    const told = await rig.store.notifications(
      { userId: rig.userId, tradeAccountIds: null },
      { limit: 10, after: null },
    );
    expect(told.rows.map(({ category, parameters }) => [category, parameters.approvalId])).to.deep.equal([
      ['APPROVAL_NEEDED', approval.id],
    ]);
    const { events } = await rig.store.events(rig.account.id, 0, 10);
    expect(events.map(({ event }) => event)).to.deep.equal(['approval.created', 'notification.created']);
    expect(rig.desk.waiting(GRANT)).to.have.length(1);
  });

  for (const first of names) {
    it(`after ${first} it is ${ENDS[first]}, and nothing else moves it`, async () => {
      const { id, planHash } = await rig.waiting();
      await EVENTS[first](id);
      await settled();
      const ended = await rig.read(id);
      expect(ended.status).to.equal(ENDS[first]);
      expect(rig.desk.waiting(GRANT)).to.deep.equal([]);
      const executions = await rig.executions();
      expect(executions).to.have.length(first === 'approve' ? 1 : 0);
      expect(ended.madeId).to.equal(executions[0] ?? null);
      rig.mend();
      for (const second of ['approve', 'deny', 'withdraw'] as const) {
        const refused = await (second === 'approve' ? rig.approve(id, planHash) : EVENTS[second](id));
        expect(!refused.ok && refused.error).to.deep.include({
          code: 'NOOP_ERROR',
          details: { status: ENDS[first] },
        });
      }
      await rig.expire();
      await rig.revoke();
      expect(await rig.read(id)).to.deep.equal(ended);
      expect(await rig.executions()).to.deep.equal(executions);
      expect(await rig.audited()).to.deep.equal([
        'approval.requested',
        `approval.${ENDS[first].toLowerCase()}`,
      ]);
    });
  }

  it('fifty that decide at once: one outcome, at most one execution, one audit entry', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { id, planHash } = await rig.waiting(rig.keyed(`round ${round}`));
      const before = (await rig.executions()).length;
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const name = names[(index * 7 + round * 3) % names.length] ?? 'deny';
          return name === 'approve' ? rig.approve(id, planHash) : EVENTS[name](id);
        }),
      );
      await settled();
      const { status, madeId } = await rig.read(id);
      expect(status).to.not.equal('PENDING');
      const made = (await rig.executions()).length - before;
      expect([made, madeId === null]).to.deep.equal(status === 'APPROVED' ? [1, false] : [0, true]);
      rig.mend();
    }
    expect((await rig.audited()).filter((action) => action !== 'approval.requested')).to.have.length(50);
  });

  it('two programs on one file: the file takes one end, and nothing of the other', async () => {
    const { id, planHash } = await rig.waiting();
    const other = rig.desk;
    await rig.start();
    expect((await rig.deny(id)).ok).to.equal(true);
    const late = rig.desk;
    rig.desk = other;
    const refused = await rig.approve(id, planHash);
    expect(!refused.ok && refused.error.code).to.equal('RESOURCE_BUSY');
    expect(await rig.executions()).to.deep.equal([]);
    expect((await rig.read(id)).status).to.equal('DENIED');
    late.stop();
  });

  it('what expired while the gateway was off is EXPIRED at the start, and never placed', async () => {
    const { id, planHash } = await rig.waiting();
    rig.desk.stop();
    rig.clock.jump(LIFE_SECONDS * 1_000 + 1);
    await rig.start();
    expect((await rig.read(id)).status).to.equal('EXPIRED');
    const refused = await rig.approve(id, planHash);
    expect(!refused.ok && refused.error.code).to.equal('NOOP_ERROR');
    expect([rig.made, await rig.executions()]).to.deep.equal([0, []]);
  });

  it('what waits is there after a start, and can be approved', async () => {
    const { id, planHash } = await rig.waiting();
    await rig.start();
    expect(rig.desk.waiting(GRANT)).to.have.length(1);
    expect((await rig.approve(id, planHash)).ok).to.equal(true);
    expect(await rig.executions()).to.have.length(1);
  });

  it('expires by itself when its time is over', async () => {
    const { id } = await rig.waiting();
    await rig.clock.advance(LIFE_SECONDS * 1_000 - 1);
    expect((await rig.read(id)).status).to.equal('PENDING');
    await rig.clock.advance(1);
    await settled();
    expect((await rig.read(id)).status).to.equal('EXPIRED');
  });

  it('a market that moved further than the mandate lets it: 409 with new figures, which can then be approved', async () => {
    const { id, planHash } = await rig.waiting();
    rig.marks.set('BTC-PERP', '100501');
    const moved = await rig.approve(id, planHash);
    expect(!moved.ok && moved.error).to.deep.include({
      code: 'RESOURCE_BUSY',
      message: 'The price moved: look again',
      details: { reason: 'PRICE_MOVED' },
    });
    const next = await rig.read(id);
    expect(next.planHash).to.not.equal(planHash);
    expect(next.plan.legs[0]).to.include({ mark: '100501', worstPrice: '101506.01', worstUsd: '505' });
    const older = await rig.approve(id, planHash);
    expect(!older.ok && older.error.details).to.deep.equal({ reason: 'PLAN_CHANGED' });
    expect(await rig.executions()).to.deep.equal([]);
    expect((await rig.approve(id, next.planHash)).ok).to.equal(true);
    expect(await rig.executions()).to.have.length(1);
  });

  it('inside the drift it is placed with the worst price that was shown', async () => {
    const { id, planHash } = await rig.waiting();
    rig.marks.set('BTC-PERP', '100500');
    let worst: string | undefined;
    const approved = await rig.approve(id, planHash, (approval, run) => {
      worst = run.worstPrices.get('BTC-PERP');
      return rig.make(approval, run);
    });
    expect([approved.ok, worst]).to.deep.equal([true, '101000']);
  });

  it('a mandate that was changed meanwhile: look again', async () => {
    const { id, planHash } = await rig.waiting();
    rig.mandateVersion = 2;
    const changed = await rig.approve(id, planHash);
    expect(!changed.ok && changed.error.details).to.deep.equal({ reason: 'MANDATE_CHANGED' });
    expect((await rig.approve(id, (await rig.read(id)).planHash)).ok).to.equal(true);
  });

  it('what the engine refuses now is not approved, says why, and waits on', async () => {
    const { id, planHash } = await rig.waiting();
    rig.refusal = SUSPENDED;
    const refused = await rig.approve(id, planHash);
    expect(!refused.ok && refused.error).to.deep.include({
      code: 'RESOURCE_BUSY',
      message: `It cannot be placed now: ${SUSPENDED.message}`,
      details: { reason: 'NOT_NOW', errorCode: 'AGENT_LIMIT', refusal: SUSPENDED.details },
    });
    expect((await rig.read(id)).status).to.equal('PENDING');
    rig.refusal = null;
    expect((await rig.approve(id, planHash)).ok).to.equal(true);
  });

  it('an account that is gone, or an agent that was disconnected: withdrawn, and said so', async () => {
    const { id, planHash } = await rig.waiting();
    rig.isAccountThere = false;
    const gone = await rig.approve(id, planHash);
    expect(!gone.ok && gone.error).to.deep.include({
      code: 'NOOP_ERROR',
      message: 'Nothing to decide: Its trade account was removed',
    });
    expect(rig.made).to.equal(0);
    expect((await rig.read(id)).status).to.equal('WITHDRAWN');
  });

  it('somebody else neither decides nor takes it back', async () => {
    const before = await rig.waiting();
    const { id } = before;
    for (const refused of [
      await rig.desk.deny('somebody', id, 'session', { method: 'session', client: null, ip: null }),
      await rig.desk.withdraw({ kind: 'oauth_grant', id: 'another' }, rig.userId, id),
      await rig.desk.withdraw({ kind: 'api_key', id: GRANT.id }, rig.userId, id),
    ]) {
      expect(!refused.ok && refused.error.code).to.equal('RESOURCE_NOT_FOUND');
    }
    expect(await rig.read(id)).to.deep.equal(before);
  });

  it('a question that could not be written does not wait and counts for nothing', async () => {
    rig.storeRefuses = (unit) => unit.approvals !== undefined;
    expect((await rig.ask()).code).to.equal('DATABASE_ERROR');
    expect([rig.desk.waiting(GRANT), known()]).to.deep.equal([[], null]);
  });

  it('an approval that could not be written leaves no execution, and can be given again', async () => {
    const { id, planHash } = await rig.waiting();
    const failing = await rig.approve(id, planHash, async (_, { alongside }) => {
      alongside('never written');
      return { ok: false, error: { code: 'DATABASE_ERROR', message: 'full', details: {} } };
    });
    expect(!failing.ok && failing.error.code).to.equal('DATABASE_ERROR');
    expect((await rig.read(id)).status).to.equal('PENDING');
    expect((await rig.approve(id, planHash)).ok).to.equal(true);
    expect(await rig.executions()).to.have.length(1);
  });

  describe('what whoever asked is told when it asks again', () => {
    it('with its key: that it waits, then why not, for as long as keys are kept, over restarts', async () => {
      const request = rig.keyed('mine');
      const { id } = await rig.waiting(request);
      expect(known(request)).to.deep.include({ code: 'RESOURCE_BUSY' });
      expect(known(request)?.details).to.deep.include({ reason: 'APPROVAL', approvalId: id });
      await rig.deny(id);
      await rig.start();
      await rig.clock.advance(LIFE_SECONDS * 2_000);
      expect(known(request)).to.deep.include({
        code: 'AGENT_LIMIT',
        details: { reason: 'DENIED', approvalId: id, limits: [] },
      });
    });

    it('with its key for something else: that the key is taken', async () => {
      await rig.waiting(rig.keyed('mine'));
      expect(known(rig.keyed('mine', { legs: [] }))).to.deep.include({ code: 'VALIDATION_ERROR' });
    });

    it('without a key the same order is the same question until its time is over', async () => {
      const { id } = await rig.waiting();
      expect(idOf(known() ?? { code: 'AGENT_LIMIT', message: '', details: {} })).to.equal(id);
      expect(known(rig.request({ body: { legs: [] } }))).to.equal(null);
      expect(rig.desk.known({ kind: 'api_key', id: 'another' }, rig.account, rig.request())).to.equal(null);
      await rig.approve(id, (await rig.read(id)).planHash);
      expect(known()?.details).to.deep.include({ reason: 'APPROVAL', status: 'APPROVED' });
      await rig.clock.advance(LIFE_SECONDS * 1_000);
      expect(known()).to.equal(null);
    });

    it('at most five wait; the sixth is told so and leaves nothing behind', async () => {
      for (let index = 0; index < 5; index += 1) await rig.waiting(rig.keyed(`key ${index}`));
      const sixth = await rig.ask(rig.keyed('key 5'));
      expect(sixth.details).to.deep.equal({ reason: 'APPROVALS_FULL' });
      expect(known(rig.keyed('key 5'))).to.equal(null);
      expect(await rig.audited()).to.have.length(5);
    });

    it('five that are asked at once are five, and the sixth of them is refused', async () => {
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, index) => rig.ask(rig.keyed(`key ${index}`))),
      );
      expect(answers.filter(({ details }) => 'approvalId' in details)).to.have.length(5);
    });
  });

  it('the list of a user has those that wait first, page by page, each once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      await rig.clock.advance(1_000);
      const { id } = await rig.waiting(rig.keyed(`key ${index}`));
      ids.unshift(id);
      if (index % 2 === 0) await rig.deny(id);
    }
    const listed: string[] = [];
    let after = null;
    do {
      const page: Awaited<ReturnType<typeof rig.store.approvals>> = await rig.store.approvals(rig.userId, {
        limit: 2,
        after,
      });
      listed.push(...page.rows.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    const waiting = [ids[1], ids[3], ids[5]];
    expect(listed).to.deep.equal([...waiting, ids[0], ids[2], ids[4], ids[6]]);
  });
});
