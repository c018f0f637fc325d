import { expect } from 'chai';
import type { OpenedSession } from '../../../gateway/auth/sessions.ts';
import { type AuthFixture, DEVICE, PASSWORD, startAuth, unwrap } from './auth-fixture.ts';

const DAY_MS = 24 * 3_600_000;

describe('sessions', () => {
  let fixture: AuthFixture;
  let first: OpenedSession;
  let userId: string;

  const alive = (id: string) => fixture.auth.sessions.alive(id) !== undefined;
  const refresh = (token = first.refreshToken) => fixture.auth.sessions.refreshByToken(token);
  const refused = (kind: string) => ({ ok: false, error: { kind } });
  const login = async (userAgent = 'test') =>
    unwrap(await fixture.auth.signIn.withPassword('ada@example.com', PASSWORD, { ...DEVICE, userAgent }));

  beforeEach(async () => {
    fixture = await startAuth();
    const registered = await fixture.register();
    first = registered;
    userId = registered.user.id;
  });
  afterEach(() => fixture.close());

  describe('refresh', () => {
    it('reuse is noticed after a restart too', async () => {
      unwrap(await refresh());
      fixture = await fixture.restart();
      expect(await refresh()).to.deep.equal(refused('reused'));
      expect(alive(first.session.id)).to.equal(false);
    });

    it('a made-up token of a known session is invalid and ends nothing', async () => {
      const [id, random] = first.refreshToken.split('.');
      for (const token of [
        `${id}.${random}.${'A'.repeat(43)}`,
        `${id}.x.y`,
        `${id}`,
        '',
        'x'.repeat(1_000),
      ]) {
        expect(await refresh(token)).to.deep.equal(refused('invalid'));
      }
      expect(alive(first.session.id)).to.equal(true);
    });

    it('by cookie: parallel refreshes of two tabs both succeed', async () => {
      const results = await Promise.all([
        fixture.auth.sessions.refreshById(first.session.id),
        fixture.auth.sessions.refreshById(first.session.id),
      ]);
      expect(results.map((result) => result.ok)).to.deep.equal([true, true]);
      const tokens = results.map((result) => (result.ok ? result.value.refreshToken : ''));
      expect(new Set(tokens).size).to.equal(2);
      expect(await refresh(tokens[1])).to.have.property('ok', true);
    });

    it('slides the window of 30 days', async () => {
      await fixture.clock.advance(29 * DAY_MS);
      const second = unwrap(await refresh());
      await fixture.clock.advance(29 * DAY_MS);
      const third = unwrap(await refresh(second.refreshToken));
      await fixture.clock.advance(30 * DAY_MS);
      expect(await fixture.auth.sessions.refreshByToken(third.refreshToken)).to.deep.equal({
        ok: false,
        error: { kind: 'invalid' },
      });
      expect(alive(first.session.id)).to.equal(false);
    });

    it('a rotation that cannot be saved leaves the old token good', async () => {
      fixture.failCommits = true;
      const refused = await refresh();
      expect(refused.ok ? '' : refused.error.kind).to.equal('unavailable');
      fixture.failCommits = false;
      expect(await refresh()).to.have.property('ok', true);
    });

    for (const isFirst of [true, false])
      it(`loses against a logout that ${isFirst ? 'overtakes it' : 'it overtakes'}`, async () => {
        const refreshing = isFirst ? refresh() : null;
        const ending = fixture.auth.sessions.end(userId, first.session.id);
        await Promise.all([refreshing ?? refresh(), ending]);
        expect(alive(first.session.id)).to.equal(false);
        fixture = await fixture.restart();
        expect(alive(first.session.id)).to.equal(false);
      });
  });

  it('lists newest first and only the own ones', async () => {
    await fixture.clock.advance(1_000);
    const second = await login('browser');
    expect(fixture.auth.sessions.list(userId).map((session) => session.id)).to.deep.equal([
      second.session.id,
      first.session.id,
    ]);
    expect(fixture.auth.sessions.list('someone else')).to.deep.equal([]);
  });

  it("another user's session cannot be ended", async () => {
    const ended = await fixture.auth.sessions.end('someone else', first.session.id);
    expect(ended).to.deep.equal(refused('not_found'));
    expect(alive(first.session.id)).to.equal(true);
  });

  it('an end that cannot be saved has not happened', async () => {
    fixture.failCommits = true;
    expect(await fixture.auth.sessions.end(userId, first.session.id)).to.have.property('ok', false);
    fixture.failCommits = false;
    expect(alive(first.session.id)).to.equal(true);
  });

  it('survives a restart, cookie included', async () => {
    const cookie = fixture.auth.cookies.issue(first.session.id).split(';')[0] ?? '';
    fixture = await fixture.restart();
    expect(fixture.auth.authenticator.authenticate({ cookie })).to.have.property('ok', true);
    expect(await refresh()).to.have.property('ok', true);
  });

  it('keeps at most 100 a user: the one longest unused makes room', async () => {
    for (let index = 0; index < 100; index += 1) {
      await fixture.clock.advance(1);
      const prepared = fixture.auth.sessions.prepare(userId, DEVICE);
      fixture.auth.sessions.adopt(prepared);
    }
    expect(fixture.auth.sessions.list(userId)).to.have.length(100);
    expect(alive(first.session.id)).to.equal(false);
  });

  describe('last use', () => {
    const writes = () => fixture.commits.filter((unit) => unit.sessions !== undefined).length;

    it('is written once a minute however often the session is used', async () => {
      const before = writes();
      await fixture.clock.advance(1_000);
      for (let use = 0; use < 50; use += 1) fixture.auth.sessions.touch(first.session.id);
      expect(writes()).to.equal(before);
      expect(fixture.auth.sessions.list(userId)[0]?.lastUsedAt).to.equal(fixture.clock.now());
      await fixture.clock.advance(60_000);
      expect(writes()).to.equal(before + 1);
      await fixture.clock.advance(600_000);
      expect(writes()).to.equal(before + 1);
    });

    it('is written at the end', async () => {
      await fixture.clock.advance(5_000);
      const usedAt = fixture.clock.now();
      fixture.auth.sessions.touch(first.session.id);
      fixture = await fixture.restart();
      expect(fixture.auth.sessions.list(userId)[0]?.lastUsedAt).to.equal(usedAt);
    });

    it('does not bring back a session that was ended meanwhile', async () => {
      fixture.auth.sessions.touch(first.session.id);
      const ending = fixture.auth.sessions.end(userId, first.session.id);
      await fixture.clock.advance(60_000);
      unwrap(await ending);
      fixture = await fixture.restart();
      expect(alive(first.session.id)).to.equal(false);
    });
  });
});
