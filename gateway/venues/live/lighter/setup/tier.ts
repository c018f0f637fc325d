/** The tier of an account, which decides on its fees and limits. */
import { dec } from '../../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../../domain/result.ts';
import type { AccountTier, SetupError, SetupKey, SetupResult } from '../../../../engine/ports/venue-setup.ts';
import type { SetupParts } from '../setup-parts.ts';
import type { Signer } from '../signer.ts';
import type { WireAccount } from '../wire.ts';
import { accountOf, venueTime, withSigner } from './accounts.ts';
import { done, msOf, tier as wireTier } from './wire.ts';

/** Source: apidocs.lighter.xyz, "Account types": once in 24 hours, without positions and orders. */
const REST_MS = 86_400_000;

interface Standing {
  readonly tier: string;
  /** null: never. */
  readonly changedAt: number | null;
}

async function standingOf(signer: Signer): SetupResult<Standing> {
  const told = await signer.get(
    { lane: 'history', path: '/api/v1/accountLimits', query: { account_index: signer.accountIndex } },
    wireTier,
  );
  if (!told.ok) return told;
  const { user_tier, user_tier_last_update: at } = told.value;
  return ok({ tier: user_tier.toLowerCase(), changedAt: at === null || at === 0 ? null : msOf(at) });
}

/** The venue has grades of a tier, `premium_2`. */
const isOf = ({ tier: name }: Standing, tier: AccountTier) => name === tier || name.startsWith(`${tier}_`);

/** Reason why the tier cannot be changed now; null: it can. The venue is not asked for the change before. */
function hindrance(
  { changedAt }: Standing,
  { total_order_count, positions }: WireAccount,
  now: number,
): Result<never, SetupError> | null {
  const restedAt = Math.max(now, (changedAt ?? 0) + REST_MS);
  const busy = (reason: string, message: string) =>
    fail<SetupError>({ kind: 'busy', reason, message, retryAt: restedAt });
  if (restedAt > now)
    return busy('TIER_CHANGED_RECENTLY', 'The venue changes the tier of an account once in 24 hours');
  if (positions.some(({ position }) => !dec(position).isZero()))
    return busy('OPEN_POSITIONS', 'The venue changes the tier of an account without positions only');
  if ((total_order_count ?? 0) > 0)
    return busy('OPEN_ORDERS', 'The venue changes the tier of an account without open orders only');
  return null;
}

export function changeTier(
  parts: SetupParts,
  key: SetupKey,
  tier: AccountTier,
): SetupResult<{ readonly tier: AccountTier; readonly changedAt: number; readonly nextChangeAt: number }> {
  return withSigner(parts, key, async (signer) => {
    const { accountIndex } = signer;
    const before = await standingOf(signer);
    if (!before.ok) return before;
    if (isOf(before.value, tier)) return fail({ kind: 'noop', message: `The account is ${tier} already` });
    const account = await accountOf(parts, accountIndex, 'accountIndex');
    if (!account.ok) return account;
    const now = venueTime(parts);
    const why = hindrance(before.value, account.value, now);
    if (why !== null) return why;
    const told = await parts.client.post(
      { lane: 'open', path: '/api/v1/changeAccountTier', auth: signer.token() },
      { account_index: accountIndex, new_tier: tier },
      done,
    );
    if (!told.ok && told.error.kind !== 'unknown') return told;
    const after = await standingOf(signer);
    // A lost answer says nothing; the account shows the result.
    if (!told.ok && !(after.ok && isOf(after.value, tier))) return told;
    const changedAt = (after.ok ? after.value.changedAt : null) ?? now;
    return ok({ tier, changedAt, nextChangeAt: changedAt + REST_MS });
  });
}
