import type { Side } from '../basket/basket.ts';

/** An instrument that a leg may be of. */
export interface Listed {
  readonly id: string;
  /** Its ticker. */
  readonly symbol: string;
}

export interface WrittenLeg {
  /** Ticker or id, as written. */
  readonly name: string;
  /** null: none is written. */
  readonly side: Side | null;
  /** Above 0, a share of the basket where all of them are; null: none is written. */
  readonly weight: number | null;
  /** The weight is dollars. */
  readonly isUsd: boolean;
}

/** What is wrong with a text, in words for whoever pasted it. */
export class FaultyText extends Error {}
