/** A take-profit or stop-loss as it is being typed. */
import type { z } from 'zod';
import type { bracketInput } from '../../../gateway/contract/brackets.ts';
import { percentOfFraction, slippageInput } from '../percent/percent.ts';
import { BRACKET_SIDES, type Bracket, type BracketSide, type BracketType } from './bracket-text.ts';

export type BracketInput = z.input<typeof bracketInput>;

export interface BracketDraft {
  readonly isOn: boolean;
  readonly type: BracketType;
  readonly value: string;
  readonly isTrailing: boolean;
  readonly delta: string;
  readonly activation: string;
  /** Slippage of the first closing round, percent around the mark price; empty: the gateway's default. */
  readonly slippage: string;
  /**
   * Transform that the level belongs to, only with a ratio; left out: the level is one of the measure itself. It comes
   * from a chart or from the present bracket, and is dropped when the measure changes.
   */
  readonly transformed?: Required<Pick<Bracket, 'transform' | 'lookback'>> | undefined;
}

export const NO_BRACKET: BracketDraft = {
  isOn: false,
  type: 'PERCENTAGE',
  value: '',
  isTrailing: false,
  delta: '',
  activation: '',
  slippage: '',
};

/** Form values of a bracket that the gateway has. */
export function bracketDraftOf(bracket: Bracket | null): BracketDraft {
  if (bracket === null) return NO_BRACKET;
  return {
    isOn: true,
    type: bracket.type,
    value: bracket.value,
    isTrailing: bracket.trailing !== null,
    delta: bracket.trailing?.delta ?? '',
    activation: bracket.trailing?.activation ?? '',
    slippage: bracket.slippage === undefined ? '' : percentOfFraction(bracket.slippage),
    ...(bracket.transform === undefined
      ? {}
      : { transformed: { transform: bracket.transform, lookback: bracket.lookback } }),
  };
}

/** Transform of the draft; only ratios have one. */
export function transformOf({ type, transformed }: Pick<BracketDraft, 'type' | 'transformed'>) {
  return type === 'PRICE_RATIO' || type === 'WEIGHTED_RATIO' ? transformed : undefined;
}

/** undefined: the bracket is switched off. Nothing is checked here; the contract refuses an empty text. */
export function bracketInputOf(draft: BracketDraft): BracketInput | undefined {
  if (!draft.isOn) return undefined;
  const activation = draft.activation.trim();
  return {
    type: draft.type,
    value: draft.value.trim(),
    ...transformOf(draft),
    ...(draft.isTrailing
      ? { trailing: { delta: draft.delta.trim(), ...(activation === '' ? {} : { activation }) } }
      : {}),
    ...slippageInput(draft.slippage),
  };
}

/** Take-profit and stop-loss of a position or of a trigger. */
export type BracketDrafts = Readonly<Record<BracketSide, BracketDraft>>;
type StandingBrackets = Readonly<Record<BracketSide, Bracket | null>>;

export function bracketDraftsOf({ takeProfit, stopLoss }: StandingBrackets): BracketDrafts {
  return { takeProfit: bracketDraftOf(takeProfit), stopLoss: bracketDraftOf(stopLoss) };
}

export type BracketsBody = { [Side in BracketSide]?: BracketInput | null };

/**
 * Body of `PUT /positions/{id}/brackets`: only brackets that differ from the present ones, `null` for a removed one.
 * null as a whole: nothing differs.
 */
export function bracketsChange(standing: StandingBrackets, drafts: BracketDrafts): BracketsBody | null {
  const change: BracketsBody = {};
  for (const side of BRACKET_SIDES) {
    const [was, asked] = [bracketInputOf(bracketDraftOf(standing[side])), bracketInputOf(drafts[side])];
    if (JSON.stringify(was) !== JSON.stringify(asked)) change[side] = asked ?? null;
  }
  return Object.keys(change).length === 0 ? null : change;
}
