/**
 * Outcome of the orders that this page has sent: a card each, from Preparing to its end, until the card is dismissed.
 */
import { CircleAlert, CircleCheck, CircleHelp, LoaderCircle, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Execution } from '../../../gateway/client/client.ts';
import { gateway } from '../../api/client.ts';
import { useTicker } from '../../api/market.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { Side } from '../../components/amount.tsx';
import { AccountMark, markOf } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { ErrorState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { Price, Size } from '../instrument-figure/instrument-figure.tsx';
import { mendedBy, reasonText } from './partly-filled.ts';
import css from './sent-order-cards.module.css';
import {
  canLookAgain,
  dismissSentOrder,
  lookAgain,
  resumeSentOrders,
  type SentOrder,
  useSentOrders,
} from './sent-orders.ts';
import type { CardText, RestingKind } from './submission.ts';
import { useOutcome } from './use-outcome.ts';

const STEPS = ['Preparing', 'Working', 'Filled'] as const;
const WHERE: Readonly<Record<RestingKind, string>> = {
  trigger: '/orders/triggers',
  schedule: '/orders/twap',
  ladder: '/orders/ladders',
};

/** Cards of the chosen account; nothing without orders. */
export function SentOrderCards() {
  const { id } = useAccount();
  const orders = useSentOrders(id);
  useEffect(() => resumeSentOrders((accountId) => gateway.onAccount(accountId)), []);
  if (orders.length === 0) return null;
  return (
    <section className={css['cards']} aria-label="Sent orders">
      {orders.map((order) => (
        <Card key={order.key} order={order} />
      ))}
    </section>
  );
}

function Card({ order }: { readonly order: SentOrder }) {
  const client = useClient();
  const account = useAccount();
  const { execution, text } = useOutcome(order);
  const card = useInView(text.tone, order.sentAt);
  return (
    <article ref={card} className={css['card']} data-tone={text.tone}>
      <header className={css['header']}>
        <Mark tone={text.tone} />
        <div className={css['words']}>
          <p className={css['word']} role="status">
            {text.word}
          </p>
          <p className={css['title']}>{order.title}</p>
          <AccountMark {...markOf(account)} />
        </div>
        <span className={css['time']}>
          <Time at={order.sentAt} style="time" />
        </span>
        {text.tone !== 'busy' && (
          <IconButton label="Dismiss" icon={<X />} onClick={() => dismissSentOrder(order.key)} />
        )}
      </header>
      {text.step !== null && text.tone === 'busy' && <Steps step={text.step} />}
      {text.text !== null && <p className={css['text']}>{text.text}</p>}
      {order.state === 'REFUSED' && <ErrorState compact error={order.error} />}
      {execution !== undefined && <Orders execution={execution} isFailed={text.tone === 'bad'} />}
      <Next order={order} execution={execution} text={text} onLook={() => lookAgain(client, order)} />
    </article>
  );
}

/** After that a card is no news: it has been seen, or belongs to a page that was opened again. */
const NEWS_MS = 10_000;

/**
 * An order that ends badly, or of which nothing is known, is not left below the edge of a small window. It may have ended
 * before its card stands, or while the cards move to another place of the screen.
 * @param sentAt epoch ms
 */
function useInView(tone: CardText['tone'], sentAt: number) {
  const card = useRef<HTMLElement>(null);
  const before = useRef<CardText['tone'] | null>(null);
  const [isNews] = useState(() => Date.now() - sentAt < NEWS_MS);
  useEffect(() => {
    const isFirst = before.current === null;
    if (before.current === tone || (isFirst && !isNews)) {
      before.current = tone;
      return;
    }
    before.current = tone;
    return tone === 'bad' || tone === 'unsure' ? keptInView(card.current) : undefined;
  }, [tone, isNews]);
  return card;
}

const SETTLING_MS = 5_000;
const LOOK_AGAIN_MS = 200;
const OWN_MOVES = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * Once is not enough: what stands above grows with the answers that follow, and a dialog that closes puts the focus back
 * where it was. It ends when the page has settled, or as soon as the user moves it himself.
 */
function keptInView(card: HTMLElement | null): () => void {
  const show = () => card?.scrollIntoView({ block: 'nearest' });
  const again = setInterval(show, LOOK_AGAIN_MS);
  const stop = () => {
    clearInterval(again);
    for (const move of OWN_MOVES) removeEventListener(move, stop);
  };
  for (const move of OWN_MOVES) addEventListener(move, stop, { passive: true });
  setTimeout(stop, SETTLING_MS);
  show();
  return stop;
}

const MARKS = { busy: LoaderCircle, good: CircleCheck, bad: CircleAlert, unsure: CircleHelp } as const;

function Mark({ tone }: { readonly tone: CardText['tone'] }) {
  const Icon = MARKS[tone];
  return <Icon className={classNames(css['mark'], tone === 'busy' && css['turning'])} aria-hidden />;
}

function Steps({ step }: { readonly step: 0 | 1 | 2 }) {
  return (
    <ol className={css['steps']} aria-hidden="true">
      {STEPS.map((name, index) => (
        <li key={name} data-done={index <= step ? '' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  );
}

function Orders({ execution, isFailed }: { readonly execution: Execution; readonly isFailed: boolean }) {
  const tickerOf = useTicker();
  // An error of a leg stands in the leg's own row.
  const isSaid = execution.orders.some(({ error }) => error !== null);
  const reason = isSaid || execution.error === null ? null : reasonText(execution.error);
  return (
    <>
      {isFailed && reason !== null && <p className={css['reason']}>{sentence(reason)}</p>}
      <ul className={css['orders']}>
        {execution.orders.map((order) => (
          <li key={order.id}>
            <Side side={order.side}>{tickerOf(order.symbol)}</Side>
            <span className={css['filled']}>
              <Size symbol={order.symbol} value={order.filledQuantity} />
              {order.quantity !== null && (
                <>
                  {' of '}
                  <Size symbol={order.symbol} value={order.quantity} />
                </>
              )}
              {order.averagePrice !== null && (
                <>
                  {' at '}
                  <Price symbol={order.symbol} value={order.averagePrice} />
                </>
              )}
            </span>
            {order.error !== null && <span className={css['fault']}>{sentence(order.error)}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Links to the next screen. */
function Next({
  order,
  execution,
  text,
  onLook,
}: {
  readonly order: SentOrder;
  readonly execution: Execution | undefined;
  readonly text: CardText;
  readonly onLook: () => void;
}) {
  if (order.state === 'NOT_FOUND') {
    return (
      <div className={css['next']}>
        <Link href="/orders">Orders</Link>
        <Link href="/positions">Positions</Link>
        {canLookAgain(order) && (
          <Button kind="ghost" onClick={onLook}>
            Check again
          </Button>
        )}
      </div>
    );
  }
  if (order.resting !== null) {
    return (
      <div className={css['next']}>
        <Link href={WHERE[order.resting.kind]}>Show in Orders</Link>
      </div>
    );
  }
  if (execution === undefined || text.tone === 'busy') return null;
  // No part of the order has reached the venue, so there is no next screen to offer.
  if (execution.activeAt === null && text.tone === 'bad') return null;
  const mended = mendedBy(execution);
  return (
    <div className={css['next']}>
      {mended !== null && execution.positionId !== null && (
        <>
          <Link href={`/positions?do=${mended}&on=${execution.positionId}`}>
            {mended === 'complete' ? 'Trade the missing rest' : 'Rebalance'}
          </Link>
          {mended === 'complete' && (
            <Link href={`/positions?do=close&on=${execution.positionId}`}>Close what is held</Link>
          )}
        </>
      )}
      <Link href={execution.positionId === null ? '/positions' : `/positions/${execution.positionId}`}>
        {text.tone === 'bad' ? 'Check positions' : 'Show position'}
      </Link>
    </div>
  );
}
