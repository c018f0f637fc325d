/** Timeline of a position, newest first. */
import { useMemo } from 'react';
import { useTicker } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { formatMoney } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useLevelText } from '../../features/condition-text/waiting-text.tsx';
import { useFigureTexts } from '../../features/instrument-figure/instrument-figure.tsx';
import css from './positions.module.css';
import { timelineOf } from './timeline.ts';
import { type Position, usePositionFills, usePositionStory } from './use-position-data.ts';

export function PositionTimeline({ position }: { readonly position: Position }) {
  const tickerOf = useTicker();
  const settings = useSettings();
  const { size, price } = useFigureTexts();
  const level = useLevelText();
  const fills = usePositionFills(position.id);
  const { executions, triggers, schedules } = usePositionStory();
  const sources = [fills, executions, triggers, schedules];
  const failed = sources.find(({ error, data }) => error !== null && data === undefined);
  const entries = useMemo(() => {
    if (!fills.data || !executions.data || !triggers.data || !schedules.data) return null;
    return timelineOf(
      {
        position,
        fills: fills.data,
        executions: executions.data.executions,
        triggers: triggers.data.triggers,
        schedules: schedules.data.schedules,
      },
      {
        tickerOf,
        size,
        price,
        level,
        money: (value) => formatMoney(settings, value),
      },
    );
  }, [
    position,
    fills.data,
    executions.data,
    triggers.data,
    schedules.data,
    tickerOf,
    settings,
    size,
    price,
    level,
  ]);
  if (failed !== undefined) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (entries === null) return <Skeleton rows={4} />;
  return (
    <ol className={css['timeline']} aria-label="Timeline">
      {entries.map(({ key, at, title, detail, tone }) => (
        <li key={key} data-tone={tone}>
          <Time at={at} />
          <div>
            <p className={css['event']}>{title}</p>
            {detail !== '' && <p className={layout['quiet']}>{detail}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
