/** Status of a venue, and of an account at it. */

/** CLOSE_ONLY: closing orders pass, nothing opens. DOWN: nothing opens, and closing orders may not arrive. */
export type TradingState = 'UP' | 'CLOSE_ONLY' | 'DOWN';

export interface ConnectorStatus {
  readonly status: 'UP' | 'DEGRADED' | 'DOWN';
  readonly since: number;
  readonly reason: string | null;
  /** True: no account uses the venue, so it is not connected. */
  readonly isUnused?: boolean;
  /**
   * State of order acceptance, which is independent of the prices. If present, nothing opens unless it is UP. Missing:
   * the venue accepts orders unless it is DOWN.
   */
  readonly trading?: TradingState;
  /** Time at which the reason (a ban, a maintenance) ends, epoch ms; missing or null: unknown. */
  readonly until?: number | null;
}

/** Account mode: the way in which the venue holds the collateral. Venues with one mode have none. */
export interface AccountMode {
  /** Name for people: `standard`, `unified`, `portfolio margin`. */
  readonly name: string;
  /** Source of equity and free margin, as a sentence. */
  readonly detail: string;
  /** Time at which the latest change was seen, epoch ms; null: none since the account was connected. */
  readonly changedAt: number | null;
}

/** State of an account apart from its venue: its stream, its key, its request limit. */
export interface AccountStatus {
  readonly status: 'UP' | 'DEGRADED';
  readonly trading: TradingState;
  /** null while it is UP. */
  readonly reason: string | null;
  /** Epoch ms. */
  readonly until: number | null;
  /** Missing: the venue's usual mode, unchanged since the account was connected. */
  readonly mode?: AccountMode;
}

export function tradingOf({ status, trading }: Pick<ConnectorStatus, 'status' | 'trading'>): TradingState {
  return trading ?? (status === 'DOWN' ? 'DOWN' : 'UP');
}
