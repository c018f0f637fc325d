import { expect } from 'chai';
import { type AuthFixture, DEVICE, PASSWORD, startAuth, unwrap } from './auth-fixture.ts';

const EMAIL = 'ada@example.com';
const credentials = (email = EMAIL) => ({ email, password: PASSWORD, displayName: null });

describe('registration', () => {
  let fixture: AuthFixture;
  afterEach(() => fixture.close());

  it('gives the first user a session and a funded paper account, in one commit', async () => {
    fixture = await startAuth();
    const registered = unwrap(await fixture.auth.signIn.register(credentials(' Ada@Example.COM '), DEVICE));
    expect(registered.user.email).to.equal(EMAIL);
    const account = registered.tradeAccount;
    expect(account).to.include({ alias: 'Paper', connector: 'paper', mode: 'PAPER', status: 'READY' });
    expect(fixture.paper.opened.map((opened) => opened.tradeAccountId)).to.deep.equal([account?.id]);
    expect(fixture.commits).to.have.length(1);
    expect(fixture.auth.sessions.alive(registered.session.id)).to.not.equal(undefined);
  });

  it('of two that race to be first exactly one wins', async () => {
    fixture = await startAuth();
    const results = await Promise.all(
      ['ada@example.com', 'bob@example.com', 'eve@example.com'].map((email) =>
        fixture.auth.signIn.register(credentials(email), DEVICE),
      ),
    );
    expect(results.filter((result) => result.ok)).to.have.length(1);
    expect(fixture.auth.users.count()).to.equal(1);
  });

  it('a first registration that cannot be saved leaves the place free', async () => {
    fixture = await startAuth();
    fixture.failCommits = true;
    const failed = await fixture.auth.signIn.register(credentials(), DEVICE);
    expect(failed.ok ? '' : failed.error.kind).to.equal('store');
    expect(fixture.auth.users.count()).to.equal(0);
    fixture.failCommits = false;
    await fixture.register();
  });

  it('setting open: later users get no account, an e-mail is taken in any spelling', async () => {
    fixture = await startAuth({ settings: { registration: 'open' } });
    await fixture.register();
    const second = unwrap(await fixture.auth.signIn.register(credentials('bob@example.com'), DEVICE));
    expect(second.tradeAccount).to.equal(null);
    expect(await fixture.auth.signIn.register(credentials('BOB@example.com'), DEVICE)).to.deep.equal({
      ok: false,
      error: { kind: 'taken' },
    });
  });

  it('setting closed: nobody, not even the first', async () => {
    fixture = await startAuth({ settings: { registration: 'closed' } });
    expect(await fixture.auth.signIn.register(credentials(), DEVICE)).to.deep.equal({
      ok: false,
      error: { kind: 'closed' },
    });
  });

  it('stays closed after a restart', async () => {
    fixture = await startAuth();
    await fixture.register();
    fixture = await fixture.restart();
    expect(await fixture.auth.signIn.register(credentials('bob@example.com'), DEVICE)).to.have.property(
      'ok',
      false,
    );
  });

  it('a venue that does not open the account does not keep the user out; the next start tries again', async () => {
    fixture = await startAuth();
    fixture.paper.refusal = { kind: 'unknown', message: 'no answer' };
    const registered = await fixture.register();
    expect(registered.tradeAccount?.status).to.equal('DEGRADED');
    fixture = await fixture.restart();
    await fixture.auth.accounts.openAll();
    expect(fixture.auth.accounts.get(registered.tradeAccount?.id ?? '')?.status).to.equal('READY');
  });
});

describe('sign-in with a password', () => {
  let fixture: AuthFixture;
  const login = (password: string, email = EMAIL) =>
    fixture.auth.signIn.withPassword(email, password, DEVICE);
  const wrong = { ok: false, error: { kind: 'wrong' } };

  beforeEach(async () => {
    fixture = await startAuth();
    await fixture.register();
  });
  afterEach(() => fixture.close());

  it('a password is the same in composed and decomposed spelling', async () => {
    const other = await startAuth();
    unwrap(
      await other.auth.signIn.register(
        { email: EMAIL, password: 'Zu\u0308rich-Zu\u0308rich', displayName: null },
        DEVICE,
      ),
    );
    const composed = await other.auth.signIn.withPassword(EMAIL, 'Z\u00fcrich-Z\u00fcrich', DEVICE);
    expect(composed.ok).to.equal(true);
    await other.close();
  });

  it('the tenth failure is free, the eleventh waits, and the waits grow to 5 seconds', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await login('wrong password', 'nobody@example.com')).to.deep.equal(wrong);
    }
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const startedAt = fixture.clock.now();
      let answered = false;
      const answer = login('wrong password', 'nobody@example.com').then(() => {
        answered = true;
      });
      expect(fixture.clock.pending()).to.equal(1);
      let waited = 0;
      while (fixture.clock.pending() > 0) {
        expect(answered).to.equal(false);
        await fixture.clock.advance(250);
        waited = fixture.clock.now() - startedAt;
      }
      await answer;
      waits.push(waited);
    }
    expect(waits).to.deep.equal([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('attempts sent at once do not all pass as the first', async () => {
    let answered = 0;
    const answers = Array.from({ length: 13 }, async () => {
      expect(await login('wrong password')).to.deep.equal(wrong);
      answered += 1;
    });
    await Promise.all(answers.slice(0, 10));
    expect(answered).to.equal(10);
    // The others go one at a time: the eleventh after the first pause, and by then three of them are counted.
    for (const [passed, pauseMs] of [
      [11, 500],
      [12, 2_000],
      [13, 2_000],
    ] as const) {
      await fixture.clock.advance(pauseMs - 1);
      expect(answered).to.equal(passed - 1);
      await fixture.clock.advance(1);
      expect(answered).to.equal(passed);
    }
    await Promise.all(answers);
  });

  it('the right password is let in after its wait and wipes the slate', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await login('wrong password');
    const answer = login(PASSWORD);
    await fixture.clock.advance(500);
    unwrap(await answer);
    expect(await login('wrong password')).to.deep.equal(wrong);
  });

  it('failures are forgotten after 15 minutes, and one e-mail does not slow another', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await login('wrong password', 'nobody@example.com');
    unwrap(await login(PASSWORD));
    await fixture.clock.advance(15 * 60_000);
    expect(await login('wrong password', 'nobody@example.com')).to.deep.equal(wrong);
  });
});

describe('password change', () => {
  const NEXT = 'a completely new one';
  let fixture: AuthFixture;
  let userId: string;
  let sessionId: string;

  beforeEach(async () => {
    fixture = await startAuth();
    const registered = await fixture.register();
    userId = registered.user.id;
    sessionId = registered.session.id;
  });
  afterEach(() => fixture.close());

  it('ends the other sessions, keeps this one, and holds after a restart', async () => {
    const other = unwrap(await fixture.auth.signIn.withPassword(EMAIL, PASSWORD, DEVICE));
    unwrap(await fixture.auth.signIn.changePassword(userId, sessionId, PASSWORD, NEXT, DEVICE));
    expect(fixture.auth.sessions.alive(other.session.id)).to.equal(undefined);
    expect(fixture.auth.sessions.alive(sessionId)).to.not.equal(undefined);
    fixture = await fixture.restart();
    expect(fixture.auth.sessions.list(userId).map((session) => session.id)).to.deep.equal([sessionId]);
    expect(await fixture.auth.signIn.withPassword(EMAIL, PASSWORD, DEVICE)).to.have.property('ok', false);
    expect(await fixture.auth.signIn.withPassword(EMAIL, NEXT, DEVICE)).to.have.property('ok', true);
  });

  it('needs the current password', async () => {
    expect(
      await fixture.auth.signIn.changePassword(userId, sessionId, 'wrong password', NEXT, DEVICE),
    ).to.deep.equal({
      ok: false,
      error: { kind: 'wrong' },
    });
    expect(await fixture.auth.signIn.withPassword(EMAIL, PASSWORD, DEVICE)).to.have.property('ok', true);
  });

  it('a sign-in with the old password that runs meanwhile leaves no session behind', async () => {
    const [login] = await Promise.all([
      fixture.auth.signIn.withPassword(EMAIL, PASSWORD, DEVICE),
      fixture.auth.signIn.changePassword(userId, sessionId, PASSWORD, NEXT, DEVICE),
    ]);
    const left = login.ok ? fixture.auth.sessions.alive(login.value.session.id) : undefined;
    expect(left).to.equal(undefined);
  });

  it('of two changes at once one wins', async () => {
    const results = await Promise.all([
      fixture.auth.signIn.changePassword(userId, sessionId, PASSWORD, NEXT, DEVICE),
      fixture.auth.signIn.changePassword(userId, sessionId, PASSWORD, 'yet another password', DEVICE),
    ]);
    expect(results.filter((result) => result.ok)).to.have.length(1);
  });

  it('that cannot be saved changes nothing', async () => {
    fixture.failCommits = true;
    const refused = await fixture.auth.signIn.changePassword(userId, sessionId, PASSWORD, NEXT, DEVICE);
    expect(refused.ok ? '' : refused.error.kind).to.equal('store');
    fixture.failCommits = false;
    expect(await fixture.auth.signIn.withPassword(EMAIL, PASSWORD, DEVICE)).to.have.property('ok', true);
  });
});
