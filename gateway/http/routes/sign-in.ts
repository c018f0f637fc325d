/** The two ways to sign in, as one call: for `/auth/login` and for the consent page. */

import type { Auth } from '../../auth/auth.ts';
import type { Device } from '../../auth/sessions.ts';
import type { SignedIn } from '../../auth/sign-in.ts';
import type { SignInCaller } from '../../auth/sign-in-caller.ts';
import type { loginRoute } from '../../contract/auth.ts';
import type { BodyOf } from '../../contract/route.ts';
import { BusinessError, type Call, FrameworkError } from '../handler.ts';
import { notSaved } from './refusals.ts';

type SigningIn = Pick<Call<typeof loginRoute>, 'headers' | 'ip' | 'connection'>;

export function deviceOf({ headers, ip }: Pick<SigningIn, 'headers' | 'ip'>): Device {
  return { userAgent: headers['user-agent'] ?? null, ip };
}

export function callerOf(auth: Pick<Auth, 'devices'>, { headers, connection }: SigningIn): SignInCaller {
  return {
    peer: connection,
    isGone: () => connection.destroyed,
    isKnownTo: (userId) => auth.devices.isKnown({ headers, connection }, userId),
  };
}

export function tooManyWait(): BusinessError {
  return new BusinessError('RESOURCE_BUSY', 'Too many sign-ins are waiting: try again later');
}

/** @throws FrameworkError 401 or 403, BusinessError DATABASE_ERROR or RESOURCE_BUSY */
export async function signInWith(
  auth: Pick<Auth, 'signIn' | 'devices'>,
  body: BodyOf<typeof loginRoute>,
  call: SigningIn,
): Promise<SignedIn> {
  const signedIn = await attempt(auth, body, call);
  auth.devices.signedIn(call.connection, signedIn.user.id);
  return signedIn;
}

async function attempt(
  auth: Pick<Auth, 'signIn' | 'devices'>,
  body: BodyOf<typeof loginRoute>,
  call: SigningIn,
): Promise<SignedIn> {
  const { signIn } = auth;
  const device = deviceOf(call);
  if (body.method === 'email') {
    const signedIn = await signIn.withPassword(body.email, body.password, device, callerOf(auth, call));
    if (signedIn.ok) return signedIn.value;
    if (signedIn.error.kind === 'store') throw notSaved(signedIn.error.error);
    if (signedIn.error.kind === 'busy') throw tooManyWait();
    throw new FrameworkError(401, 'Invalid email or password');
  }
  const signedIn = await signIn.withWallet(body, device);
  if (signedIn.ok) return signedIn.value;
  switch (signedIn.error.kind) {
    case 'store':
      throw notSaved(signedIn.error.error);
    case 'closed':
      throw new FrameworkError(403, 'Registration is closed');
    case 'wrong':
      throw new FrameworkError(401, 'Invalid or expired wallet signature');
  }
}
