/** How a venue is, and how one account is at it. */

/** CLOSE_ONLY: nothing opens, what closes goes. DOWN: nothing opens, and what closes may not arrive. */
export type TradingState = 'UP' | 'CLOSE_ONLY' | 'DOWN';

export interface ConnectorStatus {
  readonly status: 'UP' | 'DEGRADED' | 'DOWN';
  readonly since: number;
  readonly reason: string | null;
  /** True: no account uses the venue, so it is not connected, and nobody misses it. */
  readonly isUnused?: boolean;
  /**
   * Whether it takes orders, which it may not while its prices come, and the other way round. Where it is stated, nothing
   * opens unless it is UP. Missing: the venue takes orders unless it is DOWN.
   */
  readonly trading?: TradingState;
  /** Epoch ms at which the reason ends (a ban, a maintenance), where it is known. */
  readonly until?: number | null;
}

/** Account mode: the venue's place for the collateral. Venues with one mode have none. */
export interface AccountMode {
  /** For a person: `standard`, `unified`, `portfolio margin`. */
  readonly name: string;
  /** Source of equity and free margin, as a sentence. */
  readonly detail: string;
  /** Epoch ms at which the latest change was seen; null: none since the account was connected. */
  readonly changedAt: number | null;
}

/** An account apart from its venue: its stream, its key, its requests. */
export interface AccountStatus {
  readonly status: 'UP' | 'DEGRADED';
  readonly trading: TradingState;
  /** null while it is UP. */
  readonly reason: string | null;
  /** Epoch ms. */
  readonly until: number | null;
  /** Missing: the venue's usual mode, as since the account was connected. */
  readonly mode?: AccountMode;
}

export function tradingOf({ status, trading }: Pick<ConnectorStatus, 'status' | 'trading'>): TradingState {
  return trading ?? (status === 'DOWN' ? 'DOWN' : 'UP');
}
