/** The two ways to sign in, as one call: for `/auth/login` and for the consent page. */
import type { Auth } from '../../auth/auth.ts';
import type { Device } from '../../auth/sessions.ts';
import type { Newcomer, NewcomerError } from '../../auth/setup-code.ts';
import type { SignedIn } from '../../auth/sign-in.ts';
import type { SignInCaller } from '../../auth/sign-in-caller.ts';
import type { loginRoute } from '../../contract/auth.ts';
import type { BodyOf } from '../../contract/route.ts';
import { SETUP_CODE_HEADER } from '../../contract/shell-identity.ts';
import { BusinessError, type Call, FrameworkError, invalid } from '../handler.ts';
import { notSaved } from './refusals.ts';

type SigningIn = Pick<Call<typeof loginRoute>, 'headers' | 'connection' | 'peer'>;

/** Evidence that a caller sends to become the first user. */
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

export function refusedNewcomer(error: NewcomerError): FrameworkError | BusinessError {
  return error.kind === 'code_missing'
    ? new FrameworkError(
        403,
        'The first user needs the setup code: it stands where Tandem was started and in the file setup-code of its data folder',
      )
    : invalid('setupCode', 'Wrong setup code; each start of Tandem makes a new one');
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

export function tooManyWait(): BusinessError {
  return new BusinessError('RESOURCE_BUSY', 'Too many sign-ins are waiting: try again later');
}

/** @throws FrameworkError 401 or 403, BusinessError VALIDATION_ERROR, DATABASE_ERROR or RESOURCE_BUSY */
export async function signInWith(
  auth: Pick<Auth, 'signIn' | 'devices' | 'sessions'>,
  body: BodyOf<typeof loginRoute>,
  device: Device,
  call: SigningIn,
): Promise<SignedIn> {
  const signedIn = await attempt(auth, body, device, call);
  auth.devices.signedIn(call.connection, signedIn.user.id);
  return signedIn;
}

async function attempt(
  auth: Pick<Auth, 'signIn' | 'devices' | 'sessions'>,
  body: BodyOf<typeof loginRoute>,
  device: Device,
  call: SigningIn,
): Promise<SignedIn> {
  const { signIn } = auth;
  if (body.method === 'email') {
    const caller = callerOf(auth, call, device);
    const signedIn = await signIn.withPassword(body.email, body.password, device, caller);
    if (signedIn.ok) return signedIn.value;
    if (signedIn.error.kind === 'store') throw notSaved(signedIn.error.error);
    if (signedIn.error.kind === 'busy') throw tooManyWait();
    throw new FrameworkError(401, 'Invalid email or password');
  }
  const signedIn = await signIn.withWallet(body, device, newcomerOf(call, body));
  if (signedIn.ok) return signedIn.value;
  switch (signedIn.error.kind) {
    case 'store':
      throw notSaved(signedIn.error.error);
    case 'closed':
      throw new FrameworkError(403, 'Registration is closed');
    case 'code_missing':
    case 'code_wrong':
      throw refusedNewcomer(signedIn.error);
    case 'wrong':
      throw new FrameworkError(401, 'Invalid or expired wallet signature');
  }
}
