/** Chart of the basket being built: shows the subject that the ticket watches, with all lines on it. */
import { useMemo, useState } from 'react';
import { useConnector } from '../../api/market.ts';
import { useAllRows } from '../../api/queries.ts';
import { EmptyState, Skeleton } from '../../components/states.tsx';
import { Unbroken } from '../../components/unbroken.tsx';
import { type Basket, inOrder, keyOfBasket, legsOn } from '../../features/basket/basket.ts';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { PENDING_ALERTS } from '../../features/order-tables/pending-orders.ts';
import type { ChartLine } from '../../features/ratio-chart/levels.ts';
import { type ChartSubject, sameSubject, usualSubject } from '../../features/ratio-chart/subject.ts';
import { chartLines, ticketSubject } from './chart-lines.ts';
import { ChartPanel, type ChartView, subjectKey } from './chart-panel.tsx';
import css from './trade.module.css';
import { type MoveSources, useChartMoves } from './use-chart-moves.tsx';
import { useLargeChart } from './use-large-chart.ts';
import { useRatioView } from './use-ratio-view.tsx';

type ChartProps = Omit<MoveSources, 'subject' | 'scale' | 'resting' | 'alerts' | 'lines'>;

/** Chart, shown once it is known that the venue has every leg. */
export function BasketChart({
  missing,
  ...props
}: ChartProps & {
  /** Legs that the venue does not have; null: not known yet. */
  readonly missing: readonly string[] | null;
}) {
  if (missing?.length === 0) return <Chart {...props} />;
  return (
    <section className={css['chart']} aria-label="Chart">
      {missing === null ? (
        <Skeleton rows={8} />
      ) : (
        <EmptyState title="No chart of this basket">
          <Unbroken
            text={`This venue does not have ${missing.join(', ')}. Remove ${missing.length === 1 ? 'it' : 'them'} above.`}
          />
        </EmptyState>
      )}
    </section>
  );
}

/** Chart of the subject that the ticket watches, until the trader chooses another. */
function Chart(props: ChartProps) {
  const { basket, ticket, held, plan, rungs } = props;
  const [view, setView] = useState<ChartView>('price');
  const connector = useConnector()?.id;
  const watched = ticketSubject({ basket, ticket });
  const watchedKey = watched === null ? '' : subjectKey(watched);
  const [choice, setChoice] = useState<{ readonly for: string; readonly subject: ChartSubject } | null>(null);
  const subjects = useMemo(() => subjectsOf(basket, watched), [basket, watched]);
  const chosen = choice?.for === watchedKey ? choice.subject : watched;
  const priced = subjects.find((one) => chosen !== null && sameSubject(one, chosen)) ?? usualSubject(basket);
  const key = keyOfBasket(basket);
  const { data } = useAllRows('GET /triggers', {
    query: { status: ['ACTIVE', 'PAUSED'], kind: 'OPEN', limit: 500 },
  });
  const resting = useMemo(
    () => (data ?? []).filter((one) => one.basketKey === key && one.connector === connector),
    [data, key, connector],
  );
  const read = useAllRows('GET /alerts', PENDING_ALERTS);
  const alerts = useMemo(
    () => (read.data ?? []).filter((one) => one.connector === connector),
    [read.data, connector],
  );
  const isAmong = view === 'ratio-z';
  const among = useRatioView(isAmong, { basket, ticket, held, resting, alerts });
  const { subject, scale } = isAmong ? among : { subject: priced, scale: undefined };
  // Changes only with a level, not with every price of the position.
  const text = JSON.stringify(
    chartLines({ basket, ticket, held, plan, rungs, subject, scale, resting, alerts }),
  );
  const lines = useMemo(() => JSON.parse(text) as readonly ChartLine[], [text]);
  const large = useLargeChart();
  // Leaves the large chart, since it hides the ticket that is filled in.
  const onTicket: typeof props.onTicket = (patch) => {
    large.set(false);
    props.onTicket(patch);
  };
  const drags = useChartMoves({ ...props, onTicket, subject, scale, resting, alerts, lines });
  const name = useBasketText(basket.legs.map(({ id, side }) => ({ symbol: id, side })));
  return (
    <ChartPanel
      basket={basket}
      view={view}
      onView={setView}
      among={among}
      subject={priced}
      subjects={subjects}
      onSubject={(next) => setChoice({ for: watchedKey, subject: next })}
      lines={lines}
      name={name}
      held={held}
      drags={drags}
      large={large}
    />
  );
}

function subjectsOf(basket: Basket, watched: ChartSubject | null): readonly ChartSubject[] {
  const both = legsOn(basket, 'BUY').length > 0 && legsOn(basket, 'SELL').length > 0;
  const all: readonly ChartSubject[] = [
    ...(both ? [{ metric: 'PRICE_RATIO' } as const] : []),
    { metric: 'WEIGHTED_RATIO' },
    ...inOrder(basket).map(({ id }) => ({ metric: 'PRICE', symbol: id }) as const),
  ];
  const isMissing = watched !== null && !all.some((one) => sameSubject(one, watched));
  return isMissing ? [...all, watched] : all;
}
