/** Checks of a sent mandate or of sent limits, beyond their shape. */
import type { Auth } from '../../auth/auth.ts';
import type { Call } from '../../call/call.ts';
import { BusinessError, FrameworkError, invalid } from '../../call/errors.ts';
import type { ValidationDetail } from '../../contract/errors.ts';
import type { MandateBody } from '../../contract/mandate.ts';
import type { NamedAccount } from '../../contract/mandate-words.ts';
import type { RouteContract } from '../../contract/route.ts';
import type { Principal } from '../../domain/model.ts';
import { moneyWord } from '../../domain/money.ts';
import { sessionOf } from './session-principal.ts';
import { refusalOf } from './sign-in.ts';

/** Age up to which a session of a user without a password counts as proof that the user is there. */
const FRESH_SESSION_MS = 10 * 60_000;

/** The user's accounts as the sentences of a mandate name them. */
export function namedAccounts(
  { accounts }: Pick<Auth, 'accounts'>,
  principal: Principal,
): readonly (NamedAccount & { readonly mode: 'PAPER' | 'LIVE' })[] {
  return accounts.list(principal).map((account) => ({
    id: account.id,
    alias: account.alias,
    mode: account.mode,
    money: moneyWord(accounts.moneyOf(account)),
  }));
}

/**
 * The mandate with its ids as the gateway has them. @throws BusinessError unless all its accounts are the caller's, and
 * its end is later than now.
 * @param kept end that the mandate has already, which may be over
 */
export function checkedMandate(
  auth: Pick<Auth, 'accounts'>,
  principal: Principal,
  sent: MandateBody,
  now: number,
  kept: number | null = null,
): MandateBody {
  const accounts = sent.accounts.map((id) => id.toLowerCase());
  const details = accounts.flatMap((id, index): ValidationDetail[] =>
    auth.accounts.find(principal, id) === undefined
      ? [{ path: `mandate.accounts.${index}`, message: 'Not one of your trade accounts', code: 'custom' }]
      : [],
  );
  const end = sent.validUntil === null ? null : Date.parse(sent.validUntil);
  if (end !== null && end <= now && end !== kept)
    details.push({ path: 'mandate.validUntil', message: 'Must be later than now', code: 'custom' });
  if (details.length > 0) throw new BusinessError('VALIDATION_ERROR', 'Validation error', details);
  return { ...sent, accounts, validUntil: end === null ? null : new Date(end).toISOString() };
}

type Asking = Pick<Call<RouteContract>, 'headers' | 'ip'> & { readonly principal: Principal };

/**
 * Passes if a present person may allow more than before: by the password of the account, or, without one, by a session
 * opened just now. @throws BusinessError, FrameworkError
 */
export async function requirePerson(
  { signIn, users, sessions }: Pick<Auth, 'signIn' | 'users' | 'sessions'>,
  { principal, headers, ip }: Asking,
  password: string | undefined,
  now: number,
): Promise<void> {
  const { userId, sessionId } = sessionOf(principal);
  if (users.byId(userId)?.passwordHash == null) {
    const openedAt = sessions.alive(sessionId)?.createdAt;
    if (openedAt !== undefined && now - openedAt < FRESH_SESSION_MS) return;
    throw new FrameworkError(403, 'Sign in again to allow more than before');
  }
  if (password === undefined) throw invalid('password', 'Needed to allow more than before', 'required');
  const proven = await signIn.provePassword(userId, password, {
    userAgent: headers['user-agent'] ?? null,
    ip,
  });
  if (proven.ok) return;
  switch (proven.error.kind) {
    case 'wrong':
    case 'no_password':
      throw invalid('password', 'Wrong password');
    default:
      throw refusalOf(proven.error);
  }
}
