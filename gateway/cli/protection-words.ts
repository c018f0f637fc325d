/** Protection of a position in words: where it fires, how far that is, and the result there. */
import type { PositionAnswer } from './answers.ts';
import { plainPercent, price, signedPercent, signedUsd } from './readable-numbers.ts';
import { METRIC_WORDS } from './resting.ts';

export type ProtectionAnswer = PositionAnswer['protection'][number];

export function protectionName({ kind }: ProtectionAnswer): string {
  return kind === 'STOP_LOSS' ? 'stop-loss' : 'take-profit';
}

/** `-5.00%`, `ratio 25`; null: it cannot fire now (paused, or trailing has not begun), or its level moves with a transform. */
export function levelWords({ metric, firesAt }: ProtectionAnswer): string | null {
  if (firesAt === null) return null;
  if (metric === 'PERCENTAGE') return signedPercent(firesAt);
  if (metric === 'DOLLAR') return `${signedUsd(firesAt)} USD`;
  return `${METRIC_WORDS[metric] ?? metric} ${price(firesAt)}`;
}

/** Rows for `renderFields`. @param all left out by a gateway of an earlier version */
export function protectionFields(all: readonly ProtectionAnswer[] | undefined): [string, string][] {
  return (all ?? []).map((one) => [protectionName(one), firingWords(one)]);
}

/** `fires at -5.00% (3.20% away), -512.40 USD` */
export function firingWords(one: ProtectionAnswer): string {
  const level = levelWords(one);
  const away = one.distancePct === null ? '' : ` (${plainPercent(one.distancePct)} away)`;
  const result = one.resultUsd === null ? '' : `, ${signedUsd(one.resultUsd)} USD`;
  if (level === null) return one.now === null ? 'no fixed level' : 'cannot fire now';
  return `fires at ${level}${away}${result}`;
}
