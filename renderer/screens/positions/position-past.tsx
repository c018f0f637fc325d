/** Place of a position's ratio within its own past, and of its entry within the same hours. */
import { CONDITIONS, isPair, transformText } from '../../../gateway/domain/condition-table.ts';
import { NoFigure } from '../../components/amount.tsx';
import { drawnLegs } from '../../features/leg-weights/leg-weights.ts';
import { positionEntry } from '../../features/ratio-chart/levels.ts';
import { TRANSFORM_HELP } from '../../features/ratio-chart/spread-words.ts';
import { levelOfRatio, transformFigure, USUAL_HOURS } from '../../features/ratio-chart/transform.ts';
import { useRatioPast } from '../../features/ratio-chart/use-ratio-past.ts';
import { useSubjectValue } from '../../features/ratio-chart/use-subject-value.ts';
import type { Position } from './use-position-data.ts';
import { whyNoZ } from './why-no-z.ts';

/** Ratio that triggers and brackets of the position compare, over the look-back of its own z-score bracket. */
export function positionPast({ legs, takeProfit, stopLoss }: Position) {
  const own = [stopLoss, takeProfit].find((bracket) => bracket?.transform === 'Z_SCORE');
  const usual = isPair(legs) ? ('PRICE_RATIO' as const) : ('WEIGHTED_RATIO' as const);
  const metric = own?.type === 'WEIGHTED_RATIO' ? own.type : usual;
  return { metric, transform: 'Z_SCORE' as const, lookback: own?.lookback ?? USUAL_HOURS };
}

export function PositionZ({ position, at }: { readonly position: Position; readonly at: 'now' | 'entry' }) {
  const { metric, ...of } = positionPast(position);
  const subject = { metric } as const;
  const legs = drawnLegs(position);
  const past = useRatioPast(subject, legs, of);
  const { window } = past;
  const live = useSubjectValue(subject, legs);
  const entry = positionEntry(position, subject);
  const ratio = at === 'now' ? live : entry === null ? null : Number(entry);
  const level = ratio === null || window === null ? null : levelOfRatio(of.transform, ratio, window);
  if (level === null) {
    const why = whyNoZ({ at, legs: position.legs, lookback: of.lookback, ratio, past });
    return <NoFigure {...(why !== undefined && { why })} />;
  }
  const which = at === 'now' ? '' : 'The ratio at entry in the hours up to now. ';
  const name = transformText(of, CONDITIONS[metric].name);
  return (
    <span title={`${which}${name}: ${TRANSFORM_HELP[of.transform].toLowerCase()}`}>
      {transformFigure(of.transform, level)}
    </span>
  );
}
