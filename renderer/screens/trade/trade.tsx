/**
 * Trade screen: builds a basket, shows its ratio, places a market or resting order, and follows the order's outcome.
 */
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useStaleSeconds } from '../../api/clock.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { ahead } from '../../components/ahead.tsx';
import { Page } from '../../components/page.tsx';
import { type Basket, basketFault, keyOfBasket, swapSides } from '../../features/basket/basket.ts';
import { askForBasket } from '../../features/basket-search/basket-search.ts';
import type { BracketType } from '../../features/brackets-form/bracket-text.ts';
import { useOwnLimits } from '../../features/own-limits/own-limits.ts';
import { usualSubject } from '../../features/ratio-chart/subject.ts';
import { plannedSlices } from '../../features/slicing-fields/slicing.ts';
import { BasketBuilder } from './basket-builder.tsx';
import { planValue, ticketFacts } from './chart-lines.ts';
import { changeTradeDraft, spent, useTradeDraft } from './draft.ts';
import { missingSymbols } from './held-legs.ts';
import { onlyReduces, problemOf, useMustFail } from './must-fail.ts';
import { refusalOf } from './refusal.ts';
import { plannedRungs } from './rungs.ts';
import {
  freeOf,
  legAmounts,
  partOf,
  shareOf,
  sizedByRisk,
  stopShare,
  type WriteUsd,
  withLegUsd,
} from './sizing.ts';
import { type Checked, ladderSubject, type Order, orderOf, type TicketDraft } from './ticket.ts';
import { TicketPanel } from './ticket-panel.tsx';
import css from './trade.module.css';
import { useFirstBasket } from './use-first-basket.ts';
import { usePlan, useSizeBasis } from './use-plan.ts';
import { useSending } from './use-sending.ts';
import { useBasketLink, useHeld, useMissing } from './use-standing.ts';
import { useTicketKeys } from './use-ticket-keys.ts';
import { toggleWatchlist, useWatchlistOpen } from './watchlist/watched.ts';

// Not needed for the first view of the screen: it loads right after, before anybody has typed an order.
const reviewSheet = ahead(async () => (await import('./review-sheet.tsx')).ReviewSheet);
// Loaded on demand: the chart library arrives after the screen anyway.
const BasketChart = lazy(async () => ({ default: (await import('./basket-chart.tsx')).BasketChart }));
const PairHeader = lazy(async () => ({ default: (await import('./pair-header.tsx')).PairHeader }));
const ToTicket = lazy(async () => ({ default: (await import('./to-ticket.tsx')).ToTicket }));
const Watchlist = lazy(async () => ({ default: (await import('./watchlist/watchlist.tsx')).Watchlist }));
const Dock = lazy(async () => ({ default: (await import('./dock/dock.tsx')).Dock }));

const USD = /^\s*\d{1,20}(\.\d{1,18})?\s*$/;

export default function Trade() {
  const account = useAccount();
  const { basket, ticket, sent } = useTradeDraft(account.id);
  useFirstBasket(basket, useBasketLink(account.id));
  reviewSheet.useFetched();
  const around = useRef<HTMLDivElement>(null);
  const isWatching = useWatchlistOpen();
  const [review, setReview] = useState<Order | null>(null);
  // Closes the review sheet, which would hide the fields with errors.
  const { refused, error, isSending, send, forget } = useSending(() => setReview(null));
  const setBasket = (next: Basket) => {
    forget();
    changeTradeDraft(account.id, () => ({ basket: next }));
  };
  const setTicket = (patch: Partial<TicketDraft>) => {
    forget();
    changeTradeDraft(account.id, (draft) => ({
      ticket: sizedByRisk({ ...draft.ticket, ...patch }, draft.basket, basis),
    }));
  };

  const missing = useMissing(basket);
  const isTradable = missing?.length === 0;
  const checked = useMemo(() => {
    if (missing === null || missing.length === 0) return orderOf(basket, ticket);
    const message = `${missing.join(', ')}: not on this venue.`;
    return { ok: false, issues: [{ path: 'legs', message }] } as const;
  }, [basket, ticket, missing]);
  const plan = usePlan(basket, ticket, isTradable);
  const { held, opposite, isKnown: isHeldKnown, unread } = useHeld(basket);
  const { largest, plan: basis } = useSizeBasis(basket, ticket, plan, isTradable);
  const facts = (type: BracketType) => ticketFacts({ ticket, basket, plan: basis, held }, type);
  const stop = stopShare(
    ticket,
    ticketFacts({ ticket, basket, plan: basis, held: null }, ticket.stopLoss.type),
  );
  const totalUsd = USD.test(ticket.notional) && Number(ticket.notional) > 0 ? ticket.notional.trim() : null;
  const legUsd = useMemo(() => legAmounts(basket, totalUsd), [basket, totalUsd]);
  const isLadder = ticket.kind === 'LADDER';
  const ladderNow = isLadder ? planValue(ladderSubject(ticket.ladder, basket), basket, plan.plan) : null;
  const rungs = useMemo(
    () => (isLadder ? plannedRungs(ticket.ladder, legUsd, ladderNow) : null),
    [isLadder, ticket.ladder, legUsd, ladderNow],
  );
  const slices = useMemo(
    () => (ticket.kind === 'TWAP' ? plannedSlices(ticket.slicing, legUsd) : null),
    [ticket.kind, ticket.slicing, legUsd],
  );

  /** Sets a leg's dollars with each key. The other legs keep the amounts from before typing began. */
  const typeLegUsd = (id: string): WriteUsd => {
    const { notional, risk } = ticket;
    return (usd) => {
      const next = usd === null ? null : withLegUsd(basket, totalUsd, id, usd);
      if (usd !== null && next === null) return;
      forget();
      changeTradeDraft(account.id, (draft) => ({
        basket: next?.basket ?? basket,
        ticket: {
          ...draft.ticket,
          ...(next === null ? { notional, risk } : { notional: next.totalUsd, risk: null }),
        },
      }));
    };
  };

  const { mode } = account;
  const asksBefore = useSettings((settings) => settings.confirm.orders);
  const isReviewed = asksBefore || mode === 'LIVE';
  const place = async (order: Order) => {
    const isDone = await send(order);
    if (!isDone) return;
    setReview(null);
    changeTradeDraft(account.id, spent);
  };
  const mustFail = useMustFail(plan);
  const ownLimit = useOwnLimits();
  const plannedLegs = plan.isOld ? null : (plan.plan?.legs ?? null);
  const overLimit = (order: Order) =>
    onlyReduces(order) ? null : ownLimit({ totalUsd: order.body.totalUsd ?? null, legs: plannedLegs });
  const hasLeverageLimit = useSettings(({ limits }) => limits.highestLeverage !== null);
  // The dry run has the order's leverage. If the user has set a limit, sending waits for it.
  const isLimitKnown = (order: Order) => !hasLeverageLimit || plannedLegs !== null || onlyReduces(order);
  const isAway = useStaleSeconds() !== null;
  const standing = { basket, missing, isAway, isUnread: unread !== null, opposite };
  const faultOf = (draft: TicketDraft, now: Checked): string | null => {
    const refusal = refusalOf(standing, draft);
    // Errors of a field are shown at the field, once it was left or the button pressed.
    if (refusal !== null || !now.ok) return refusal;
    return isReviewed ? problemOf(now.order, plan) : (overLimit(now.order) ?? mustFail(now.order));
  };
  const fault = faultOf(ticket, checked);
  // A caution does not prevent the review, so nobody has to complete the ticket first to see it.
  const caution =
    fault === null
      ? ((checked.ok ? overLimit(checked.order) : null) ?? mustFail(checked.ok ? checked.order : ticket))
      : null;

  /** A line of the draft was dropped: the ticket follows, and the review opens if the order can be sent. */
  const onDraftMoved = (patch: Partial<TicketDraft>) => {
    setTicket(patch);
    // Same as in the ticket: with sizing by risk, another stop means another size.
    const moved = sizedByRisk({ ...ticket, ...patch }, basket, basis);
    const next = orderOf(basket, moved);
    if (next.ok && isReviewed && isTradable && isHeldKnown && faultOf(moved, next) === null)
      setReview(next.order);
  };

  const form = () => around.current?.querySelector('form');
  useTicketKeys({
    onSize: () => {
      const focus = () => {
        const field = form()?.querySelector<HTMLInputElement>('[name=totalUsd]');
        field?.focus();
        field?.select();
      };
      // At once, or the next typed keys are lost. With the large chart, once the ticket is shown.
      if (form()?.checkVisibility() === true) focus();
      else requestAnimationFrame(focus);
    },
    onShare: (percent) => {
      if (isTradable && largest?.gt(0) === true)
        setTicket({ notional: shareOf(largest, percent), risk: null });
    },
    onSwap: () => setBasket(swapSides(basket)),
    onBaskets: () => askForBasket(keyOfBasket(basket)),
    onWatchlist: toggleWatchlist,
    onReview: () => {
      forget();
      // Reviews even if the button places at once. Obstacles are shown as for the button.
      if (checked.ok && fault === null && isHeldKnown) setReview(checked.order);
      else if (!checked.ok || fault !== null) form()?.requestSubmit();
    },
  });

  const own = checked.ok || missing === null || missing.length === 0 ? [] : checked.issues;
  const legErrors = [...own, ...refused, ...plan.issues]
    .filter(({ path }) => path === 'legs' || path.startsWith('legs.'))
    .map(({ message }) => message);
  return (
    <Page title="Trade" slim>
      <div ref={around} className={css['trade']}>
        <div className={css['market']}>
          {basket.legs.length > 0 && isTradable && (
            <Suspense fallback={<div className={css['header']} />}>
              <PairHeader basket={basket} subject={usualSubject(basket)} />
            </Suspense>
          )}
          <BasketBuilder
            basket={basket}
            onChange={setBasket}
            missing={missingSymbols(held)}
            errors={[...new Set(legErrors)]}
            onLegUsd={typeLegUsd}
            aimOf={({ id, weight }) => ({
              usd: totalUsd === null ? null : partOf(totalUsd, weight),
              mark: basis?.legs.find(({ symbol }) => symbol === id)?.price ?? null,
            })}
          />
          <div className={css['beside']}>
            {isWatching && (
              <div className={css['watchlist']}>
                <Suspense fallback={null}>
                  <Watchlist current={basket} onBasket={setBasket} />
                </Suspense>
              </div>
            )}
            <Suspense fallback={<section className={css['chart']} aria-label="Chart" />}>
              <BasketChart
                missing={missing}
                basket={basket}
                ticket={ticket}
                held={held}
                plan={basis}
                rungs={rungs}
                onTicket={setTicket}
                onDraftMoved={onDraftMoved}
              />
            </Suspense>
          </div>
        </div>
        <TicketPanel
          basket={basket}
          ticket={ticket}
          sent={sent}
          onChange={setTicket}
          checked={checked}
          fault={fault}
          caution={caution}
          refused={refused.length > 0 ? refused : plan.issues}
          error={review === null ? error : null}
          plan={plan}
          basis={basis}
          largest={isTradable ? largest : null}
          free={isTradable ? freeOf(basket, plan.isOld ? null : plan.plan, basis) : null}
          isWhole={isTradable && basketFault(basket) === null}
          stop={stop}
          facts={facts}
          held={held}
          opposite={opposite}
          slices={slices}
          rungs={rungs}
          isReviewed={isReviewed}
          isHeldKnown={isHeldKnown && (isReviewed || !checked.ok || isLimitKnown(checked.order))}
          isSending={isSending}
          onSubmit={() => {
            if (!checked.ok || fault !== null || !isHeldKnown) return;
            if (!isReviewed && !isLimitKnown(checked.order)) return;
            forget();
            if (isReviewed) setReview(checked.order);
            else void place(checked.order);
          }}
        />
        <Suspense fallback={<section className={css['dock']} aria-label="This account" />}>
          <Dock basket={basket} onBasket={setBasket} />
        </Suspense>
        <Suspense fallback={null}>
          <ToTicket place={around} />
        </Suspense>
      </div>
      {review !== null && refused.length === 0 && (
        <Suspense>
          <reviewSheet.View
            order={review}
            ticket={ticket}
            basket={basket}
            plan={plan.plan}
            protection={plan.protection}
            fault={refusalOf(standing, ticket) ?? overLimit(review) ?? mustFail(review)}
            isKnown={isLimitKnown(review)}
            held={held}
            facts={facts}
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
        </Suspense>
      )}
    </Page>
  );
}
