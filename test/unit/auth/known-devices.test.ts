/** Browsers and connections that a user has signed in from do not wait behind strangers. */
import { expect } from 'chai';
import { createKnownDevices } from '../../../gateway/auth/known-devices.ts';
import { createSessionCookies } from '../../../gateway/auth/session-cookie.ts';

describe('known devices', () => {
  const cookies = createSessionCookies({
    makeRefreshToken: () => '',
    sessionOfRefreshToken: () => null,
    cookieValue: (id) => `signed-${id}`,
    sessionOfCookie: (value) => (value.startsWith('signed-') ? value.slice(7) : null),
  });
  const refused = { ok: false, status: 401, message: 'no' } as const;
  const devices = createKnownDevices({ authenticator: { authenticate: () => refused }, cookies });
  const isKnown = (cookie: string) => devices.isKnown({ headers: { cookie }, connection: {} }, 'ada');

  it('are told by a genuine session cookie, and by no other', () => {
    expect(isKnown('tandem_session=signed-1')).to.equal(true);
    expect(isKnown('tandem_session=forged')).to.equal(false);
    expect(isKnown('tandem_session=signed-1; tandem_session=forged')).to.equal(false);
    expect(isKnown('other=signed-1')).to.equal(false);
  });

  it('are told by the connection on which this user has signed in', () => {
    const connection = {};
    devices.signedIn(connection, 'ada');
    expect(devices.isKnown({ headers: {}, connection }, 'ada')).to.equal(true);
    expect(devices.isKnown({ headers: {}, connection }, 'bob')).to.equal(false);
  });
});
