/** What the setting-up of accounts at Lighter gets of its venue. */
import type { Result } from '../../../domain/result.ts';
import type { Clock, Logger } from '../../../engine/ports/system.ts';
import type { VenueAccess, VenueAccount, VenueNetwork } from '../../../engine/ports/venue.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import type { Keys, WrongField } from './access.ts';
import type { Client } from './client.ts';
import type { Signer } from './signer.ts';

export interface SetupParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly venueClock: VenueClock;
  readonly network: VenueNetwork;
  readonly chainId: number;
  /** Key, nonces and tokens of an account that is open; null: it is not. */
  signerOf(account: VenueAccount): Signer | null;
  /** The same of credentials that were handed in; nonces are shared with an open account of that key. */
  signerFor(credentials: VenueAccess['credentials']): Result<Signer, WrongField>;
  /** The same of a key that was just made. */
  signerWith(keys: Keys): Signer;
}
