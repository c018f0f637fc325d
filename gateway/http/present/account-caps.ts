/** Venue, account and limits, shown to a person who decides about the rights of an agent or a program there. */
import type { AccountCapsBody } from '../../contract/account-limits.ts';
import type { Placed } from '../../domain/authority.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { OpeningLimits } from '../../engine/core/account-limits.ts';
import type { Venues } from '../../engine/ports/venue.ts';

export interface AccountPlaces {
  readonly venues: Pick<Venues, 'get'>;
  readonly limits: Pick<OpeningLimits, 'of' | 'mayOpen'>;
}

export function venueName({ venues }: Pick<AccountPlaces, 'venues'>, connector: string): string {
  return venues.get(connector)?.info.displayName ?? connector;
}

/** null: the account trades play money of this gateway. */
export function capsOf(
  { limits }: Pick<AccountPlaces, 'limits'>,
  account: TradeAccount,
  placed: Placed,
): AccountCapsBody | null {
  if (account.mode !== 'LIVE') return null;
  const { perOrderUsd, totalUsd } = limits.of(account);
  return { opens: limits.mayOpen(account, placed).ok, perOrderUsd, totalUsd };
}
