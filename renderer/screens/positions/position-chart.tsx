/** Chart of a position's ratio, with entry, take-profit, stop-loss and resting closes as lines. */
import { useMemo, useState } from 'react';
import type { Row } from '../../../gateway/client/client.ts';
import { useGet } from '../../api/queries.ts';
import { Segmented } from '../../components/radio.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { bracketLine } from '../../features/brackets-form/bracket-line.ts';
import type { BracketSide } from '../../features/brackets-form/bracket-text.ts';
import type { LegCloses } from '../../features/ratio-chart/chart-details.ts';
import { IndicatorButton } from '../../features/ratio-chart/indicator-button.tsx';
import { type CandleInterval, INTERVALS } from '../../features/ratio-chart/intervals.ts';
import {
  type ChartLine,
  conditionLine,
  positionEntry,
  positionFacts,
} from '../../features/ratio-chart/levels.ts';
import { RatioChart } from '../../features/ratio-chart/ratio-chart.tsx';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import { useDrawing } from '../../features/ratio-chart/use-drawing.tsx';
import { askedLegs, drawnLegs } from './leg-weights.ts';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

const METRICS = [
  { value: 'PRICE_RATIO', label: 'Price ratio' },
  { value: 'WEIGHTED_RATIO', label: 'Weighted ratio' },
] as const;
/** The legs stand above the chart, with their prices. */
const NO_CLOSES: readonly LegCloses[] = [];

export function PositionChart({ position }: { readonly position: Position }) {
  const [metric, setMetric] = useState<(typeof METRICS)[number]['value']>('PRICE_RATIO');
  const [interval, setBars] = useState<CandleInterval>('5m');
  const subject = useMemo((): ChartSubject => ({ metric }), [metric]);
  const { legs } = position;
  const weighed = useMemo(() => drawnLegs({ legs }), [legs]);
  const lines = useLines(position, subject);
  const drawing = useDrawing(subject, weighed);
  return (
    <div className={css['chart']}>
      <div className={css['chartBar']}>
        <Segmented options={METRICS} value={metric} onChange={setMetric} label="What the chart shows" />
        <span className={css['chartTools']}>
          <IndicatorButton />
          {drawing.button}
          <Segmented options={INTERVALS} value={interval} onChange={setBars} label="Candles" />
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
        name={useBasketText(position.legs)}
      />
    </div>
  );
}

/** Lines of the chart, renewed only when a level changes, not with every tick of the position. */
function useLines(position: Position, subject: ChartSubject): readonly ChartLine[] {
  const { data } = useGet('GET /triggers', {
    query: { status: ['ACTIVE', 'PAUSED'], kind: 'CLOSE', limit: 500 },
  });
  const text = JSON.stringify(linesOf(position, subject, data?.triggers ?? []));
  return useMemo(() => JSON.parse(text) as readonly ChartLine[], [text]);
}

type WaitingClose = Row<'GET /triggers'>;

function linesOf(
  position: Position,
  subject: ChartSubject,
  triggers: readonly WaitingClose[],
): readonly ChartLine[] {
  const entry = positionEntry(position, subject);
  const facts = positionFacts(position, subject, askedLegs(position));
  const bracket = (side: BracketSide): readonly ChartLine[] => {
    const set = position[side];
    const line = set === null ? null : bracketLine(side, set, facts);
    return line === null ? [] : [{ ...line, id: line.kind }];
  };
  return [
    ...(entry === null ? [] : [{ id: 'entry', kind: 'entry' as const, value: entry, label: 'Entry' }]),
    ...bracket('takeProfit'),
    ...bracket('stopLoss'),
    ...triggers
      .filter((trigger) => trigger.positionId === position.id && trigger.bracketType === null)
      .flatMap((trigger) => closeLine(trigger, subject)),
  ];
}

function closeLine(trigger: WaitingClose, subject: ChartSubject): readonly ChartLine[] {
  const value = trigger.condition === null ? null : conditionLine(trigger.condition, subject);
  return value === null ? [] : [{ id: trigger.id, kind: 'trigger', value, label: 'Close' }];
}
