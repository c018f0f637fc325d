/** Protection in figures, for previews and lists. */
import { z } from 'zod';
import { BRACKET_KINDS } from '../domain/enumerations.ts';
import type { Answer } from './ask.ts';
import { nullableText } from './fields.ts';

export const protectionOut = z.array(
  z.object({
    kind: z.enum(BRACKET_KINDS),
    metric: z.string(),
    now: nullableText,
    fires_at: nullableText,
    distance_pct: nullableText,
    result_usd: nullableText.describe('PnL of what is held at the level; of a price or ratio an estimate'),
  }),
);
export type ProtectionOut = z.input<typeof protectionOut>;

type Told = Answer<'GET /positions'>['positions'][number]['protection'];

export function protectionRows(told: readonly Told[number][]): ProtectionOut {
  return told.map(({ kind, metric, now, firesAt, distancePct, resultUsd }) => {
    return { kind, metric, now, fires_at: firesAt, distance_pct: distancePct, result_usd: resultUsd };
  });
}

export function protectionLine({
  kind,
  metric,
  now,
  fires_at,
  distance_pct,
  result_usd,
}: ProtectionOut[number]) {
  const name = kind === 'STOP_LOSS' ? 'stop-loss' : 'take-profit';
  const at = fires_at === null ? 'cannot fire now, or not known' : `fires at ${fires_at}`;
  const away = distance_pct === null ? '' : `, ${distance_pct} % away`;
  const result = result_usd === null ? '' : `, result about ${result_usd} USD`;
  return `${name} ${metric} now ${now ?? 'not known'}, ${at}${away}${result}`;
}
