/** Orders of programs and agents that wait for their user, through the routes, with the mandate that asks for them. */
import { expect } from 'chai';
import { AskedDesk, LADDER, LARGE, PASSWORD, SMALL } from '../support/asked-desk.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

describe('approvals', () => {
  let desk: AskedDesk;
  const clock = createFakeClock();
  beforeEach(async () => {
    desk = await AskedDesk.open({ clock });
  });
  afterEach(() => desk.gateway.close());

  it('an order below what has to be asked about goes; one above waits, until it is approved and fills', async () => {
    await desk.bot.open(SMALL);
    const [first] = await desk.executions();
    const asked = await desk.ask('mine', {}, { 'agent-reason': encodeURIComponent('The spread is wide') });
    expect([asked.status, asked.json.errorCode]).to.deep.equal([409, 'RESOURCE_BUSY']);
    expect(asked.json.details).to.include({ reason: 'APPROVAL', status: 'PENDING' });
    expect(await desk.executions()).to.deep.equal([first]);
    const listed = (await desk.user('GET', '/approvals')).json;
    expect(listed.waiting).to.equal(1);
    const [approval] = listed.approvals;
    expect(approval).to.deep.include({
      id: asked.json.details.approvalId,
      status: 'PENDING',
      kind: 'now',
      route: 'POST /trade/open',
      reasons: ['ABOVE'],
      aboveUsd: '250',
      says: 'The spread is wide',
      needsPassword: false,
    });
    expect(approval.asker).to.deep.include({ kind: 'api_key', name: 'test' });
    expect(approval.account).to.deep.include({ id: desk.bot.accountId, mode: 'PAPER' });
    expect(approval.plan.legs.map((leg: Json) => [leg.symbol, leg.side])).to.deep.equal([
      ['BTC-PERP', 'BUY'],
      ['ETH-PERP', 'SELL'],
    ]);
    const approved = await desk.approve(approval.id, approval.planHash);
    expect([approved.status, approved.json.status, approved.json.decidedBy]).to.deep.equal([
      200,
      'APPROVED',
      'this session',
    ]);
    const execution = await desk.bot.ended(approved.json.madeId);
    expect(execution.status).to.equal('COMPLETED');
    expect(execution.authority).to.deep.equal({ kind: 'api_key', name: 'test' });
    expect(await desk.executions()).to.have.length(2);
    // The program's loop goes on with the same key, and gets the answer of its own order.
    const again = await desk.ask('mine');
    expect([again.status, again.json.execution.id]).to.deep.equal([202, execution.id]);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    const own = await desk.bot.call('GET', `/approvals/mine/${approval.id}`);
    expect(own.json).to.include({ status: 'APPROVED', madeId: execution.id });
  });

  it('is sized again when it is approved, and never leaves at a worse price than was shown', async () => {
    const waits = await desk.waiting('moved', { legs: [usd('BTC', 'BUY', '800')], slippage: '0.02' });
    const [leg] = waits.plan.legs;
    await desk.gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1.01);
    await until(clock, 'the mark has moved', async () => {
      const [now] = (await desk.read(waits.id)).plan.legs;
      return Number(now.markNow) > Number(leg.mark) * 1.005;
    });
    const approved = await desk.approve(waits.id, waits.planHash);
    const execution = await desk.bot.ended(approved.json.madeId);
    expect(execution.status, execution.error).to.equal('COMPLETED');
    const [order] = execution.orders;
    expect(order.limitPrice).to.equal(leg.worstPrice);
    expect(Number(order.quantity)).to.be.below(Number(leg.quantity));
  });

  it('denied: nothing is ordered, and whoever asked is told so', async () => {
    const { id, planHash } = await desk.waiting('mine');
    expect((await desk.deny(id)).json).to.include({ status: 'DENIED', madeId: null });
    const again = await desk.ask('mine');
    expect([again.status, again.json.errorCode, again.json.details.reason]).to.deep.equal([
      403,
      'AGENT_LIMIT',
      'DENIED',
    ]);
    const late = await desk.approve(id, planHash);
    expect([late.status, late.json.errorCode]).to.deep.equal([409, 'NOOP_ERROR']);
    expect(await desk.executions()).to.deep.equal([]);
  });

  it('every kind of order that waits on the gateway is made when it is approved, and not before', async () => {
    const condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000000' };
    const kinds = [
      ['/triggers/open', '/triggers', 'triggers', { legs: LARGE, condition }],
      ['/ladders', '/ladders', 'ladders', LADDER],
      ['/schedules', '/schedules', 'schedules', { legs: LARGE, durationSeconds: 600, intervalSeconds: 60 }],
    ] as const;
    for (const [path, list, name, body] of kinds) {
      const asked = await desk.bot.call('POST', path, body);
      expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
      expect((await desk.bot.call('GET', list)).json[name]).to.deep.equal([]);
      const { id, planHash } = await desk.read(asked.json.details.approvalId);
      const approved = await desk.approve(id, planHash);
      expect(approved.status, approved.text).to.equal(200);
      const made: Json[] = (await desk.bot.call('GET', list)).json[name];
      expect(made.map((one) => one.id)).to.deep.equal([approved.json.madeId]);
      expect(made[0].authority).to.deep.equal({ kind: 'api_key', name: 'test' });
    }
  });

  it('brakes and a tighter mandate: approve is refused and says why; it waits on', async () => {
    const { id, planHash } = await desk.waiting();
    await desk.user('POST', '/safety/pause');
    const paused = await desk.approve(id, planHash);
    expect([paused.status, paused.json.details.reason, paused.json.details.refusal.reason]).to.deep.equal([
      409,
      'NOT_NOW',
      'PAUSED',
    ]);
    await desk.user('POST', '/safety/resume');
    desk.mandates.set(desk.keyId, { mandate: { maxOrderUsd: '500' } });
    const tightened = await desk.approve(id, planHash);
    expect(tightened.json.details.reason).to.equal('MANDATE_CHANGED');
    const refused = await desk.approve(id, (await desk.read(id)).planHash);
    expect(refused.json.details.refusal.limits[0]).to.include({ limit: 'maxOrderUsd', allowed: '500' });
    expect([(await desk.read(id)).status, await desk.executions()]).to.deep.equal(['PENDING', []]);
    desk.mandates.set(desk.keyId, { mandate: { maxOrderUsd: null } });
    const loosened = await desk.approve(id, (await desk.read(id)).planHash);
    expect(loosened.json.details.reason).to.equal('MANDATE_CHANGED');
    const approved = await desk.approve(id, (await desk.read(id)).planHash);
    expect([approved.status, approved.json.status]).to.deep.equal([200, 'APPROVED']);
    expect(await desk.executions()).to.have.length(1);
  });

  it('a suspension ends it, also when nobody tells of it: resuming does not bring it back', async () => {
    const { id, planHash } = await desk.waiting('mine');
    desk.mandates.suspend({ kind: 'api_key', id: desk.keyId }, 'too much lost');
    const suspended = await desk.approve(id, planHash);
    expect([suspended.status, suspended.json.errorCode]).to.deep.equal([409, 'NOOP_ERROR']);
    desk.mandates.set(desk.keyId, { suspended: null });
    const resumed = await desk.approve(id, planHash);
    expect(resumed.json.message).to.equal('Nothing to decide: Whoever asked for it was suspended');
    const again = await desk.ask('mine');
    expect([again.status, again.json.details.reason]).to.deep.equal([403, 'WITHDRAWN']);
    expect([(await desk.read(id)).status, await desk.executions()]).to.deep.equal(['WITHDRAWN', []]);
  });

  it('a key that is revoked, or is not bound any more: withdrawn', async () => {
    const first = await desk.waiting('first');
    desk.mandates.end(desk.keyId);
    const unbound = await desk.approve(first.id, first.planHash);
    expect([unbound.status, unbound.json.errorCode]).to.deep.equal([409, 'NOOP_ERROR']);
    expect(await desk.read(first.id)).to.include({ status: 'WITHDRAWN' });
    await desk.gateway.close();
    desk = await AskedDesk.open({ clock });
    const second = await desk.waiting('second');
    await desk.user('DELETE', `/api-keys/${desk.keyId}`);
    expect(await desk.read(second.id)).to.include({ status: 'WITHDRAWN' });
  });

  describe('the password', () => {
    it('is asked for again above the size that its user named, and a wrong one approves nothing', async () => {
      const { approval } = desk.mandates.all()[0]?.mandate ?? {};
      if (approval === undefined) throw new Error('no mandate');
      desk.mandates.set(desk.keyId, { mandate: { approval: { ...approval, passwordAboveUsd: '500' } } });
      const { id, planHash, needsPassword } = await desk.waiting();
      expect(needsPassword).to.equal(true);
      const problem = async (password?: string) => {
        const { status, json } = await desk.approve(id, planHash, password);
        return [status, json.details?.[0]?.path, json.details?.[0]?.message];
      };
      expect(await problem()).to.deep.equal([400, 'password', 'Your password is needed for this']);
      expect(await problem('not the password')).to.deep.equal([400, 'password', 'Wrong password']);
      expect(await desk.executions()).to.deep.equal([]);
      expect((await desk.approve(id, planHash, PASSWORD)).status).to.equal(200);
    });

    it('is asked for again after a quarter of an hour in which nobody showed to be there', async () => {
      clock.leap(15 * 60_000);
      await desk.refresh();
      const { id, planHash, needsPassword } = await desk.waiting();
      expect(needsPassword).to.equal(true);
      expect((await desk.approve(id, planHash)).status).to.equal(400);
      expect((await desk.deny(id)).status).to.equal(200);
      const other = await desk.waiting('another');
      const approved = await desk.approve(other.id, other.planHash, PASSWORD);
      expect(approved.status).to.equal(200);
      await desk.bot.ended(approved.json.madeId);
      expect((await desk.waiting('a third')).needsPassword).to.equal(false);
    });
  });

  it('nobody but its user decides: not the key that asked, another key, an agent, or another user', async () => {
    const { id, planHash } = await desk.waiting();
    const other = await desk.gateway.register('bob@example.test');
    const stranger = { authorization: `Bearer ${other.accessToken}` };
    for (const [method, path, body] of [
      ['POST', `/approvals/${id}/approve`, { planHash }],
      ['POST', `/approvals/${id}/deny`, undefined],
      ['GET', `/approvals/${id}`, undefined],
      ['GET', '/approvals', undefined],
    ] as const) {
      const byKey = await desk.bot.call(method, path, body);
      expect([byKey.status, byKey.json.message]).to.deep.equal([
        403,
        "Auth method 'api_key' is not permitted on this route",
      ]);
      const bySomebody = await desk.gateway.request(method, path, {
        headers: stranger,
        ...(body === undefined ? {} : { body }),
      });
      expect(bySomebody.status, path).to.equal(path === '/approvals' ? 200 : 404);
    }
    expect(
      (await desk.gateway.request('GET', '/approvals', { headers: stranger })).json.approvals,
    ).to.deep.equal([]);
    await desk.gateway.expect('GET', `/approvals/mine/${id}`, { headers: stranger }, 404);
    expect((await desk.read(id)).status).to.equal('PENDING');
  });

  it('is told of: events, a notification and the audit log', async () => {
    const { id, planHash } = await desk.waiting();
    await desk.approve(id, planHash);
    const { notifications } = (await desk.user('GET', '/notifications')).json;
    const { parameters } = notifications.find((one: Json) => one.category === 'APPROVAL_NEEDED');
    expect(parameters).to.deep.include({ approvalId: id, type: 'approval' });
    // The amount before the name, which is as long as its client likes: an end may be cut.
    expect(parameters.reason).to.match(/^Counts as \d+\.\d\d USD, asked for by \S/);
    const { auditEntries } = (await desk.user('GET', '/audit-log')).json;
    const about = auditEntries.filter((entry: Json) => entry.subjectId === id);
    expect(about.map((entry: Json) => [entry.action, entry.method])).to.deep.equal([
      ['approval.approved', 'session'],
      ['approval.requested', 'api_key'],
    ]);
  });
});

describe('approvals, over the lives of a gateway', () => {
  let running: TestGateway | null = null;
  afterEach(() => running?.close());

  it('what waited while the gateway was off is there; what expired meanwhile is EXPIRED and never placed', async () => {
    const dataDir = await temporaryFolder();
    const clock = createFakeClock();
    const desk = await AskedDesk.open({ dataDir, clock });
    const { mandates } = desk;
    running = desk.gateway;
    const gone = await desk.waiting('gone');
    clock.leap(300_000);
    const late = await desk.waiting('late');
    await desk.gateway.close();
    clock.leap(300_000);
    const again = { dataDir, clock, overrides: { mandates } };
    const second = desk.on(await startTestGateway(again));
    running = second.gateway;
    await second.refresh();
    expect((await second.read(gone.id)).status).to.equal('EXPIRED');
    expect((await second.read(late.id)).status).to.equal('PENDING');
    await second.gateway.close();
    clock.leap(600_000);
    const third = second.on(await startTestGateway(again));
    running = third.gateway;
    await third.refresh();
    expect((await third.read(late.id)).status).to.equal('EXPIRED');
    const asked = await third.ask('late');
    expect([asked.status, asked.json.details.reason]).to.deep.equal([403, 'EXPIRED']);
    expect(await third.executions()).to.deep.equal([]);
  });
});
