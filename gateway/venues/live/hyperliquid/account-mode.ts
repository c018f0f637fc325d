/**
 * Account modes of Hyperliquid: where the collateral lies. Source: its documentation, page "account abstraction modes":
 * in the unified modes all balances and holds are in the spot state, and the summary of the perpetuals has no meaning.
 */
import type { AccountMode } from '../../../engine/ports/venue-status.ts';

/** Mode of an open account, in the venue's word. */
export interface SeenMode {
  readonly word: string;
  /** Epoch ms; null: it has not changed since the account was connected. */
  readonly changedAt: number | null;
}

const STANDARD = 'standard';
const NAMES: Readonly<Record<string, string>> = {
  default: STANDARD,
  disabled: STANDARD,
  dexAbstraction: STANDARD,
  unifiedAccount: 'unified',
  portfolioMargin: 'portfolio margin',
};

/** Words for the same mode have the same name; an unknown word is its own name. */
export function modeName(word: string): string {
  return NAMES[word] ?? word;
}

/** Place of the balance; null: the word is unknown. */
export function collateralOf(word: string): 'perps' | 'spot' | null {
  const name = NAMES[word];
  if (name === undefined) return null;
  return name === STANDARD ? 'perps' : 'spot';
}

/** True: Tandem can compute the margin for an opening order. */
export function isTradedMode(word: string): boolean {
  return [STANDARD, 'unified'].includes(modeName(word));
}

const DETAILS = {
  perps: 'equity and free margin are those of the perpetuals account',
  spot: 'equity and free margin come from the USDC of the spot balance',
  unknown: 'its balances may be incomplete',
} as const;

/** null: standard, and no other mode was ever seen. */
export function describeMode({ word, changedAt }: SeenMode): AccountMode | null {
  if (modeName(word) === STANDARD && changedAt === null) return null;
  return { name: modeName(word), detail: DETAILS[collateralOf(word) ?? 'unknown'], changedAt };
}
