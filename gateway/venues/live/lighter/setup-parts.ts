/** Parts of the venue that account set-up at Lighter uses. */
import type { Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { VenueAccess, VenueNetwork } from '../../../engine/ports/venue.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import type { WrongField } from './access.ts';
import type { Client } from './client.ts';
import type { Signer } from './signer.ts';

export interface SetupParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly venueClock: Pick<VenueClock, 'now'>;
  readonly network: VenueNetwork;
  readonly chainId: number;
  /** Key, nonces and tokens of credentials; nonces are shared with an open account of that key, the key is not. */
  signerFor(credentials: VenueAccess['credentials']): Result<Signer, WrongField>;
}
