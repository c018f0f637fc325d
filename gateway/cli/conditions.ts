/** `--when 'BTC<90000'` and `--take-profit 5%` → conditions and brackets of the contract. */
import type { Request } from '../client/route-types.ts';
import { instrumentOf, isAmount, type OrderLeg } from './basket-legs.ts';
import { usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import type { FlagSpec } from './parse-flags.ts';

/** All that is read of a command: its flags with a text. */
interface Asked {
  readonly flags: Pick<CommandContext['flags'], 'texts'>;
}

export type Condition = Request<'POST /triggers/open'>['body']['condition'];
export type Bracket = NonNullable<NonNullable<Request<'PUT /positions/{id}/brackets'>['body']>['takeProfit']>;

export const WHEN_FLAG: FlagSpec = {
  name: '--when',
  kind: 'text',
  fields: ['condition'],
  value: '<condition>',
  help: "'BTC<90000', 'ratio>20', 'weighted<1.1', 'dominance>55' or '<source>/<market>>60' (a prediction, percent)",
};

export const TRANSFORM_FLAGS: readonly FlagSpec[] = [
  {
    name: '--transform',
    kind: 'text',
    fields: ['condition.transform', 'takeProfit.transform', 'stopLoss.transform'],
    value: '<zscore|spread>',
    help: 'Levels of ratio and weighted are those of its z-score, or of its spread in percent',
  },
  {
    name: '--lookback',
    kind: 'text',
    fields: ['condition.lookback', 'takeProfit.lookback', 'stopLoss.lookback'],
    value: '<hours>',
    help: 'Full hours that --transform looks back on (default 720)',
  },
];

const TRANSFORMS = { zscore: 'Z_SCORE', spread: 'SPREAD' } as const;
const LOOKBACK_HOURS = '720';

interface Transform {
  readonly transform: (typeof TRANSFORMS)[keyof typeof TRANSFORMS];
  readonly lookback: number;
}

/** null: levels are of the ratio itself. */
export function transformOf({ flags }: Asked): Transform | null {
  const name = flags.texts.get('--transform');
  const hours = flags.texts.get('--lookback');
  if (name === undefined) {
    if (hours !== undefined) throw usage('--lookback belongs to --transform');
    return null;
  }
  const known = Object.entries(TRANSFORMS).find(([word]) => word === name.toLowerCase());
  if (known === undefined) throw usage(`--transform wants zscore or spread, not '${name}'`);
  if (!/^[1-9]\d{0,4}$/.test(hours ?? LOOKBACK_HOURS))
    throw usage(`--lookback must be a whole number of hours, not '${hours}'`);
  return { transform: known[1], lookback: Number(hours ?? LOOKBACK_HOURS) };
}

/** A level of a transform may be 0 or below. */
function isLevel(text: string, transform: Transform | null): boolean {
  return transform === null ? isAmount(text) : /^-?\d{1,4}(\.\d{1,18})?$/.test(text);
}

const METRICS = {
  ratio: 'PRICE_RATIO',
  weighted: 'WEIGHTED_RATIO',
  dominance: 'BTC_DOM',
} as const;

/** Reads the words, before anything is asked. @returns the condition, by the tickers of the venue and the basket's legs */
export function conditionReader(
  text: string | undefined,
  transform: Transform | null = null,
): (legs: readonly OrderLeg[], idByTicker: Readonly<Record<string, string>>) => Condition {
  const [, name = '', sign, value = ''] = /^\s*(.+?)\s*([<>])\s*(\S+)\s*$/.exec(text ?? '') ?? [];
  if (name === '' || !isLevel(value, transform)) {
    const given = text === undefined ? 'is needed' : `wants a condition such as 'BTC<90000', not '${text}'`;
    throw usage(`--when ${given}${text === undefined ? ", such as --when 'BTC<90000'" : ''}`);
  }
  const side = { direction: sign === '>' ? 'MORE_THAN' : 'LESS_THAN', value } as const;
  const metric = name.toLowerCase();
  if (metric === 'ratio' || metric === 'weighted')
    return () => ({ type: METRICS[metric], ...side, ...transform });
  if (transform !== null) throw usage(`--transform is of ratio or weighted, not of '${name}'`);
  if (metric === 'dominance') return () => ({ type: METRICS[metric], ...side });
  const [, source, marketKey] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  if (source !== undefined && marketKey !== undefined)
    return () => ({ type: 'PREDICTION_MARKET_OUTCOME', source, marketKey, ...side });
  return (legs, idByTicker) => {
    const symbol = instrumentOf(name, '--when', idByTicker);
    // A ticker that is no leg is another instrument's price.
    const isLeg = legs.some((leg) => leg.symbol === symbol);
    return { type: isLeg ? 'PRICE' : 'CROSS_ASSET_PRICE', symbol, ...side };
  };
}

const BRACKET_HELP = '5%, usd=50, value=1050, price=…, ratio=… or weighted=…';
export const BRACKET_FLAGS: readonly FlagSpec[] = [
  {
    name: '--take-profit',
    kind: 'text',
    fields: ['takeProfit'],
    value: '<level>',
    help: `Closes in profit: ${BRACKET_HELP}`,
  },
  {
    name: '--stop-loss',
    kind: 'text',
    fields: ['stopLoss'],
    value: '<level>',
    help: 'Closes in loss, in the same words',
  },
  {
    name: '--trail',
    kind: 'text',
    fields: ['stopLoss.trailing'],
    value: '<distance>',
    help: "The stop-loss follows at this distance, in the unit of its level (percent for '3%')",
  },
  ...TRANSFORM_FLAGS,
];

const BRACKET_METRICS = {
  usd: 'DOLLAR',
  value: 'POSITION_VALUE',
  price: 'PRICE',
  ratio: 'PRICE_RATIO',
  weighted: 'WEIGHTED_RATIO',
} as const;

/** Brackets set by the flags; null: `none`, which removes. Absent: the flag is not given. */
export interface AskedBrackets {
  readonly takeProfit?: Bracket | null;
  readonly stopLoss?: Bracket | null;
}

export function bracketsOf(context: Asked): AskedBrackets {
  const { flags } = context;
  const transform = transformOf(context);
  const takeProfit = flags.texts.get('--take-profit');
  const stopLoss = flags.texts.get('--stop-loss');
  const delta = flags.texts.get('--trail');
  if (delta !== undefined && (stopLoss === undefined || stopLoss === 'none'))
    throw usage('--trail belongs to --stop-loss');
  if (delta !== undefined && !isAmount(delta))
    throw usage(`--trail must be a distance above 0, not '${delta}'`);
  const stop = stopLoss === undefined ? undefined : bracketOf('--stop-loss', stopLoss, transform);
  const target = takeProfit === undefined ? undefined : bracketOf('--take-profit', takeProfit, transform);
  const isUsed = stop?.transform !== undefined || target?.transform !== undefined;
  // A stop that is not of what was asked for protects at another level.
  if (transform !== null && !isUsed && !flags.texts.has('--when'))
    throw usage('--transform is of ratio=<level> or weighted=<level>, and no bracket is one');
  return {
    ...(target === undefined ? {} : { takeProfit: target }),
    ...(stop === undefined
      ? {}
      : { stopLoss: stop !== null && delta !== undefined ? { ...stop, trailing: { delta } } : stop }),
  };
}

/** As `bracketsOf`, for orders that open: there is nothing yet that could be removed. */
export function openingBracketsOf(context: Asked): {
  readonly takeProfit?: Bracket;
  readonly stopLoss?: Bracket;
} {
  const { takeProfit, stopLoss } = bracketsOf(context);
  if (takeProfit === null || stopLoss === null) throw usage('none only takes a bracket away from a position');
  return {
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  };
}

function bracketOf(flag: string, text: string, transform: Transform | null): Bracket | null {
  if (text === 'none') return null;
  const [, percent] = /^(.+)%$/.exec(text) ?? [];
  if (percent !== undefined && isAmount(percent)) return { type: 'PERCENTAGE', value: percent };
  const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const metric = name.toLowerCase();
  if ((metric === 'ratio' || metric === 'weighted') && isLevel(value, transform))
    return { type: BRACKET_METRICS[metric], value, ...transform };
  if (Object.hasOwn(BRACKET_METRICS, metric) && isAmount(value))
    return { type: BRACKET_METRICS[metric as keyof typeof BRACKET_METRICS], value };
  throw usage(`${flag} wants ${BRACKET_HELP}, not '${text}'`);
}
