/** Claims of the authorization server on a real file: one winner, all or nothing, bounds, what retention leaves. */
import { expect } from 'chai';
import type { AuditEntry } from '../../../gateway/domain/audit.ts';
import type { OAuthClient, OAuthGrant, OAuthInteraction } from '../../../gateway/domain/oauth.ts';
import type { OAuthStore } from '../../../gateway/engine/ports/oauth.ts';
import { agentNotice } from '../../../gateway/oauth/agent-notice.ts';
import { auditOf, codeOf, grantOf, interaction } from '../../support/oauth-records.ts';
import { nextId, START, storeForEachTest, user } from '../../support/store-records.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const won = { ok: true, value: true };
const lost = { ok: true, value: false };

describe('store: the authorization server', () => {
  const store = storeForEachTest();
  let oauth: OAuthStore;
  let userId: string;

  beforeEach(async () => {
    oauth = store.oauth;
    const owner = user();
    userId = owner.id;
    await store.commit({ users: [owner] });
  });

  const refreshToken = (grantId: string, tokenHash: string, issuedAt: number) => ({
    grantId,
    tokenHash,
    familyHash: `family of ${grantId}`,
    previousHash: null,
    issuedAt,
  });
  const client = (over: Partial<OAuthClient> = {}): OAuthClient => ({
    id: nextId(),
    redirectUris: ['https://agent.example/cb', 'http://localhost/cb?x=1'],
    grantTypes: ['authorization_code', 'refresh_token'],
    name: 'Agent',
    createdAt: START,
    ...over,
  });
  const grant = (over: Partial<OAuthGrant> = {}) => grantOf(userId, over);
  const audit = (over: Partial<AuditEntry> = {}) => auditOf(userId, over);

  /** A consent without limits, in nobody's place. */
  const alone = () => ({ audit: [audit()], mandate: null, replaces: null });

  /** An interaction that waits for consent. */
  async function deciding(over: Partial<OAuthInteraction> = {}): Promise<OAuthInteraction> {
    const made = interaction({ prompt: 'CONSENT', userId, ...over });
    await oauth.addInteraction(made, 1_000);
    return made;
  }

  async function approved(over: Partial<OAuthGrant> = {}): Promise<OAuthGrant> {
    const { uid } = await deciding();
    const made = grant(over);
    const result = await oauth.approveInteraction({
      uid,
      grant: made,
      code: codeOf(made),
      maxGrants: 10,
      ...alone(),
    });
    expect(result).to.deep.equal({ ok: true, value: 'approved' });
    return made;
  }

  const redeem = (made: OAuthGrant, tokenHash: string | null, grantExpiresAt = START + DAY_MS) =>
    oauth.redeemCode({
      codeHash: codeOf(made).codeHash,
      grantId: made.id,
      at: START,
      grantExpiresAt,
      refreshToken: tokenHash === null ? null : refreshToken(made.id, tokenHash, START),
      audit: audit({ action: 'agent.connected' }),
      notification: agentNotice({ next: nextId }, 'AGENT_CONNECTED', made, START),
    });
  const revoke = (made: OAuthGrant) =>
    oauth.revokeGrant({
      grantId: made.id,
      at: START,
      leftWaiting: 'CANCEL',
      audit: audit(),
      notification: agentNotice({ next: nextId }, 'AGENT_REVOKED', made, START),
    });
  const rotate = (made: OAuthGrant, currentHash: string, tokenHash: string) =>
    oauth.rotateRefreshToken({
      currentHash,
      next: refreshToken(made.id, tokenHash, START + 1),
      grantExpiresAt: START + 2 * DAY_MS,
    });
  const log = async () => (await store.auditLog(userId, { limit: 100, after: null })).rows;

  it('records come back as they went in', async () => {
    const unnamed = client({ name: null, grantTypes: [] });
    for (const made of [client(), unnamed]) {
      expect(await oauth.addClient(made, 10)).to.deep.equal(won);
      expect(await oauth.client(made.id)).to.deep.equal(made);
    }
    const open = await deciding({ state: null });
    expect(await oauth.interaction(open.uid)).to.deep.equal(open);
    const made = await approved();
    expect(await oauth.code(codeOf(made).codeHash)).to.deep.equal(codeOf(made));
    expect(await oauth.grants()).to.deep.equal([made]);
    expect(await oauth.client('nobody')).to.equal(null);
  });

  describe('one winner', () => {
    it('of fifty that redeem one code', async () => {
      const made = await approved();
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) => redeem(made, `token ${index}`)),
      );
      expect(results.filter((result) => result.ok && result.value)).to.have.length(1);
      const winner = results.findIndex((result) => result.ok && result.value);
      expect((await oauth.refreshToken(`token ${winner}`))?.grantId).to.equal(made.id);
      expect((await log()).filter(({ action }) => action === 'agent.connected')).to.have.length(1);
    });

    it('of fifty that rotate one token', async () => {
      const made = await approved();
      await redeem(made, 'first');
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) => rotate(made, 'first', `next ${index}`)),
      );
      expect(results.filter((result) => result.ok && result.value)).to.have.length(1);
      expect(await oauth.refreshToken('first')).to.equal(null);
    });

    it('of two that sign in, confirm or refuse', async () => {
      const open = interaction();
      await oauth.addInteraction(open, 10);
      const binds = [oauth.bindInteraction(open.uid, userId), oauth.bindInteraction(open.uid, 'another')];
      expect(await Promise.all(binds)).to.deep.equal([won, lost]);
      expect((await oauth.interaction(open.uid))?.userId).to.equal(userId);
      expect(await oauth.abortInteraction(open.uid, audit({ userId: 'another' }))).to.deep.equal(lost);
      const ends = [oauth.abortInteraction(open.uid, audit()), oauth.abortInteraction(open.uid, audit())];
      expect(await Promise.all(ends)).to.deep.equal([won, lost]);
    });
  });

  describe('all or nothing', () => {
    it('a grant above the cap leaves the interaction open and nothing else', async () => {
      for (let count = 0; count < 10; count += 1) await approved();
      const { uid } = await deciding();
      const eleventh = grant();
      const approve = (maxGrants: number) =>
        oauth.approveInteraction({
          uid,
          grant: eleventh,
          code: codeOf(eleventh),
          maxGrants,
          ...alone(),
        });
      expect(await approve(10)).to.deep.equal({ ok: true, value: 'too_many_grants' });
      expect(await oauth.interaction(uid)).to.not.equal(null);
      expect(await oauth.code(codeOf(eleventh).codeHash)).to.equal(null);
      expect(await log()).to.have.length(10);
      expect(await approve(11)).to.deep.equal({ ok: true, value: 'approved' });
      expect(await approve(99)).to.deep.equal({ ok: true, value: 'ended' });
    });

    it('a place is held by what is active or may still be redeemed, and by nothing else', async () => {
      const revoked = await approved();
      await redeem(revoked, null);
      expect(await revoke(revoked)).to.deep.equal(won);
      await approved({ expiresAt: START });
      const { uid } = await deciding();
      const made = grant();
      const only = { uid, grant: made, code: codeOf(made), maxGrants: 1, ...alone() };
      expect(await oauth.approveInteraction(only)).to.deep.equal({ ok: true, value: 'approved' });
    });

    it('a revoked grant gives out nothing more', async () => {
      const made = await approved();
      await redeem(made, 'token');
      expect(await revoke(made)).to.deep.equal(won);
      expect(await revoke(made)).to.deep.equal(lost);
      expect(await rotate(made, 'token', 'next')).to.deep.equal(lost);
      expect((await oauth.refreshToken('token'))?.tokenHash, 'the rotation left no trace').to.equal('token');
    });

    it('a claim between other writes takes its turn and leaves them alone', async () => {
      const made = await approved();
      const settings = (value: string) => store.commit({ settings: [{ key: 'k', value }] });
      const [, claim] = await Promise.all([
        settings('a'),
        redeem(made, 'token'),
        settings('b'),
        redeem(made, 'other'),
      ]);
      expect(claim).to.deep.equal(won);
      expect(await store.setting('k')).to.equal('b');
    });
  });

  describe('bounds', () => {
    it('of clients, the oldest that nobody has connected goes', async () => {
      const connected = client({ createdAt: START - 3 });
      const decidedOn = client({ createdAt: START - 2 });
      const idle = client({ createdAt: START - 1 });
      for (const made of [connected, decidedOn, idle]) await oauth.addClient(made, 3);
      await approved({ clientId: connected.id });
      await deciding({ clientId: decidedOn.id });
      const newest = client();
      expect(await oauth.addClient(newest, 3)).to.deep.equal(won);
      expect(await oauth.client(idle.id)).to.equal(null);
      for (const { id } of [connected, decidedOn, newest]) expect((await oauth.client(id))?.id).to.equal(id);
      await deciding({ clientId: newest.id });
      expect(await oauth.addClient(client(), 3), 'all are in use').to.deep.equal(lost);
    });

    it('of interactions, the expired go, then those without a person, oldest first', async () => {
      const expired = interaction({ expiresAt: START });
      const old = interaction({ createdAt: START - 1 });
      const young = interaction();
      for (const made of [expired, old, young]) await oauth.addInteraction(made, 10);
      const held = await deciding({ createdAt: START - 5 });
      await oauth.addInteraction(interaction(), 3);
      const there = async (made: OAuthInteraction) => (await oauth.interaction(made.uid)) !== null;
      expect(await there(expired)).to.equal(false);
      expect(await there(old)).to.equal(false);
      expect(await there(young)).to.equal(true);
      expect(await there(held)).to.equal(true);
    });
  });

  it('retention removes ended interactions, grants a month after their end with all of theirs, audit after a year', async () => {
    const open = await deciding();
    const ended = await approved();
    await redeem(ended, 'ended', START);
    const standing = await approved();
    await redeem(standing, 'standing', START + 1);
    await store.commit({ audit: [audit({ at: START + 1 })] });

    await store.prune(START + 10 * MINUTE_MS - 1);
    expect(await oauth.interaction(open.uid)).to.not.equal(null);
    await store.prune(START + 30 * DAY_MS);
    expect(await oauth.interaction(open.uid)).to.equal(null);
    expect((await oauth.grants()).map(({ id }) => id)).to.deep.equal([standing.id]);
    expect(await oauth.refreshToken('ended')).to.equal(null);
    expect(await oauth.code(codeOf(ended).codeHash)).to.equal(null);
    expect((await oauth.refreshToken('standing'))?.grantId).to.equal(standing.id);
    expect(await oauth.code(codeOf(standing).codeHash)).to.not.equal(null);
    await store.prune(START + 365 * DAY_MS);
    expect((await log()).map(({ at }) => at)).to.deep.equal([START + 1]);
  });
});
