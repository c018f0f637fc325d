/** A place of a text where an operator applies. */
export interface Mutation {
  /** Counted from 1, as `column`. */
  readonly line: number;
  readonly column: number;
  readonly operator: string;
  readonly from: string;
  readonly to: string;
  /** The whole line that it begins in, without the spaces around it. */
  readonly code: string;
  readonly start: number;
  readonly end: number;
}
export const OPERATORS: readonly string[];
export function mutationsOf(text: string): Mutation[];
export function mutated(text: string, mutation: Mutation): string;
