import { expect } from 'chai';
import { ok } from '../../../gateway/domain/result.ts';
import { PASSWORD, startAuth, unwrap } from './auth-fixture.ts';

describe('secrets', () => {
  it('reach neither the database nor the log', async () => {
    const fixture = await startAuth({
      options: {
        checkCredentials: async () =>
          ok({ exchangeIdentifier: 'venue-account', expiresAt: null, warnings: [] }),
      },
    });
    const { auth } = fixture;
    const registered = await fixture.register();
    const rotated = unwrap(await auth.sessions.refreshByToken(registered.refreshToken));
    const userId = registered.user.id;
    const { secret } = await fixture.newKey(userId);
    const venueSecret = 'venue-secret-2718281828';
    unwrap(await fixture.newAccount(userId, { credentials: { secret: venueSecret } }));
    const principal = { kind: 'session', userId, sessionId: registered.session.id } as const;
    const { ticket } = auth.tickets.issue(principal);
    auth.authenticator.authenticateApiKey(secret);
    // Reuse is the noisiest path of the log.
    await auth.sessions.refreshByToken(registered.refreshToken);

    const random = (token: string) => token.split('.')[1] ?? '';
    const secrets = {
      password: PASSWORD,
      'refresh token': random(registered.refreshToken),
      'rotated refresh token': random(rotated.refreshToken),
      cookie: random(auth.cookies.issue(registered.session.id).split(';')[0] ?? ''),
      'API key': secret.slice(10),
      'venue secret': venueSecret,
      'WebSocket ticket': ticket,
      'signing key': (await fixture.vault.get('signing-key')) ?? '',
    };
    const database = await fixture.databaseText();
    const log = fixture.logged.join('\n');
    for (const [what, value] of Object.entries(secrets)) {
      expect(value.length, what).to.be.greaterThan(10);
      expect(database.includes(value), `${what} in the database`).to.equal(false);
      expect(log.includes(value), `${what} in the log`).to.equal(false);
    }
    expect(database).to.include('$argon2id$');
    expect(database).to.include(rotated.session.refreshHash);
    await fixture.close();
  });
});
