/** The two ways to sign in, as one call: for `/auth/login` and for the consent page. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Device } from '../../auth/sessions.ts';
import type { Newcomer, NewcomerError } from '../../auth/setup-code.ts';
import type { SignedIn, SignIn } from '../../auth/sign-in.ts';
import type { loginRoute } from '../../contract/auth.ts';
import type { BodyOf } from '../../contract/route.ts';
import { SETUP_CODE_HEADER } from '../../contract/shell-identity.ts';
import { type BusinessError, type Call, FrameworkError, invalid } from '../handler.ts';
import { notSaved } from './refusals.ts';

/** What a caller shows who may become the first user. */
export function newcomerOf(
  {
    headers,
    peer,
  }: { readonly headers: IncomingHttpHeaders; readonly peer: Call<typeof loginRoute>['peer'] },
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

/** @throws FrameworkError 401 or 403, BusinessError VALIDATION_ERROR or DATABASE_ERROR */
export async function signInWith(
  signIn: SignIn,
  body: BodyOf<typeof loginRoute>,
  device: Device,
  newcomer: (body: { readonly setupCode?: string | undefined }) => Newcomer,
): Promise<SignedIn> {
  if (body.method === 'email') {
    const signedIn = await signIn.withPassword(body.email, body.password, device);
    if (signedIn.ok) return signedIn.value;
    if (signedIn.error.kind === 'store') throw notSaved(signedIn.error.error);
    throw new FrameworkError(401, 'Invalid email or password');
  }
  const signedIn = await signIn.withWallet(body, device, newcomer(body));
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
