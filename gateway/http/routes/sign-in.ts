/** The two ways to sign in, as one call: for `/auth/login` and for the consent page. */
import type { Device } from '../../auth/sessions.ts';
import type { SignedIn, SignIn } from '../../auth/sign-in.ts';
import type { loginRoute } from '../../contract/auth.ts';
import type { BodyOf } from '../../contract/route.ts';
import { FrameworkError } from '../handler.ts';
import { notSaved } from './refusals.ts';

/** @throws FrameworkError 401 or 403, BusinessError DATABASE_ERROR */
export async function signInWith(
  signIn: SignIn,
  body: BodyOf<typeof loginRoute>,
  device: Device,
): Promise<SignedIn> {
  if (body.method === 'email') {
    const signedIn = await signIn.withPassword(body.email, body.password, device);
    if (signedIn.ok) return signedIn.value;
    if (signedIn.error.kind === 'store') throw notSaved(signedIn.error.error);
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
