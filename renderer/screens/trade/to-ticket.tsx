/** In one column the ticket is below the chart, out of sight: the way to it, with what became of the newest order. */
import { ArrowDown } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { type SentOrder, useSentOrders } from '../../features/sent-orders/sent-orders.ts';
import { cardText } from '../../features/sent-orders/submission.ts';
import css from './to-ticket.module.css';

export function ToTicket({ place }: { readonly place: RefObject<HTMLElement | null> }) {
  const [newest] = useSentOrders(useAccount().id);
  const isTicketInView = useInView(place, 'form');
  const isEndInView = useInView(place, '[data-ticket-end]');
  // The cards of what was sent stand at the ticket's end.
  const isShown = newest === undefined ? !isTicketInView : !isEndInView;
  return (
    <div className={css['strip']} data-shown={isShown ? '' : undefined}>
      {newest !== undefined && <Outcome key={newest.key} order={newest} />}
      <Button
        icon={<ArrowDown />}
        onClick={() => {
          const part = place.current?.querySelector(newest === undefined ? 'form' : '[data-ticket-end]');
          part?.scrollIntoView({ block: 'start' });
          part?.querySelector<HTMLElement>('input, button, a')?.focus({ preventScroll: true });
        }}
      >
        {newest === undefined ? 'Order ticket' : 'Show it'}
      </Button>
    </div>
  );
}

/** As the order's card says it. */
function Outcome({ order }: { readonly order: SentOrder }) {
  const { data } = useGet(
    'GET /executions/{id}',
    { params: { id: order.executionId ?? '' } },
    { enabled: order.executionId !== null, freshForMs: 0 },
  );
  const execution = order.executionId === null ? undefined : data?.execution;
  const { word, tone } = cardText(order.state, execution, order.resting?.kind ?? null, useTicker());
  return (
    <span className={css['order']} data-tone={tone}>
      <strong>{word}</strong>
      {order.title}
    </span>
  );
}

/** Whether any of a part is to be seen. */
function useInView(place: RefObject<HTMLElement | null>, part: string): boolean {
  const [isInView, setInView] = useState(true);
  useEffect(() => {
    const element = place.current?.querySelector(part) ?? null;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) =>
      setInView(entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, part]);
  return isInView;
}
