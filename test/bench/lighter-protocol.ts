/** What a gateway with Lighter's connector has seen. Times in milliseconds. */
export interface TableFigures {
  /** Longest time between two turns of the event loop while the signer's table was built. */
  readonly largestBlockMs: number;
  /** How long the table took, beside the gateway's other work. */
  readonly tableMs: number;
}

export interface LighterFigures extends TableFigures {
  /** The account was open → the first byte of the first order on the wire; null: none has left. */
  readonly firstOrderMs: number | null;
  /** The engine handed the first order over → its first byte. */
  readonly firstDecisionMs: number | null;
  /** Whether the table stood when the first order left. */
  readonly hadTable: boolean;
  /** To sign one order with the table, for each of many. */
  readonly signingMs: readonly number[];
}
