import { expect } from 'chai';
import type { AuditEntry } from '../../../gateway/domain/audit.ts';
import type { OAuthGrant } from '../../../gateway/domain/oauth.ts';
import { fail } from '../../../gateway/domain/result.ts';
import type { OAuthStore } from '../../../gateway/engine/ports/oauth.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { agentNotice } from '../../../gateway/oauth/agent-notice.ts';
import { type Grants, loadGrants } from '../../../gateway/oauth/grants.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { auditOf, codeOf, grantOf, interaction } from '../../support/oauth-records.ts';
import { nextId, silentLogger, temporaryFolder, testStore, user } from '../../support/store-records.ts';

const HOUR_MS = 3_600_000;

describe('the grants in memory', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: Store;
  let clock: FakeClock;
  let grants: Grants;
  let grant: OAuthGrant;
  let diskIsFull: boolean;
  let audit: AuditEntry;

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = createFakeClock();
    store = await testStore(`${folder.path}/tandem.db`, { clock });
    diskIsFull = false;
    const owner = user();
    await store.commit({ users: [owner] });
    grant = await connected(owner.id);
    audit = auditOf(owner.id);
    const { revokeGrant } = store.oauth;
    const oauth: OAuthStore = {
      ...store.oauth,
      revokeGrant: async (...given) =>
        diskIsFull ? fail({ kind: 'unavailable', message: 'full' }) : revokeGrant(...given),
    };
    grants = await loadGrants({ store: oauth, clock, ids: { next: nextId }, logger: silentLogger });
  });
  afterEach(async () => {
    grants.close();
    await store.close();
    await folder.remove();
  });

  /** A grant as a consent and a redeemed code leave it. */
  async function connected(userId: string): Promise<OAuthGrant> {
    const now = clock.now();
    const asked = interaction({ prompt: 'CONSENT', userId, expiresAt: now + HOUR_MS });
    await store.oauth.addInteraction(asked, 10);
    const pending = grantOf(userId, { connectedAt: now, expiresAt: now + 60_000 });
    const code = codeOf(pending);
    await store.oauth.approveInteraction({
      uid: asked.uid,
      grant: pending,
      code,
      maxGrants: 10,
      audit: [auditOf(userId)],
      mandate: null,
      replaces: null,
    });
    await store.oauth.redeemCode({
      codeHash: code.codeHash,
      grantId: pending.id,
      at: now,
      grantExpiresAt: now + HOUR_MS,
      refreshToken: null,
      audit: auditOf(userId),
      notification: agentNotice({ next: nextId }, 'AGENT_CONNECTED', pending, now),
    });
    return { ...pending, status: 'ACTIVE', expiresAt: now + HOUR_MS };
  }

  it('are what the disk holds, and stand until they expire', async () => {
    expect(grants.get(grant.id)).to.deep.equal(grant);
    expect(grants.status(grant.id)).to.equal('active');
    expect(grants.status('nobody')).to.equal('revoked');
    await clock.advance(HOUR_MS);
    expect(grants.status(grant.id)).to.equal('revoked');
    expect(grants.activeOf(grant.userId)).to.deep.equal([]);
    expect(await grants.revoke(grant.id, audit)).to.deep.equal({ ok: true, value: false });
  });

  it('a revocation that is on its way refuses already; two at once are one', async () => {
    const first = grants.revoke(grant.id, audit);
    expect(grants.status(grant.id)).to.equal('unavailable');
    const second = await grants.revoke(grant.id, { ...audit, id: nextId() });
    expect(second.ok).to.equal(false);
    expect(await first).to.deep.equal({ ok: true, value: true });
    expect(grants.status(grant.id)).to.equal('revoked');
    expect(grants.get(grant.id)?.revokedAt).to.equal(clock.now());
  });

  it('a revocation that cannot be written refuses the token, and is tried until it is', async () => {
    diskIsFull = true;
    expect((await grants.revoke(grant.id, audit)).ok).to.equal(false);
    for (let tries = 0; tries < 3; tries += 1) {
      await clock.advance(5_000);
      expect(grants.status(grant.id)).to.equal('unavailable');
    }
    diskIsFull = false;
    await clock.advance(5_000);
    while (grants.status(grant.id) === 'unavailable') await new Promise((resolve) => setImmediate(resolve));
    expect(grants.status(grant.id)).to.equal('revoked');
    const [onDisk] = await store.oauth.grants();
    expect(onDisk?.status).to.equal('REVOKED');
    expect(clock.pending()).to.equal(0);
  });

  it('closing gives up what could not be written', async () => {
    diskIsFull = true;
    await grants.revoke(grant.id, audit);
    grants.close();
    expect(clock.pending()).to.equal(0);
  });
});
