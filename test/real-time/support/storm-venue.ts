/** The venues that a storm blows over. */
import type { GatewayClient } from '../../support/gateway-client.ts';
import type { GatewayProcessOptions } from '../../support/gateway-process.ts';
import type { StormAccount } from './storm-account.ts';
import type { VenueReading } from './storm-audit.ts';

export interface StormVenue {
  /** Process id of a venue that runs separately and outlives the gateway; null: it does not run. */
  readonly pid: number | null;
  /** Options for starting the gateway, once the venue runs. */
  readonly gatewayOptions: Omit<GatewayProcessOptions, 'dataDir'>;
  start(): Promise<void>;
  /** Users and their accounts at the venue, ready to trade. */
  connect(client: GatewayClient): Promise<readonly StormAccount[]>;
  /** Account's state at the venue now; null: the venue lives in the gateway's process. */
  look(account: StormAccount): Promise<VenueReading | null>;
  /** State of the accounts after the gateway has stopped, if the venue lived in its process. */
  lookInside(accounts: readonly StormAccount[]): Promise<ReadonlyMap<StormAccount, VenueReading>>;
  /** Answers are lost at any moment, not only while the venue stands still. */
  readonly alwaysFails: boolean;
  /** While the storm rests, nothing new goes wrong: what did go wrong has to come to its end. */
  rest(isResting: boolean): void;
  /** True: the venue gave no answer, and the gateway was right to say so. */
  isSilence(complaint: string): boolean;
  close(): Promise<void>;
}
