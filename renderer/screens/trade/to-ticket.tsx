/** Strip that leads to the ticket while it is out of sight, with the outcome of the newest order. */
import { ArrowDown, ArrowUp } from 'lucide-react';
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
  const ticket = useWhere(place, 'form');
  const end = useWhere(place, '[data-ticket-end]');
  // The cards of sent orders are at the ticket's end.
  const where = newest === undefined ? ticket : end;
  return (
    <div className={css['strip']} data-shown={where === 'in view' ? undefined : ''}>
      {newest !== undefined && <Outcome key={newest.key} order={newest} />}
      <Button
        icon={where === 'above' ? <ArrowUp /> : <ArrowDown />}
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

/** Outcome in the words of the order's card. */
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

type Where = 'above' | 'in view' | 'below';

/** Place of a part in relation to the window. A part counts as in view once any of it is visible. */
function useWhere(place: RefObject<HTMLElement | null>, part: string): Where {
  const [where, setWhere] = useState<Where>('in view');
  useEffect(() => {
    const element = place.current?.querySelector(part) ?? null;
    if (element === null) return;
    let isInView = true;
    const look = () => {
      const isAbove = !isInView && element.getBoundingClientRect().top < innerHeight / 2;
      setWhere(isInView ? 'in view' : isAbove ? 'above' : 'below');
    };
    const observer = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting === true;
      look();
    });
    observer.observe(element);
    // The observer does not report a jump past the part.
    addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', look, { capture: true });
    };
  }, [place, part]);
  return where;
}
