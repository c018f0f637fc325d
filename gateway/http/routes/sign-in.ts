/** Sign-in by password or wallet in one call, for `/auth/login` and for the consent page. */
import type { Auth } from '../../auth/auth.ts';
import type { Device } from '../../auth/sessions.ts';
import type { Newcomer } from '../../auth/setup-code.ts';
import type { LoginError, SignedIn, WalletLoginError } from '../../auth/sign-in.ts';
import type { SignInCaller } from '../../auth/sign-in-caller.ts';
import type { Call } from '../../call/call.ts';
import { BusinessError, FrameworkError, invalid } from '../../call/errors.ts';
import type { loginRoute } from '../../contract/auth.ts';
import type { BodyOf } from '../../contract/route.ts';
import { SETUP_CODE_HEADER } from '../../contract/shell-identity.ts';
import { notSaved } from './refusals.ts';

type SigningIn = Pick<Call<typeof loginRoute>, 'headers' | 'connection' | 'peer'>;

/** Evidence that a caller presents to register the first user. */
export function newcomerOf(
  { headers, peer }: Pick<SigningIn, 'headers' | 'peer'>,
  body: { readonly setupCode?: string | undefined },
): Newcomer {
  const sent = headers[SETUP_CODE_HEADER];
  return {
    setupCode: body.setupCode ?? (typeof sent === 'string' ? sent : undefined),
    isOwnPeer: peer === 'own',
  };
}

/** Refusals common to all ways of signing in. */
export function refusalOf(error: Exclude<WalletLoginError | LoginError, { kind: 'wrong' }>): Error {
  switch (error.kind) {
    case 'closed':
      return new FrameworkError(403, 'Registration is closed');
    case 'code_missing':
      return new FrameworkError(
        403,
        'The first user needs the setup code: it stands where Tandem was started and in the file setup-code of its data folder',
      );
    case 'code_wrong':
      return invalid('setupCode', 'Wrong setup code; each start of Tandem makes a new one');
    case 'busy':
      return new BusinessError('RESOURCE_BUSY', 'Too many sign-ins are waiting: try again later');
    case 'store':
      return notSaved(error.error);
  }
}

export function callerOf(
  auth: Pick<Auth, 'devices' | 'sessions'>,
  { headers, connection }: Pick<SigningIn, 'headers' | 'connection'>,
  { key }: Pick<Device, 'key'>,
): SignInCaller {
  const hasKnownKey = key != null && auth.sessions.knownKey(key.thumbprint);
  return {
    peer: connection,
    isGone: () => connection.destroyed,
    isKnownTo: (userId) => hasKnownKey || auth.devices.isKnown({ headers, connection }, userId),
  };
}

/** @throws FrameworkError 401 or 403, BusinessError VALIDATION_ERROR, DATABASE_ERROR or RESOURCE_BUSY */
export async function signInWith(
  auth: Pick<Auth, 'signIn' | 'devices' | 'sessions'>,
  body: BodyOf<typeof loginRoute>,
  device: Device,
  call: SigningIn,
): Promise<SignedIn> {
  const byEmail = body.method === 'email';
  const signedIn = byEmail
    ? await auth.signIn.withPassword(body.email, body.password, device, callerOf(auth, call, device))
    : await auth.signIn.withWallet(body, device, newcomerOf(call, body));
  if (signedIn.ok) {
    auth.devices.signedIn(call.connection, signedIn.value.user.id);
    return signedIn.value;
  }
  if (signedIn.error.kind !== 'wrong') throw refusalOf(signedIn.error);
  throw new FrameworkError(
    401,
    byEmail ? 'Invalid email or password' : 'Invalid or expired wallet signature',
  );
}
