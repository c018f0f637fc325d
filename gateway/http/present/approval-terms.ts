/**
 * Terms of a request besides its legs, as lines for a person. Every field of the body becomes a line, even an
 * unforeseen one: nothing is approved that was not shown.
 */
import { jsonOf, type RecordedRequest, type ShownTerms } from '../../domain/approval.ts';
import type { JsonValue } from '../../domain/canonical-json.ts';
import { dec, text } from '../../domain/decimal.ts';

export interface Term {
  readonly name: string;
  readonly value: string;
}

const NAMES: Readonly<Record<string, string>> = {
  type: 'Order type',
  totalUsd: 'Total (USD)',
  slippage: 'Slippage, at most',
  fraction: 'Part of the position',
  onLegFailure: 'If a leg fails',
  takeProfit: 'Take-profit',
  stopLoss: 'Stop-loss',
  brackets: 'Existing take-profit, stop-loss',
  autoRebalance: 'Automatic rebalance',
  clientId: 'Attributed to',
  condition: 'When',
  priceSource: 'Price that counts',
  expiresAt: 'Waits until',
  allowImmediate: 'May fire at once',
  onMissed: 'If it was missed',
  durationSeconds: 'Over',
  intervalSeconds: 'A slice every',
  randomize: 'Slices at random times',
  limitRatio: 'Ratio limit',
  missedSlicePolicy: 'Slices that were missed',
  afterBracket: 'When its take-profit or stop-loss has closed it',
  start: 'First level',
  end: 'Last level',
  levels: 'Number of levels',
};

/** Words for values of a field. A value that is not here is shown as it is. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: { MARKET: 'At market', TRIGGER: 'At a trigger', TWAP: 'TWAP', LADDER: 'Ladder' },
  onLegFailure: {
    KEEP: 'What filled stays',
    UNWIND: 'What filled is closed again',
    RETRY: 'It is tried again',
  },
  brackets: { KEEP: 'Stay as they are', REPLACE: 'Are replaced' },
  priceSource: { MARK: 'Mark price', LAST: 'Last price', INDEX: 'Index price' },
  onMissed: { FIRE: 'It fires all the same', SKIP: 'It waits for the next crossing' },
  afterBracket: { STOP: 'It ends', GO_ON: 'It opens anew' },
  missedSlicePolicy: { CATCH_UP: 'Are made up for', SKIP: 'Are left out', PAUSE: 'Pause it' },
};
/** Fields that hold a fraction of 1, and fields that hold seconds. */
const FRACTIONS = new Set(['slippage', 'fraction']);
const IS_DECIMAL = /^\d{1,20}(\.\d{1,20})?$/;
const SECONDS = new Set(['durationSeconds', 'intervalSeconds']);

/** Kind of object that the id in a route names, by the route's first segment. */
const ABOUT: Readonly<Record<string, string>> = {
  positions: 'Position',
  triggers: 'Trigger',
  schedules: 'TWAP',
};

/** The legs are shown with their figures. */
const SHOWN_ELSEWHERE = new Set(['legs', 'dryRun']);

export function termsOf({ route, params, body }: Pick<RecordedRequest, 'route' | 'params' | 'body'>) {
  return [...aboutOf(route, params), ...bodyTerms(body)];
}

/** Settings that the order is placed with. Leverage and margin mode are shown with the legs. */
export function settingTerms(terms: ShownTerms | undefined): readonly Term[] {
  const { accountMode = null, held = [], protection = [], rebalance = null, changes = null } = terms ?? {};
  const legs = held.map(
    ({ symbol, side, quantity }) => `${side === 'BUY' ? 'long' : 'short'} ${quantity} ${symbol}`,
  );
  return [
    ...(accountMode === null ? [] : [{ name: 'Account mode', value: accountMode }]),
    ...(legs.length === 0 ? [] : [{ name: 'Held now', value: legs.join(', ') }]),
    ...(rebalance === null ? [] : [{ name: 'Present rebalancing', value: wordsOf(rebalance) }]),
    ...bodyTerms(changes).map(({ name, value }) => ({ name: `Before: ${name}`, value })),
    ...protection.map(({ kind, bracket, isPaused = false }) => ({
      name: `Present ${kind === 'TAKE_PROFIT' ? 'take-profit' : 'stop-loss'}`,
      value: `${wordsOf(jsonOf(bracket))}${isPaused ? ', paused' : ''}`,
    })),
  ];
}

/** Subject of the request: the position that it changes, the trigger that it resumes. */
function aboutOf(route: string, params: JsonValue): readonly Term[] {
  const [, , about = ''] = route.split(/[ /]/);
  const name = ABOUT[about];
  return Object.values(params ?? {}).flatMap((id) =>
    typeof id === 'string' ? [{ name: name ?? 'About', value: id }] : [],
  );
}

function bodyTerms(body: JsonValue): readonly Term[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    SHOWN_ELSEWHERE.has(name) || value === undefined || value === null
      ? []
      : [{ name: NAMES[name] ?? name, value: saidOf(name, value) }],
  );
}

function saidOf(name: string, value: JsonValue): string {
  if (typeof value !== 'string' && typeof value !== 'number') return wordsOf(value);
  if (FRACTIONS.has(name) && IS_DECIMAL.test(String(value))) return `${text(dec(value).mul(100))} %`;
  if (SECONDS.has(name) && typeof value === 'number') return durationWords(value);
  return WORDS[name]?.[value] ?? wordsOf(value);
}

/** 5,400 → `1 h 30 min` */
function durationWords(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ].filter(([count]) => count !== 0);
  return parts.length === 0 ? '0 s' : parts.map((part) => part.join(' ')).join(' ');
}

function wordsOf(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Array.isArray(value)
    ? value.map((one) => wordsOf(one))
    : Object.entries(value).flatMap(([name, inner]) =>
        inner === undefined || inner === null ? [] : [`${name} ${wordsOf(inner)}`],
      );
  return parts.join(', ');
}
