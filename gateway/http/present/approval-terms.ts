/**
 * What a request asks for beside its legs, as lines for a person. Every field of the body becomes a line, also one that
 * nobody thought of here: what is approved has no part that was not shown.
 */
import type { RecordedRequest } from '../../domain/approval.ts';
import type { JsonValue } from '../../domain/canonical-json.ts';

export interface Term {
  readonly name: string;
  readonly value: string;
}

const NAMES: Readonly<Record<string, string>> = {
  type: 'Order type',
  totalUsd: 'Total (USD)',
  slippage: 'Slippage, a fraction',
  onLegFailure: 'If a leg fails',
  takeProfit: 'Take-profit',
  stopLoss: 'Stop-loss',
  brackets: 'Brackets that are there',
  autoRebalance: 'Automatic rebalance',
  clientId: 'Attributed to',
  condition: 'When',
  priceSource: 'Price that counts',
  expiresAt: 'Waits until',
  allowImmediate: 'May fire at once',
  onMissed: 'If it was missed',
  durationSeconds: 'Over (seconds)',
  intervalSeconds: 'A slice every (seconds)',
  randomize: 'Slices at random times',
  limitRatio: 'Ratio limit',
  missedSlicePolicy: 'Slices that were missed',
  start: 'First level',
  end: 'Last level',
  levels: 'Number of levels',
};

/** First segment of a route → what the id in it names. */
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

/** What the request is about: the position that it changes, the trigger that it resumes. */
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
      : [{ name: NAMES[name] ?? name, value: wordsOf(value) }],
  );
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
