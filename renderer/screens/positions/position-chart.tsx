/** Chart of a position's ratio: fills as marks; entry, take-profit, stop-loss and resting closes as lines to move. */

import { useMemo, useState } from 'react';
import type { Row } from '../../../gateway/client/client.ts';
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { useGet } from '../../api/queries.ts';
import type { LegLine } from '../../components/chart-leg-lines.ts';
import { Segmented } from '../../components/radio.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { askedLegs, drawnLegs } from '../../features/leg-weights/leg-weights.ts';
import { positionLines } from '../../features/level-moves/position-lines.ts';
import { useLineMoves } from '../../features/level-moves/use-line-moves.tsx';
import { useFillMarks } from '../../features/ratio-chart/chart-details.ts';
import { figureText } from '../../features/ratio-chart/figure.ts';
import { IndicatorButton } from '../../features/ratio-chart/indicator-button.tsx';
import { IntervalChoice } from '../../features/ratio-chart/interval-choice.tsx';
import { type ChartLine, conditionLine, positionFacts } from '../../features/ratio-chart/levels.ts';
import { RatioChart } from '../../features/ratio-chart/ratio-chart.tsx';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import { useDrawing } from '../../features/ratio-chart/use-drawing.tsx';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

const METRICS = [
  { value: 'PRICE_RATIO', label: 'Price ratio' },
  { value: 'WEIGHTED_RATIO', label: 'Weighted ratio' },
] as const;
/** No lines of legs: the legs stand above the chart, with their prices. */
const NO_CLOSES: readonly LegLine[] = [];

export function PositionChart({ position }: { readonly position: Position }) {
  const [metric, setMetric] = useState<(typeof METRICS)[number]['value']>('PRICE_RATIO');
  const [interval, setBars] = useState<CandleInterval>('5m');
  const subject = useMemo((): ChartSubject => ({ metric }), [metric]);
  const { legs } = position;
  const weighed = useSame(drawnLegs(position));
  const triggers = useCloses();
  const lines = useSame(linesOf(position, subject, triggers));
  const facts = factsOf(position, subject);
  const { moves, dialog } = useLineMoves({ position, facts, lines, triggers });
  const marks = useFillMarks(position);
  const name = useBasketText(legs);
  const drawing = useDrawing(subject, weighed);
  return (
    <div className={css['chart']}>
      <div className={css['chartBar']}>
        <Segmented options={METRICS} value={metric} onChange={setMetric} label="What the chart shows" />
        <span className={css['chartTools']}>
          <IndicatorButton />
          {drawing.button}
          <IntervalChoice value={interval} onChange={setBars} />
        </span>
      </div>
      <RatioChart
        legs={weighed}
        subject={subject}
        interval={interval}
        lines={lines}
        closes={NO_CLOSES}
        hasIndicators
        drawing={drawing.tools}
        marks={marks}
        moves={position.status === 'OPEN' ? moves : undefined}
        name={name}
      />
      {dialog}
    </div>
  );
}

/** Keeps a value's identity while its content is the same: each tick builds a position's values again. */
function useSame<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  return useMemo(() => JSON.parse(text) as Value, [text]);
}

const NONE_WAIT: readonly WaitingClose[] = [];

function useCloses(): readonly WaitingClose[] {
  const { data } = useGet('GET /triggers', {
    query: { status: ['ACTIVE', 'PAUSED'], kind: 'CLOSE', limit: 500 },
  });
  return data?.triggers ?? NONE_WAIT;
}

type WaitingClose = Row<'GET /triggers'>;

function linesOf(
  position: Position,
  subject: ChartSubject,
  triggers: readonly WaitingClose[],
): readonly ChartLine[] {
  return [
    ...positionLines(position, factsOf(position, subject), ''),
    ...triggers
      .filter((trigger) => trigger.positionId === position.id && trigger.bracketType === null)
      .flatMap((trigger) => closeLine(trigger, subject)),
  ];
}

const factsOf = (position: Position, subject: ChartSubject) =>
  positionFacts(position, subject, askedLegs(position));

function closeLine({ id, condition }: WaitingClose, subject: ChartSubject): readonly ChartLine[] {
  const value = condition === null ? null : conditionLine(condition, subject);
  if (value === null) return [];
  const at = figureText(Number(value));
  return [
    {
      ...{ id, kind: 'trigger', value, label: 'Close', move: { of: 'trigger' } },
      cancel: { what: 'trigger', triggerId: id, protects: false, called: 'trigger', at },
    },
  ];
}
