/**
 * Outcome of the orders that this page has sent: one line for the newest, which disappears once it has filled, and a
 * card for each failed or unresolved order, until it is dismissed.
 */
import { CircleAlert, CircleCheck, CircleHelp, LoaderCircle, X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
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
import { type CardText, type RestingKind, shownOrders, type Tone } from './submission.ts';
import { useOutcome } from './use-outcome.ts';

const WHERE: Readonly<Record<RestingKind, string>> = {
  trigger: '/orders/triggers',
  schedule: '/orders/twap',
  ladder: '/orders/ladders',
};

/** Cards of the chosen account; nothing without orders. */
export function SentOrderCards() {
  const { id } = useAccount();
  const orders = useSentOrders(id);
  const [tones, setTones] = useState<Readonly<Record<string, Tone>>>({});
  const onTone = useCallback(
    (key: string, tone: Tone) => setTones((before) => ({ ...before, [key]: tone })),
    [],
  );
  useEffect(() => resumeSentOrders((accountId) => gateway.onAccount(accountId)), []);
  if (orders.length === 0) return null;
  const shown = shownOrders(orders, ({ key }) => tones[key] ?? 'busy');
  return (
    <section className={css['cards']} aria-label="Sent orders">
      {orders.map((order) => (
        <Card key={order.key} order={order} isShown={shown.has(order)} onTone={onTone} />
      ))}
    </section>
  );
}

interface CardProps {
  readonly order: SentOrder;
  /** False: the order is not shown, but still followed, because it may fail. */
  readonly isShown: boolean;
  readonly onTone: (key: string, tone: Tone) => void;
}

function Card({ order, isShown, onTone }: CardProps) {
  const client = useClient();
  const account = useAccount();
  const { execution, text } = useOutcome(order);
  const { tone } = text;
  const card = useInView(tone, order.sentAt);
  useEffect(() => onTone(order.key, tone), [onTone, order.key, tone]);
  useEffect(() => (tone === 'good' ? dismissLater(order.key, card) : undefined), [order.key, tone, card]);
  if (!isShown) return null;
  const dismiss = tone !== 'busy' && (
    <IconButton label="Dismiss" icon={<X />} onClick={() => dismissSentOrder(order.key)} />
  );
  if (tone === 'busy' || tone === 'good') {
    return (
      <article ref={card} className={classNames(css['card'], css['line'])}>
        <Mark tone={tone} />
        <Word word={text.word} />
        <Title order={order} execution={execution} />
        {dismiss}
      </article>
    );
  }
  return (
    <article ref={card} className={css['card']} data-tone={tone}>
      <header className={css['header']}>
        <Mark tone={tone} />
        <div className={css['words']}>
          <Word word={text.word} />
          <p className={css['title']}>{order.title}</p>
          <AccountMark {...markOf(account)} />
        </div>
        <span className={css['time']}>
          <Time at={order.sentAt} style="time" />
        </span>
        {dismiss}
      </header>
      {text.text !== null && <p className={css['text']}>{text.text}</p>}
      {order.state === 'REFUSED' && <ErrorState compact error={order.error} />}
      {execution !== undefined && <Orders execution={execution} isFailed={tone === 'bad'} />}
      <Next order={order} execution={execution} onLook={() => lookAgain(client, order)} />
    </article>
  );
}

function Word({ word }: { readonly word: string }) {
  return (
    <p className={css['word']} role="status">
      {word}
    </p>
  );
}

/** Title of a working or filled order: a link to its position, or to its list of resting orders. */
function Title({ order, execution }: Pick<NextProps, 'order' | 'execution'>) {
  const positionId = execution?.positionId ?? null;
  const href =
    order.resting !== null
      ? WHERE[order.resting.kind]
      : positionId === null
        ? '/positions'
        : `/positions/${positionId}`;
  return (
    <Link href={href} className={css['title']} title={order.title}>
      {order.title}
    </Link>
  );
}

/** Time for which a filled order is shown, longer while the pointer or the focus is on it. */
const FILLED_SHOWN_MS = 8_000;
const HELD_MS = 1_000;

function dismissLater(key: string, card: RefObject<HTMLElement | null>): () => void {
  const end = () => {
    if (card.current?.matches(':hover, :focus-within') === true) timer = setTimeout(end, HELD_MS);
    else dismissSentOrder(key);
  };
  let timer = setTimeout(end, FILLED_SHOWN_MS);
  return () => clearTimeout(timer);
}

/** Age from which a card is no news: it was seen already, or the page was opened again. */
const NEWS_MS = 10_000;

/**
 * Scrolls a failed or unresolved order into view, which may be below the edge of a small window. The order may have
 * ended before its card is mounted, or while the cards move to another place on the screen.
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
 * Scrolls repeatedly, because content above grows with later answers, and a closing dialog moves the focus back. Ends
 * when the page has settled, or as soon as the user scrolls, clicks or types.
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

function Orders({ execution, isFailed }: { readonly execution: Execution; readonly isFailed: boolean }) {
  const tickerOf = useTicker();
  // An error of a leg is shown in the leg's own row.
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

interface NextProps {
  readonly order: SentOrder;
  readonly execution: Execution | undefined;
  readonly onLook: () => void;
}

/** Links to the next screen, for an order that failed or whose outcome is not known. */
function Next({ order, execution, onLook }: NextProps) {
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
  // Without a start no part of the order has reached the venue, so there is no next screen to offer.
  if (execution === undefined || execution.activeAt === null) return null;
  const { positionId } = execution;
  const mended = mendedBy(execution);
  return (
    <div className={css['next']}>
      {mended !== null && positionId !== null && (
        <>
          <Link href={`/positions?do=${mended}&on=${positionId}`}>
            {mended === 'complete' ? 'Trade the missing rest' : 'Rebalance'}
          </Link>
          {mended === 'complete' && (
            <Link href={`/positions?do=close&on=${positionId}`}>Close what is held</Link>
          )}
        </>
      )}
      <Link href={positionId === null ? '/positions' : `/positions/${positionId}`}>Check positions</Link>
    </div>
  );
}
