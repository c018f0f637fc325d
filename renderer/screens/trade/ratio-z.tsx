/** Place of the basket's ratio among its own past, over the look-back that a new trigger has by default. */
import { RATIO_Z } from '../../features/ratio-chart/spread-words.ts';
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';
import { transformFigure, USUAL_HOURS } from '../../features/ratio-chart/transform.ts';
import { useTransformNow } from '../../features/ratio-chart/transform-now.tsx';
import { usualCompared } from './compared.ts';

export const RATIO_Z_NAME = `${RATIO_Z} (${USUAL_HOURS} h)`;

export function RatioZ({ legs }: { readonly legs: readonly WeighedLeg[] }) {
  const { metric, ...among } = usualCompared(legs, []);
  const now = useTransformNow({ metric }, legs, among);
  return <>{transformFigure(among.transform, now)}</>;
}
