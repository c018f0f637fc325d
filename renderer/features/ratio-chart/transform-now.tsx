/** "Now −0.34": a basket's ratio against its own past, as a trigger with the same look-back compares it. */
import type { ChartSubject, WeighedLeg } from './subject.ts';
import { levelOfRatio, type Transformed, transformFigure } from './transform.ts';
import { useRatioPast } from './use-ratio-past.ts';
import { useSubjectValue } from './use-subject-value.ts';

/** Value at live prices, never sent; null: too few hours are known, none is read, or one answer cannot hold all. */
export function useTransformNow(
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
  of: Transformed,
): number | null {
  const live = useSubjectValue(subject, legs);
  const { window } = useRatioPast(subject, legs, of);
  return live === null || window === null ? null : levelOfRatio(of.transform, live, window);
}

export function TransformNow({
  subject,
  legs,
  isInline = false,
  ...of
}: Transformed & {
  readonly subject: ChartSubject;
  readonly legs: readonly WeighedLeg[];
  /** Within a sentence: `now −0.34`. */
  readonly isInline?: boolean;
}) {
  const now = useTransformNow(subject, legs, of);
  return (
    <span>
      {isInline ? 'now' : 'Now'} {transformFigure(of.transform, now)}
    </span>
  );
}
