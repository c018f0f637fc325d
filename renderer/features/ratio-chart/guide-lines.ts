/** Lines of a z-score or spread at its mean and at two deviations. */
import type { LevelLine } from '../../components/level-line.ts';

export const Z_LINES: readonly LevelLine[] = [
  { id: 'high', level: 2, label: '+2 σ', tone: 'quiet', isDraft: true },
  { id: 'mean', level: 0, label: 'mean', tone: 'quiet' },
  { id: 'low', level: -2, label: '−2 σ', tone: 'quiet', isDraft: true },
];
const NO_LINES: readonly LevelLine[] = [];

/**
 * The z-score's lines in the unit of the spread. None without a deviation: all of them would be at 0.
 * @param deviation percent
 */
export function spreadLines(deviation: number): readonly LevelLine[] {
  return deviation > 0 ? Z_LINES.map((line) => ({ ...line, level: line.level * deviation })) : NO_LINES;
}
