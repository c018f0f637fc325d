/** Converts validated request bodies of resting orders into the engine's types. */
import type { z } from 'zod';
import type { autoRebalanceInput } from '../contract/auto-rebalance.ts';
import type { bracketInput } from '../contract/brackets.ts';
import type { watchFields } from '../contract/conditions.ts';
import type { slicingFields } from '../contract/schedules.ts';

import {
  type BracketsMode,
  inMode,
  type PositionSetup,
  type RebalanceTerms,
} from '../domain/position-setup.ts';
import type { Bracket } from '../domain/trigger.ts';
import type { Slicing } from '../engine/resting/schedules/new-schedule.ts';
import type { Watch } from '../engine/resting/triggers/new-trigger.ts';

type Fields<Shape extends Record<string, z.ZodType>> = { [Name in keyof Shape]: z.output<Shape[Name]> };

function bracketOf(input: z.output<typeof bracketInput>): Bracket {
  const { type, value, transform, lookback, trailing, slippage } = input;
  return {
    type,
    value,
    trailing:
      trailing === undefined ? null : { delta: trailing.delta, activation: trailing.activation ?? null },
    ...(transform === undefined ? {} : { transform, lookback }),
    ...(slippage === undefined ? {} : { slippage }),
  };
}

function bracketOrNull(input: z.output<typeof bracketInput> | null | undefined): Bracket | null {
  return input === null || input === undefined ? null : bracketOf(input);
}

/** Take-profit and stop-loss of an order, in the order's bracket mode. */
export function bracketsOf(body: {
  readonly takeProfit?: z.output<typeof bracketInput> | undefined;
  readonly stopLoss?: z.output<typeof bracketInput> | undefined;
  readonly brackets: BracketsMode;
}): Pick<PositionSetup, 'takeProfit' | 'stopLoss'> {
  return {
    takeProfit: inMode(bracketOrNull(body.takeProfit), body.brackets),
    stopLoss: inMode(bracketOrNull(body.stopLoss), body.brackets),
  };
}

export interface BracketChange {
  readonly takeProfit?: Bracket | null;
  readonly stopLoss?: Bracket | null;
}

/** Change of a position's brackets; a bracket that the body leaves out stays unchanged. */
export function bracketChangeOf(body: {
  readonly takeProfit?: z.output<typeof bracketInput> | null | undefined;
  readonly stopLoss?: z.output<typeof bracketInput> | null | undefined;
}): BracketChange {
  return {
    ...(body.takeProfit === undefined ? {} : { takeProfit: bracketOrNull(body.takeProfit) }),
    ...(body.stopLoss === undefined ? {} : { stopLoss: bracketOrNull(body.stopLoss) }),
  };
}

export function rebalanceTermsOf(input: z.output<typeof autoRebalanceInput>): RebalanceTerms {
  return {
    mode: input.mode,
    action: input.action,
    minimumDrift: input.minimumDrift,
    timeframe: input.mode === 'LIVE_BETA' ? (input.timeframe ?? null) : null,
    cooldownSeconds: input.cooldownSeconds,
    maxTradeUsd: input.maxTradeUsd ?? null,
    onLegFailure: input.onLegFailure,
  };
}

/** Brackets and rebalance to set on the position; null: the body has none. */
export function setupOf(body: {
  readonly takeProfit?: z.output<typeof bracketInput> | undefined;
  readonly stopLoss?: z.output<typeof bracketInput> | undefined;
  readonly brackets: BracketsMode;
  readonly autoRebalance?: z.output<typeof autoRebalanceInput> | undefined;
}): PositionSetup | null {
  const { takeProfit, stopLoss } = bracketsOf(body);
  const autoRebalance = body.autoRebalance === undefined ? null : rebalanceTermsOf(body.autoRebalance);
  if (takeProfit === null && stopLoss === null && autoRebalance === null) return null;
  return { takeProfit, stopLoss, autoRebalance };
}

/** Time of the text in epoch ms; null: no text. */
export function momentOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}

type WatchInput = Omit<Fields<typeof watchFields>, 'expiresAt'> & {
  readonly expiresAt?: string | null | undefined;
};

export function watchOf(body: WatchInput): Watch {
  const { condition, priceSource, allowImmediate, onMissed } = body;
  return { condition, priceSource, expiresAt: momentOf(body.expiresAt), allowImmediate, onMissed };
}

type SlicingInput = Omit<Fields<typeof slicingFields>, 'limitRatio'> & {
  readonly limitRatio?: string | undefined;
};

export function slicingOf(body: SlicingInput): Slicing {
  const { durationSeconds, intervalSeconds, randomize, missedSlicePolicy } = body;
  return {
    durationSeconds,
    intervalSeconds,
    randomize,
    limitRatio: body.limitRatio ?? null,
    missedSlicePolicy,
  };
}
