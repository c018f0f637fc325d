/** What the MCP program is given by the gateway. */
import type { Principal } from '../domain/model.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { IdempotencyRecord, StoredEvent } from '../engine/ports/unit-of-work.ts';
import type { Dispatch } from '../http/handler.ts';

export interface McpProgramDeps {
  readonly dispatch: Dispatch;
  /** Names of the caller and of its user, as their user knows them. */
  readonly describe: (principal: Principal) => { readonly agent: string; readonly user: string };
  readonly isAlive: (principal: Principal) => boolean;
  readonly reaches: (principal: Principal, tradeAccountId: string) => boolean;
  readonly onCommitted: (listener: (events: readonly StoredEvent[]) => void) => () => void;
  /** Record of an answer that was committed under an idempotency key; null: none, or older than a day. */
  readonly kept: (userId: string, route: string, key: string) => Promise<IdempotencyRecord | null>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly version: string;
}
