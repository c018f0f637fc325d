/** The PnL of each day as a calendar. The pointer or the arrow keys choose the day whose figure stands below it. */
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from 'react';
import { useSettings } from '../../api/settings.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { Figure } from '../../components/figure.tsx';
import { formatMoney } from '../../components/format.ts';
import { Unbroken } from '../../components/unbroken.tsx';
import { changeOf } from './day-change.ts';
import { useDayText } from './day-text.ts';
import { type DayPnl, dayFacts, type HeatBlock, heatMap } from './heat-map.ts';
import css from './portfolio.module.css';
import type { SeriesPoint } from './use-portfolio.ts';

const WEEKDAYS = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun'] as const;
const WEEK = 7;
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  ArrowLeft: -WEEK,
  ArrowRight: WEEK,
};

interface HeatMapProps {
  readonly series: readonly DayPnl[];
}

/** Calendar of each day's change of equity, without deposits. */
export function HeatMap({ series: points }: { readonly series: readonly SeriesPoint[] }) {
  const series = useMemo(() => points.map((point) => ({ date: point.date, pnl: changeOf(point) })), [points]);
  const blocks = useMemo(() => heatMap(series), [series]);
  return (
    <div className={css['days']}>
      <div className={css['blocks']}>
        {blocks.map((block) => (
          <Block key={block.days[0]?.date} block={block} />
        ))}
      </div>
      <DayFacts series={series} />
    </div>
  );
}

/** Facts about the days: days are compared, never added up. */
function DayFacts({ series }: HeatMapProps) {
  const day = useDayText();
  const { best, worst, up, down } = useMemo(() => dayFacts(series), [series]);
  const [largest] = [best, worst]
    .filter((one) => one !== undefined)
    .sort((one, other) => Math.abs(Number(other.pnl)) - Math.abs(Number(one.pnl)));
  const fact = (name: string, one: DayPnl | undefined) => (
    <Figure
      name={name}
      missing={one === undefined ? 'none in this range' : null}
      note={one && day.long(one.date)}
    >
      <Pnl value={one?.pnl} />
    </Figure>
  );
  return (
    <dl className={css['dayFacts']}>
      {fact('Best day', best)}
      {fact('Worst day', worst)}
      {largest !== undefined && (
        <Figure name="Strongest colour" note="the largest change of a day; smaller ones are paler">
          ±<Amount value={largest.pnl.replace('-', '')} />
        </Figure>
      )}
      <Figure name="Days with a profit">{up}</Figure>
      <Figure name="Days with a loss">{down}</Figure>
    </dl>
  );
}

/** Scrolls to the chosen or else the latest day, so that the day of the figure below is visible in every width. */
function showLatest(heat: HTMLDivElement) {
  const observer = new ResizeObserver(() => {
    const chosen = heat.querySelector('[data-chosen]');
    if (chosen === null) heat.scrollLeft = heat.scrollWidth;
    else chosen.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  observer.observe(heat);
  return () => observer.disconnect();
}

function Block({ block }: { readonly block: HeatBlock }) {
  const settings = useSettings();
  const day = useDayText();
  const note = useId();
  const { days, weeks, months } = block;
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.min(chosen ?? days.length - 1, days.length - 1);
  const shown = days[index];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(days.length - 1, index + step));
    setChosen(next);
    const place = event.currentTarget.querySelector(`[data-day="${next}"]`);
    place?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const onPointerOver = (event: PointerEvent<HTMLElement>) => {
    const place = event.target instanceof HTMLElement ? event.target.dataset['day'] : undefined;
    if (place !== undefined) setChosen(Number(place));
  };
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  return (
    <figure>
      <div
        ref={showLatest}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk through its days
        tabIndex={0}
        aria-label={`PnL of each day from ${day.long(first)} to ${day.long(last)}`}
        aria-describedby={note}
        className={css['heat']}
        onKeyDown={onKeyDown}
        onPointerOver={onPointerOver}
      >
        {months.map(({ week, month }) => (
          <span key={month} className={css['month']} style={{ gridColumn: week + 2 }}>
            {day.month(month)}
          </span>
        ))}
        {WEEKDAYS.map((name, weekday) =>
          name === '' ? null : (
            <span key={name} className={css['weekday']} style={{ gridRow: weekday + 2 }}>
              {name}
            </span>
          ),
        )}
        {days.map(({ date, level, week, weekday }, place) => (
          <span
            key={date}
            data-day={place}
            data-level={level}
            data-chosen={place === index && chosen !== null ? '' : undefined}
            className={css['day']}
            style={{ gridColumn: week + 2, gridRow: weekday + 2 }}
          />
        ))}
        <span style={{ gridColumn: weeks + 2 }} />
      </div>
      <figcaption id={note} className={css['note']} aria-live="polite">
        {shown !== undefined && (
          <Unbroken text={`${day.long(shown.date)}: ${formatMoney(settings, shown.pnl, 'always')}`} />
        )}
      </figcaption>
    </figure>
  );
}
