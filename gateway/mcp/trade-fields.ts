/** Flat input fields of the previews, and the request bodies that are made of them. */
import { z } from 'zod';
import {
  BRACKET_METRICS,
  DIRECTIONS,
  LADDER_DISTRIBUTIONS,
  LADDER_METRICS,
  LADDER_SIZINGS,
  MISSED_SLICE_POLICIES,
  MISSED_TRIGGER_POLICIES,
  PRICE_SOURCES,
  REBALANCE_ACTIONS,
  REBALANCE_MODES,
} from '../domain/enumerations.ts';
import { instrumentInput, plainAmount, slippagePct, usdAmount } from './fields.ts';

const CONDITIONS = [
  'PRICE',
  'PRICE_RATIO',
  'WEIGHTED_RATIO',
  'CROSS_ASSET_PRICE',
  'BTC_DOM',
  'PREDICTION_MARKET_OUTCOME',
] as const;
const DEFAULT_LOOKBACK_HOURS = 720;

export const slippageField = { slippage_pct: slippagePct.default('1') } as const;

const metric = (what: string) =>
  z
    .enum(BRACKET_METRICS)
    .optional()
    .describe(`What the ${what} watches: PERCENTAGE and DOLLAR are the result of the position, from 0`);

const level = (what: string) =>
  z
    .string()
    .regex(/^-?\d{1,20}(\.\d{1,18})?$/, 'Expected a decimal in a text')
    .optional()
    .describe(what);
const transform = (what: string) => z.enum(['Z_SCORE', 'SPREAD']).optional().describe(what);
const lookbackHours = (what: string) => z.int().min(24).max(2_160).optional().describe(what);

/** Take-profit and stop-loss. */
export const protectionFields = {
  take_profit_metric: metric('take-profit'),
  take_profit_value: level('Level of the take-profit, in its metric, for example "5"'),
  take_profit_transform: transform('Of a ratio: its z-score, or its spread in percent'),
  take_profit_trailing_delta: plainAmount('Distance kept from the best value seen', '1').optional(),
  take_profit_trailing_activation: plainAmount('Value from which on it trails', '3').optional(),
  stop_loss_metric: metric('stop-loss'),
  stop_loss_value: level('Level of the stop-loss, in its metric; PERCENTAGE "2" is a loss of 2 %'),
  stop_loss_transform: transform('As take_profit_transform'),
  protection_lookback_hours: lookbackHours('Hours that these transforms look back on; default 720'),
  stop_loss_trailing_delta: plainAmount('Distance kept from the best value seen', '1').optional(),
  stop_loss_trailing_activation: plainAmount('Value from which on it trails', '3').optional(),
} as const;

/** A condition that is waited for. */
export const whenFields = {
  when_metric: z
    .enum(CONDITIONS)
    .optional()
    .describe('style "when": what is watched, for example "PRICE_RATIO"'),
  when_direction: z
    .enum(DIRECTIONS)
    .optional()
    .describe('style "when": "MORE_THAN" or "LESS_THAN" the value'),
  when_value: level('style "when": level, in the metric, as a text, for example "20"'),
  when_transform: transform('Of a ratio: the value is its z-score, or its spread in percent'),
  when_lookback_hours: lookbackHours('Hours that when_transform looks back on; default 720'),
  when_instrument: instrumentInput
    .optional()
    .describe('PRICE and CROSS_ASSET_PRICE: whose price, for example "BTC-PERP"'),
  when_source: z.string().min(1).max(64).optional().describe('PREDICTION_MARKET_OUTCOME: feed of the venue'),
  when_market_key: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('PREDICTION_MARKET_OUTCOME: name of the question'),
  when_price: z.enum(PRICE_SOURCES).optional().describe('Which price is watched; default "MARK"'),
  when_expires_at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Until when it waits, ISO 8601; default: for ever'),
  when_missed: z
    .enum(MISSED_TRIGGER_POLICIES)
    .optional()
    .describe('Met while the gateway was off: "FIRE" late or "SKIP"'),
  allow_immediate: z
    .boolean()
    .optional()
    .describe('true: what is met already fires at once; else it is refused'),
} as const;

/** The same for an alert, which has no other style. */
export const alertFields = {
  ...whenFields,
  when_metric: z
    .enum(CONDITIONS)
    .describe('What is watched, for example "PRICE"; a ratio is of long and short'),
  when_direction: z.enum(DIRECTIONS).describe('"MORE_THAN" or "LESS_THAN" the value'),
  when_value: whenFields.when_value.unwrap().describe('Level, in the metric, as a text, for example "20"'),
  when_missed: whenFields.when_missed.describe(
    'Met while the gateway was off: "FIRE" tells late, "SKIP" not',
  ),
  allow_immediate: whenFields.allow_immediate.describe(
    'true: what is met already is told of at once; else it is refused',
  ),
} as const;

/** Slices over time. */
export const overTimeFields = {
  over_time_seconds: z
    .int()
    .min(60)
    .max(86_400)
    .optional()
    .describe('style "over_time": how long, 60 to 86400'),
  over_time_interval_seconds: z
    .int()
    .min(5)
    .max(3_600)
    .optional()
    .describe('Seconds between slices, default 30'),
  over_time_limit_ratio: plainAmount('Slices are held back while the ratio is worse', '20').optional(),
  over_time_randomize: z.boolean().optional().describe('true: slice times vary by 10 %'),
  over_time_missed: z
    .enum(MISSED_SLICE_POLICIES)
    .optional()
    .describe('After the gateway was off; default "CATCH_UP"'),
} as const;

export const ladderFields = {
  ladder_metric: z.enum(LADDER_METRICS).optional().describe('style "ladder": what is watched'),
  ladder_direction: z.enum(DIRECTIONS).optional().describe('style "ladder": which way a level is crossed'),
  ladder_instrument: instrumentInput.optional().describe('Metric PRICE: whose price'),
  ladder_start: plainAmount('style "ladder": level of the first rung', '90000').optional(),
  ladder_end: plainAmount('style "ladder": level of the last rung', '80000').optional(),
  ladder_levels: z.int().min(2).max(50).optional().describe('style "ladder": rungs, 2 to 50'),
  ladder_distribution: z.enum(LADDER_DISTRIBUTIONS).optional().describe('Default "LINEAR"'),
  ladder_sizing: z.enum(LADDER_SIZINGS).optional().describe('Default "EQUAL"'),
} as const;

export const keepWeightsFields = {
  keep_weights_min_drift_pct: plainAmount(
    'Keeps the weights: drift from which on it acts, percent, 0.5 to 50',
    '5',
  ).optional(),
  keep_weights_action: z.enum(REBALANCE_ACTIONS).optional().describe('Default "NOTIFY"'),
  keep_weights_mode: z.enum(REBALANCE_MODES).optional().describe('Default "TARGET_WEIGHTS"'),
  keep_weights_max_trade_usd: usdAmount('The most that one rebalance trades').optional(),
} as const;

type Values<Shape extends Record<string, z.ZodType>> = {
  readonly [Name in keyof Shape]?: z.output<Shape[Name]>;
};

type Bracket = {
  type: (typeof BRACKET_METRICS)[number];
  value: string;
  transform?: 'Z_SCORE' | 'SPREAD';
  lookback?: number;
  trailing?: { delta: string; activation?: string };
};

function bracket(
  asked: Values<typeof protectionFields>,
  name: 'take_profit' | 'stop_loss',
): Bracket | undefined {
  const type = asked[`${name}_metric`];
  const value = asked[`${name}_value`];
  const of = asked[`${name}_transform`];
  const delta = asked[`${name}_trailing_delta`];
  const activation = asked[`${name}_trailing_activation`];
  if (type === undefined && value === undefined && of === undefined) return undefined;
  return {
    type: type ?? (of === undefined ? 'PERCENTAGE' : 'WEIGHTED_RATIO'),
    value: value ?? '',
    ...(of === undefined
      ? {}
      : { transform: of, lookback: asked.protection_lookback_hours ?? DEFAULT_LOOKBACK_HOURS }),
    ...(delta === undefined
      ? {}
      : { trailing: { delta, ...(activation === undefined ? {} : { activation }) } }),
  };
}

export function bracketsOf(asked: Values<typeof protectionFields>): {
  readonly takeProfit?: Bracket;
  readonly stopLoss?: Bracket;
} {
  return given({ takeProfit: bracket(asked, 'take_profit'), stopLoss: bracket(asked, 'stop_loss') }) as {
    readonly takeProfit?: Bracket;
    readonly stopLoss?: Bracket;
  };
}

/** Left out fields are left out of the body too, so that the route says that they are missing. */
export function given<T extends Readonly<Record<string, unknown>>>(
  fields: T,
): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The types describe a complete body; the route checks the actual one.
  return Object.fromEntries(entries) as never;
}

/** `the Z_SCORE over 720 hours of `; empty: the level is of the metric itself. */
export function transformWords(
  transform: string | undefined,
  lookback: number | string | undefined = DEFAULT_LOOKBACK_HOURS,
): string {
  return transform === undefined ? '' : `the ${transform} over ${lookback} hours of `;
}

export function watchOf(asked: Values<typeof whenFields>) {
  return given({
    condition: given({
      type: asked.when_metric,
      direction: asked.when_direction,
      value: asked.when_value,
      symbol: asked.when_instrument,
      source: asked.when_source,
      marketKey: asked.when_market_key,
      transform: asked.when_transform,
      lookback:
        asked.when_transform === undefined
          ? asked.when_lookback_hours
          : (asked.when_lookback_hours ?? DEFAULT_LOOKBACK_HOURS),
    }),
    priceSource: asked.when_price,
    expiresAt: asked.when_expires_at,
    onMissed: asked.when_missed,
    allowImmediate: asked.allow_immediate,
  });
}

export function slicingOf(asked: Values<typeof overTimeFields>) {
  return given({
    durationSeconds: asked.over_time_seconds,
    intervalSeconds: asked.over_time_interval_seconds,
    limitRatio: asked.over_time_limit_ratio,
    randomize: asked.over_time_randomize,
    missedSlicePolicy: asked.over_time_missed,
  });
}

export function ladderOf(
  asked: Values<typeof ladderFields> & Pick<Values<typeof whenFields>, 'when_expires_at' | 'allow_immediate'>,
) {
  return given({
    metric: asked.ladder_metric,
    direction: asked.ladder_direction,
    symbol: asked.ladder_instrument,
    start: asked.ladder_start,
    end: asked.ladder_end,
    levels: asked.ladder_levels,
    distribution: asked.ladder_distribution ?? 'LINEAR',
    sizing: asked.ladder_sizing ?? 'EQUAL',
    expiresAt: asked.when_expires_at,
    allowImmediate: asked.allow_immediate,
  });
}

/** undefined: no automatic rebalance is wanted. */
export function keepWeightsOf(asked: Values<typeof keepWeightsFields>) {
  if (asked.keep_weights_min_drift_pct === undefined) return undefined;
  return given({
    mode: asked.keep_weights_mode ?? 'TARGET_WEIGHTS',
    action: asked.keep_weights_action ?? 'NOTIFY',
    minimumDrift: fractionOf(asked.keep_weights_min_drift_pct),
    maxTradeUsd: asked.keep_weights_max_trade_usd,
  });
}

/** "1.5" percent → "0.015". */
export function fractionOf(pct: string): string {
  const [whole = '0', digits = ''] = pct.split('.');
  const padded = whole.padStart(3, '0');
  return `${padded.slice(0, -2)}.${padded.slice(-2)}${digits}`.replace(/^0+(?=\d)/, '');
}

/** Take-profit and stop-loss for a summary, each after a comma. */
export function protectionWords(asked: Parameters<typeof bracketsOf>[0]): string {
  const { takeProfit, stopLoss } = bracketsOf(asked);
  const level = ({ type, value, transform: of, lookback }: Bracket) =>
    `${transformWords(of, lookback)}${type} ${value}`;
  return [
    ...(takeProfit === undefined ? [] : [`, take-profit ${level(takeProfit)}`]),
    ...(stopLoss === undefined ? [] : [`, stop-loss ${level(stopLoss)}`]),
  ].join('');
}
