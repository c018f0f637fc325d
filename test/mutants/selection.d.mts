import type { Mutation } from './operators.mjs';

/** A mutant as a list keeps it. */
export interface Mutant extends Omit<Mutation, 'start' | 'end'> {
  readonly file: string;
}
export interface Source {
  readonly file: string;
  readonly text: string;
}
export function mulberry32(seed: number): () => number;
export function selectMutants(
  folders: readonly (readonly Source[])[],
  options: { readonly seed: number; readonly count: number },
): Mutant[];
export function findMutation(text: string, mutant: Mutant): Mutation | null;
