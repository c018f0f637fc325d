/** Trade: build a basket, see its ratio, place an order for it at market or to wait, and follow what became of it. */
import Big from 'big.js';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { deriveBasketKey, type Request, ValidationFailed } from '../../../gateway/client/client.ts';
import { useConnector, useInstruments, useTicker } from '../../api/market.ts';
import { useAllRows } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Basket, basketOf, inOrder, isPair, legsOn, weightText } from '../../features/basket/basket.ts';
import { readBasketLink } from '../../features/basket-link/basket-link.ts';
import { basketName } from '../../features/basket-name/basket-name.ts';
import type { FieldIssue } from '../../features/field-errors/field-errors.ts';
import { type ChartSubject, sameSubject } from '../../features/ratio-chart/subject.ts';
import { type SentRoute, sendOrder } from '../../features/sent-orders/sent-orders.ts';
import { plannedSlices } from '../../features/slicing-fields/slicing.ts';
import { BasketBuilder } from './basket-builder.tsx';
import { chartLines, planValue, ticketSubject } from './chart-lines.ts';
import { ChartPanel, subjectKey } from './chart-panel.tsx';
import { changeTradeDraft, useTradeDraft } from './draft.ts';
import { orderBasket, orderWords } from './order-words.ts';
import { ReviewSheet } from './review-sheet.tsx';
import { plannedRungs } from './rungs.ts';
import { ladderSymbol, type Order, orderOf, type TicketDraft } from './ticket.ts';
import { TicketPanel } from './ticket-panel.tsx';
import css from './trade.module.css';
import { usePlan } from './use-plan.ts';

const USD = /^\s*\d{1,20}(\.\d{1,18})?\s*$/;

export default function Trade() {
  const account = useAccount();
  const { basket, ticket } = useTradeDraft(account.id);
  useBasketLink(account.id);
  const { refused, error, isSending, send, forget } = useSending();
  const setBasket = (next: Basket) => {
    forget();
    changeTradeDraft(account.id, () => ({ basket: next }));
  };
  const setTicket = (patch: Partial<TicketDraft>) => {
    forget();
    changeTradeDraft(account.id, (draft) => ({ ticket: { ...draft.ticket, ...patch } }));
  };

  const missing = useMissing(basket);
  const checked = useMemo(() => {
    if (missing.length === 0) return orderOf(basket, ticket);
    const message = `${missing.join(', ')}: not on this venue.`;
    return { ok: false, issues: [{ path: 'legs', message }] } as const;
  }, [basket, ticket, missing]);
  const plan = usePlan(basket, ticket, missing.length === 0);
  const held = useHeld(basket);
  const totalUsd = USD.test(ticket.notional) && Number(ticket.notional) > 0 ? ticket.notional.trim() : null;
  const legUsd = useMemo(() => legAmounts(basket, totalUsd), [basket, totalUsd]);
  const isLadder = ticket.kind === 'LADDER';
  const ladderNow = isLadder ? planValue(ladderSubject(basket, ticket), basket, plan.plan) : null;
  const rungs = useMemo(
    () => (isLadder ? plannedRungs(ticket.ladder, legUsd, ladderNow) : null),
    [isLadder, ticket.ladder, legUsd, ladderNow],
  );
  const slices = useMemo(
    () => (ticket.kind === 'TWAP' ? plannedSlices(ticket.slicing, legUsd) : null),
    [ticket.kind, ticket.slicing, legUsd],
  );

  const { mode } = account;
  const asksBefore = useSettings((settings) => settings.confirm.orders);
  const isReviewed = asksBefore || mode === 'LIVE';
  const [review, setReview] = useState<Order | null>(null);
  const place = async (order: Order) => {
    const isDone = await send(order);
    if (isDone) setReview(null);
  };

  const own = checked.ok || missing.length === 0 ? [] : checked.issues;
  const legErrors = [...own, ...refused, ...plan.issues]
    .filter(({ path }) => path === 'legs' || path.startsWith('legs.'))
    .map(({ message }) => message);
  return (
    <Page title="Trade">
      <div className={css['trade']}>
        <div className={css['market']}>
          <BasketBuilder basket={basket} onChange={setBasket} errors={[...new Set(legErrors)]} />
          {missing.length === 0 ? (
            <Chart basket={basket} ticket={ticket} held={held} plan={plan.plan} rungs={rungs} />
          ) : (
            <section className={css['chart']} aria-label="Chart">
              <EmptyState title="No chart of this basket">
                This venue does not have {missing.join(', ')}. Remove {missing.length === 1 ? 'it' : 'them'}{' '}
                above.
              </EmptyState>
            </section>
          )}
        </div>
        <TicketPanel
          basket={basket}
          ticket={ticket}
          onChange={setTicket}
          checked={checked}
          refused={refused.length > 0 ? refused : plan.issues}
          error={review === null ? error : null}
          plan={plan}
          totalUsd={missing.length === 0 ? totalUsd : null}
          held={held}
          slices={slices}
          rungs={rungs}
          isReviewed={isReviewed}
          isSending={isSending}
          onSubmit={() => {
            if (!checked.ok) return;
            forget();
            if (isReviewed) setReview(checked.order);
            else void place(checked.order);
          }}
        />
      </div>
      {review !== null && refused.length === 0 && (
        <ReviewSheet
          order={review}
          plan={plan.plan}
          held={held}
          rungs={rungs}
          slices={slices}
          isSending={isSending}
          error={error}
          onPlace={() => void place(review)}
          onClose={() => {
            setReview(null);
            forget();
          }}
        />
      )}
    </Page>
  );
}

/** A basket in the address fills the builder once; then the address is plain again, so that a reload keeps later changes. */
function useBasketLink(accountId: string): void {
  const search = useSearch();
  const [, navigate] = useLocation();
  useEffect(() => {
    const link = readBasketLink(search);
    if (link === null) return;
    changeTradeDraft(accountId, () => ({ basket: basketOf(link) }));
    navigate('/trade', { replace: true });
  }, [search, accountId, navigate]);
}

/** Sends an order once and keeps what was refused, until something is typed. */
function useSending() {
  const account = useAccount();
  const client = useClient();
  const settings = useSettings();
  const tickerOf = useTicker();
  const [isSending, setSending] = useState(false);
  const [refused, setRefused] = useState<readonly FieldIssue[]>([]);
  const [error, setError] = useState<unknown>(null);
  const forget = () => {
    if (refused.length > 0) setRefused([]);
    if (error !== null) setError(null);
  };
  const send = async (order: Order): Promise<boolean> => {
    setSending(true);
    setError(null);
    setRefused([]);
    try {
      const title = `${orderBasket(order, tickerOf)}, ${orderWords(order, settings, tickerOf)}`;
      const { route, body } = order;
      const request = { body } as Request<SentRoute>;
      await sendOrder({ client, accountId: account.id, route: route as SentRoute, title, request });
      return true;
    } catch (refusal) {
      const fields = refusal instanceof ValidationFailed ? refusal.fields : [];
      setRefused(fields);
      setError(fields.length > 0 ? null : refusal);
      // With the form's fields in view the sheet would hide them.
      return fields.length > 0;
    } finally {
      setSending(false);
    }
  };
  return { isSending, refused, error, send, forget };
}

/** Legs that the account's venue does not have, as a link or a saved basket of another venue may bring. */
function useMissing(basket: Basket): readonly string[] {
  const instruments = useInstruments();
  return useMemo(() => {
    if (instruments.length === 0) return [];
    const ids = new Set(instruments.map(({ id }) => id));
    return basket.legs.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  }, [basket, instruments]);
}

/** The open position of exactly this basket; weights are no part of its name. */
function useHeld(basket: Basket) {
  const { data } = useAllRows('GET /positions', { query: { status: ['OPEN'], limit: 200 } });
  const key = keyOf(basket);
  return data?.find(({ basketKey }) => basketKey === key) ?? null;
}

function keyOf(basket: Basket): string | null {
  if (basket.legs.length === 0) return null;
  const ids = (side: 'BUY' | 'SELL') => legsOn(basket, side).map(({ id }) => id);
  return deriveBasketKey(ids('BUY'), ids('SELL'));
}

/** What each leg trades in all, exactly; null while the total is no number. */
function legAmounts(basket: Basket, totalUsd: string | null): readonly string[] | null {
  if (totalUsd === null) return null;
  return inOrder(basket).map(({ weight }) => new Big(totalUsd).times(weightText(weight)).toFixed());
}

function ladderSubject(basket: Basket, ticket: TicketDraft): ChartSubject {
  const { metric } = ticket.ladder;
  return metric === 'PRICE' ? { metric, symbol: ladderSymbol(ticket.ladder, basket) } : { metric };
}

type ChartProps = Omit<Parameters<typeof chartLines>[0], 'subject' | 'resting'>;

/** Shows what the ticket watches, until the trader chooses something else for it. */
function Chart(props: ChartProps) {
  const { basket, ticket, held, plan, rungs } = props;
  const tickerOf = useTicker();
  const connector = useConnector()?.id;
  const watched = ticketSubject({ basket, ticket });
  const watchedKey = watched === null ? '' : subjectKey(watched);
  const [choice, setChoice] = useState<{ readonly for: string; readonly subject: ChartSubject } | null>(null);
  const subjects = useMemo(() => subjectsOf(basket, watched), [basket, watched]);
  const chosen = choice?.for === watchedKey ? choice.subject : watched;
  const subject = subjects.find((one) => chosen !== null && sameSubject(one, chosen)) ?? usual(basket);
  const key = keyOf(basket);
  const { data } = useAllRows('GET /triggers', {
    query: { status: ['ACTIVE', 'PAUSED'], kind: 'OPEN', limit: 500 },
  });
  const lines = useMemo(() => {
    const resting = (data ?? []).filter((one) => one.basketKey === key && one.connector === connector);
    return chartLines({ basket, ticket, held, plan, rungs, subject, resting });
  }, [basket, ticket, held, plan, rungs, subject, data, key, connector]);
  const name = basketName(
    basket.legs.map(({ id, side }) => ({ symbol: id, side })),
    tickerOf,
  ).text;
  return (
    <ChartPanel
      basket={basket}
      subject={subject}
      subjects={subjects}
      onSubject={(next) => setChoice({ for: watchedKey, subject: next })}
      lines={lines}
      name={name}
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

/** A basket with both sides by its ratio, one leg by its price. */
function usual(basket: Basket): ChartSubject {
  const [only] = basket.legs;
  if (basket.legs.length === 1 && only !== undefined) return { metric: 'PRICE', symbol: only.id };
  const both = legsOn(basket, 'BUY').length > 0 && legsOn(basket, 'SELL').length > 0;
  return { metric: both || isPair(basket) ? 'PRICE_RATIO' : 'WEIGHTED_RATIO' };
}
