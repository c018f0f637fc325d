/** Judgement of a preview by the user's limits. Nothing is reserved or counted. */
import { z } from 'zod';
import type { BrokenLimit, Judgement, MandateKind } from '../domain/mandate.ts';
import type { MandateEffect } from '../domain/mandate-judgement.ts';
import type { TradeLeg } from '../domain/model.ts';
import { brokenLimit } from './fault.ts';
import { limitLine } from './say.ts';

/** Effect of a preview on a position's take-profit and stop-loss. */
export type ProtectionAsk =
  | { readonly does: 'SET'; readonly body: unknown }
  /** They come along with an order. */
  | { readonly does: 'BRING'; readonly body: unknown };

/** The request that placing a preview would make. */
export interface AgentRequest {
  /** `METHOD path-pattern`. */
  readonly route: string;
  readonly body: unknown;
}

/** Request that a preview stands for. */
export interface AgentAsk {
  readonly accountId: string;
  readonly kind: MandateKind;
  /** Further kinds that come with it: brackets and rebalancing of the position. Default none. */
  readonly brings?: readonly MandateKind[];
  readonly effect: Exclude<MandateEffect, 'LOOSENS'>;
  /** Request that may loosen the position's protection. Default none. */
  readonly protection?: ProtectionAsk;
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: string | null;
  /** Decimal fraction. */
  readonly slippage: string;
  /** Slippage of the automatic rebalances that it asks for. Default none. */
  readonly laterSlippage?: string | undefined;
  /** It moves margin of an isolated leg: USD, negative where it takes some out. Default none. */
  readonly margin?: { readonly symbol: string; readonly amount: string };
  /** null: no position yet. */
  readonly positionId: string | null;
  /** Orders that wait; 0: it trades at once. */
  readonly rests: number;
}

export const verdictOut = z.object({
  verdict: z
    .enum(['ALLOWED', 'NEEDS_APPROVAL', 'REFUSED', 'NO_LIMITS'])
    .describe('What place_order would meet now'),
  verdict_words: z.string(),
  limits: z.array(brokenLimit).describe('REFUSED: every limit that it would break'),
});
type Verdict = z.input<typeof verdictOut>;

const APPROVAL_WORDS: Readonly<Record<string, string>> = {
  ALWAYS: 'every order',
  ABOVE: 'orders of this size',
  KIND: 'orders of this kind',
  FIRST_ON_ACCOUNT: 'the first order on an account',
  FIRST_OF_INSTRUMENT: 'the first order of an instrument',
  FIRST_LIVE: 'the first order with real money',
  DUPLICATE: 'the same order within a minute',
  LOOSENS: 'less protection of a position',
};

function limitOf({ limit, ...figures }: BrokenLimit): z.input<typeof brokenLimit> {
  return { name: limit, ...figures };
}

/** @param judgement null: no limits are set for this connection @param problems why the venue or the account refuses it */
export function verdictOf(judgement: Judgement | null, problems: readonly string[]): Verdict {
  const limits = judgement?.verdict === 'refused' ? judgement.broken.map(limitOf) : [];
  if (problems.length > 0 || limits.length > 0) {
    const words = [...problems, ...limits.map((limit) => limitLine(limit).slice(2))];
    return { verdict: 'REFUSED', verdict_words: `Refused because: ${words.join('; ')}.`, limits };
  }
  if (judgement === null)
    return { verdict: 'NO_LIMITS', verdict_words: 'Allowed: no limits set for this connection.', limits };
  if (judgement.verdict === 'needs_approval') {
    const asked = judgement.reasons.map((reason) => APPROVAL_WORDS[reason] ?? reason).join(', ');
    return {
      verdict: 'NEEDS_APPROVAL',
      verdict_words: `Needs the user's approval: they want to be asked about ${asked}.`,
      limits,
    };
  }
  return { verdict: 'ALLOWED', verdict_words: 'Allowed by the limits of this connection.', limits };
}
