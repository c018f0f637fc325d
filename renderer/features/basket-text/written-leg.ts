import type { Side } from '../basket/basket.ts';

/** Instrument that a leg may name. */
export interface Listed {
  readonly id: string;
  /** Its ticker. */
  readonly symbol: string;
}

export interface WrittenLeg {
  /** Ticker or id, as written. */
  readonly name: string;
  /** null: no side is written. */
  readonly side: Side | null;
  /** Above 0; a share of the basket if all weights are shares; null: no weight is written. */
  readonly weight: number | null;
  /** The weight is dollars. */
  readonly isUsd: boolean;
}

/** Error in a pasted text; its message is for the user. */
export class FaultyText extends Error {}
