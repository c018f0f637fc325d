/** Take-profit and stop-loss of a position. When one of them has closed the position, the other is cancelled. */
import { z } from 'zod';
import {
  BRACKET_KINDS,
  BRACKET_METRICS,
  BRACKETS_MODES,
  DROPPED_BRACKET_REASONS,
  PAUSED_BY,
  TRIGGER_PAUSE_REASONS,
} from '../domain/enumerations.ts';
import { authority } from './authority.ts';
import { slippage } from './basket-order.ts';
import { DOCS, decimal, idParams, isoTime, levelInput, positiveDecimalInput, uuid } from './common.ts';
import { checkTransform, transformFields } from './conditions.ts';
import { route } from './route.ts';

const metric = z.enum(BRACKET_METRICS).register(DOCS, {
  description:
    "What is watched. PERCENTAGE: PnL in percent of the gross notional at entry. DOLLAR: PnL in USD; what part-closes have realised since it was set counts on. POSITION_VALUE: gross notional at entry plus PnL, USD; the level moves with the size of the position. PRICE: the basket's price. PRICE_RATIO: long price ÷ short price (exactly one of each). WEIGHTED_RATIO: the basket's weightRatio.",
});

export const bracketInput = z
  .strictObject({
    type: metric,
    value: levelInput.meta({
      description:
        "In the metric's unit, greater than 0. A POSITION_VALUE that comes with an order is of the whole position once the order has filled. Of PERCENTAGE and DOLLAR it is the size of the gain (take-profit) or of the loss (stop-loss). With `transform` in its unit, from −1000 to 1000.",
    }),
    ...transformFields,
    trailing: z
      .strictObject({
        delta: positiveDecimalInput.meta({ description: 'Distance kept from the best value seen' }),
        activation: positiveDecimalInput.optional().register(DOCS, {
          description:
            'Trailing begins when the metric has reached this value; left out: a stop-loss trails at once, a take-profit from its own level on',
        }),
      })
      .optional(),
    slippage: slippage.optional().register(DOCS, {
      description:
        'Of the first round, around the mark price; default 0.03 of a stop-loss, which adds 0.01 in each further round up to 0.10, and 0.01 of a take-profit, which stays there',
    }),
  })
  .superRefine((asked, context) => {
    checkTransform(asked, context);
    const { type, transform, trailing } = asked;
    const isRatio = type === 'PRICE_RATIO' || type === 'WEIGHTED_RATIO';
    if (transform !== undefined && !isRatio)
      context.addIssue({ code: 'custom', path: ['transform'], message: 'Only a ratio can be transformed' });
    if (transform !== undefined && trailing !== undefined)
      context.addIssue({ code: 'custom', path: ['trailing'], message: 'A transformed ratio does not trail' });
  })
  .register(DOCS, { id: 'Bracket', example: { type: 'PERCENTAGE', value: '5' } });

const trailing = z.strictObject({ delta: decimal, activation: decimal.nullable() });

/** A bracket as the caller asked for it; used in answers. */
export const askedBracket = z
  .strictObject({
    type: metric,
    value: decimal,
    ...transformFields,
    trailing: trailing.nullable(),
    slippage: decimal.meta({ description: 'Of the first round' }),
  })
  .register(DOCS, { id: 'AskedBracket' });

/** How an order that adds to a position treats the brackets that the position already has. */
export const bracketsMode = z.enum(BRACKETS_MODES).register(DOCS, {
  id: 'BracketsMode',
  description:
    'Where the basket is open already and has a take-profit or stop-loss of the kind that comes with this order. KEEP: the present one stays, for the whole position, unless an agent has set it and the order is the user’s. REPLACE: this one takes its place, for the whole position, with the first fills, and with `onLegFailure: UNWIND` once the order has ended and its fills stay. One that is closing the position stays.',
});

const bracketKind = z.enum(BRACKET_KINDS);

/** Protection in figures: where it fires, how far that is, and the result by then. */
export const protection = z.array(
  z
    .strictObject({
      kind: bracketKind,
      metric: metric.meta({
        description: 'DOLLAR while a loss in USD stands in for a level that needs a leg that is not held',
      }),
      now: decimal.nullable().register(DOCS, {
        description: 'Value of the metric; null: a price is not known, or the level is one of a `transform`',
      }),
      firesAt: decimal.nullable().register(DOCS, {
        description:
          'Level in the unit of the metric, a loss negative; null: it cannot fire now (it is paused, or its trailing has not begun), or the level is one of a `transform`',
      }),
      distancePct: decimal.nullable().register(DOCS, {
        description:
          'How far away that is, percent: of the metric for PRICE and the ratios; for the others, of the PnL in percent of the gross notional at the marks',
      }),
      resultUsd: decimal.nullable().register(DOCS, {
        description:
          'PnL of what is held when it fires, at the level, before fees, funding and slippage. Of PRICE and the ratios an estimate: as if all legs had moved by the same factor',
      }),
    })
    .register(DOCS, { id: 'Protection' }),
);
/** Of an order that waits. */
export const whenFilled = protection.optional().register(DOCS, {
  description:
    'Of the position that it would leave, were the rest of it filled at the marks of now; empty: none, it has ended, or it takes out of what is held. Left out of the answer that made it',
});

export const presentBracket = askedBracket.extend({
  bracketType: bracketKind,
  triggerId: uuid.meta({ description: 'Of the present one' }),
});

const setBracket = presentBracket.extend({ authority }).register(DOCS, { id: 'SetBracket' });

/** Effect of an order on the brackets of the position that it adds to. */
export const openingBrackets = z
  .strictObject({
    kept: z.array(setBracket).register(DOCS, {
      description:
        'Those that stay instead of the ones asked for; where the order is the user’s, also those of an agent that stay and act on all',
    }),
    replaced: z.array(setBracket).register(DOCS, {
      description:
        'Those that end with the first fills, and with `onLegFailure: UNWIND` once the order has ended and its fills stay; a take-profit of an agent also where the user’s order brings a stop-loss alone',
    }),
    set: z.array(askedBracket.extend({ bracketType: bracketKind })).register(DOCS, {
      description:
        'What is set with the first fills. With `onLegFailure: UNWIND`, one that replaces another is set once the order has ended and its fills stay; one that replaces none stays if they are closed again',
    }),
  })
  .register(DOCS, { id: 'OpeningBrackets' });

/** Effect of a reversal on the brackets of the position that it reverses. */
export const reversalBrackets = z
  .strictObject({
    carried: z.array(presentBracket).register(DOCS, {
      description:
        'As they are set on the opposite position, with its first fills. PERCENTAGE and DOLLAR as they are, from the new entry; a trailing stop-loss of another metric from the value of now, at its distance',
    }),
    dropped: z.array(
      presentBracket.extend({
        reason: z.enum(DROPPED_BRACKET_REASONS).register(DOCS, {
          description:
            'ABSOLUTE_LEVEL: a level of a price, ratio or value means something else on the other side. OPPOSITE_POSITION_HAS_ONE: the opposite basket is open already and keeps its own; where that has ended before the reversal comes to it, what would have been carried over is set.',
        }),
      }),
    ),
  })
  .register(DOCS, { id: 'ReversalBrackets' });

export const pauseReason = z.enum(TRIGGER_PAUSE_REASONS).nullable().register(DOCS, {
  description:
    "FEED_STALE resumes by itself when the feed is back. OTHER_BRACKET: a round of the position's other bracket is on its way; resumes by itself when that did not close the position. AGENT_LIMIT: the mandate of the agent that placed it did not allow it to fire; its user may resume it as the user's own. LEG_IMBALANCE: another rung of its ladder filled only in part; `error` says which and why. Resume it, cancel the ladder, or close what is held.",
});

export const pausedBy = z.enum(PAUSED_BY).nullable().register(DOCS, {
  description:
    'Who asked for the pause; what its user paused only its user resumes. null: nobody did, or it is not paused',
});

/** Closing rounds of a bracket that fired. */
export const roundFields = {
  rounds: z
    .int()
    .nonnegative()
    .register(DOCS, { description: 'Rounds that ended and left the position open' }),
  nextRoundAt: isoTime.nullable().register(DOCS, {
    description: 'TRIGGERED and null: a round is on its way; else when the next one begins',
  }),
} as const;

export const bracketLevel = decimal.nullable().register(DOCS, {
  description:
    'Level at which it fires, in the unit of the metric, a loss as a negative number: `value` for the size that the position has now, or where trailing has moved it. A POSITION_VALUE moves with the size of the position, a WEIGHTED_RATIO (and a PRICE of several legs) with the weights of its legs; a part-close moves a DOLLAR or PERCENTAGE by the PnL that it realises. null: it cannot fire yet (a trailing take-profit before its activation), `standIn` counts, or its level is one of a `transform`.',
});

export const trailingNow = trailing.nullable().register(DOCS, {
  description:
    '`trailing` at the size that the position has now, in the unit of the metric: an addition widens the distance of a POSITION_VALUE as it widens the value. The activation of a take-profit without one is its level. null: it does not trail.',
});

/** A bracket that watches an open position. */
export const positionBracket = askedBracket
  .extend({
    triggerId: uuid.meta({ description: 'The trigger that carries it out: `GET /triggers/{id}`' }),
    status: z.enum(['ACTIVE', 'PAUSED', 'TRIGGERED']),
    peak: decimal.nullable().register(DOCS, {
      description: 'Best value seen since trailing began; null before and without trailing',
    }),
    standIn: decimal.nullable().register(DOCS, {
      description:
        'Of a stop-loss at a price or ratio while a leg of its basket is not held: PnL in USD of what is held, below which it fires instead. It ends when the leg is held again; where an agent brought the leg that may not loosen the stop-loss, with the next trade of its user. null: its own level counts.',
    }),
    level: bracketLevel,
    trailingNow,
    pauseReason,
    pausedBy,
    ...roundFields,
    error: z.string().nullable().register(DOCS, {
      description:
        'TRIGGERED: why its last round did not close the position, and what remains. PAUSED: at which value a stop-loss was met while it has to wait.',
    }),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'PositionBracket' });

export const positionBrackets = z
  .strictObject({
    positionId: uuid,
    takeProfit: positionBracket.nullable(),
    stopLoss: positionBracket.nullable(),
  })
  .register(DOCS, { id: 'PositionBrackets' });

export const putBrackets = route({
  method: 'PUT',
  path: '/positions/:id/brackets',
  auth: 'K',
  account: true,
  tag: 'Positions',
  summary: 'Set, replace or remove take-profit and stop-loss',
  description:
    "A bracket that is left out stays as it is, `null` removes it. Each is a trigger that closes the whole position, and protection ends only when the position is closed: what fired stays TRIGGERED and works in rounds, each an execution (`origin: BRACKET`) at mark ± slippage, until it is. A round that left something open (a thin book, a refusal, a halted instrument) is followed by the next one after 0.25 s, doubling up to 30 s, also across restarts and while trading is paused. While a round is on its way the other bracket is PAUSED (`OTHER_BRACKET`); a stop-loss watches on, and fires when the round has ended if its level was met meanwhile, wherever the price is by then; between rounds both watch: a stop-loss that is met then takes over from a take-profit, never the other way round. With the position's close the other is cancelled. The notification `STOP_LOSS_FAILED` or `TAKE_PROFIT_FAILED` says why and what remains after 1, 2, 4, 8, … rounds, `…_HIT` tells of the end, `trigger.updated` of every round. Between rounds a bracket can be removed or replaced like any other; during one it is busy (409 `RESOURCE_BUSY`). Cancelling a round's order ends the round, not the bracket. A level that is reached already is refused (400), and a removal of what is not there changes nothing (409 `NOOP_ERROR`).",
  params: idParams,
  body: z
    .strictObject({
      takeProfit: bracketInput.nullable().optional(),
      stopLoss: bracketInput.nullable().optional(),
    })
    .refine(
      (body) => body.takeProfit !== undefined || body.stopLoss !== undefined,
      'At least one of takeProfit and stopLoss is needed',
    )
    .register(DOCS, {
      id: 'PutBrackets',
      example: {
        takeProfit: { type: 'PERCENTAGE', value: '5' },
        stopLoss: { type: 'PERCENTAGE', value: '2' },
      },
    }),
  idempotent: 'answer',
  success: { 200: positionBrackets },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR', 'CONFIGURATION_ERROR'],
});
