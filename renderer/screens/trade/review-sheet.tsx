/** Review of the order, leg by leg, before sending. */
import { useId, useRef } from 'react';
import { useTicker } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Amount } from '../../components/amount.tsx';
import { ModeBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { protectionFacts } from '../../features/protection/protection.tsx';
import { useSentOrders } from '../../features/sent-orders/sent-orders.ts';
import type { HeldPosition } from './chart-lines.ts';
import { FirstLiveSummary, useFirstLiveOrder } from './first-live-order.tsx';
import { IF_NOW, Problems } from './order-facts.tsx';
import { orderBasket, orderWords, PLACE_WORDS, REVIEW_TITLES } from './order-words.ts';
import { PlanTable } from './plan-table.tsx';
import { RungTable, SliceTable } from './preview-tables.tsx';
import { NotSet } from './review-brackets.tsx';
import { OrderTerms, planFacts, ReviewFacts } from './review-facts.tsx';
import type { ReviewProps } from './review-props.ts';
import css from './review-sheet.module.css';
import { sizeAfter } from './size-after.ts';
import type { Order } from './ticket.ts';

export function ReviewSheet(props: ReviewProps) {
  const {
    order,
    ticket,
    basket,
    plan,
    protection,
    fault,
    isKnown,
    held,
    facts,
    rungs,
    slices,
    isSending,
    error,
    onPlace,
    onClose,
  } = props;
  const account = useAccount();
  const tickerOf = useTicker();
  const settings = useSettings();
  const back = useRef<HTMLButtonElement>(null);
  const ifNow = useId();
  const first = useFirstLiveOrder(account, onPlace);
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      easyToClose={false}
      initialFocus={back}
      title={REVIEW_TITLES[order.route]}
      description={`${orderBasket(order, tickerOf)}: ${orderWords(order, settings, tickerOf)}`}
      actions={
        <>
          <Button ref={back} onClick={onClose} disabled={isSending}>
            Back
          </Button>
          <Button
            kind="primary"
            onClick={first.place}
            busy={isSending || first.isBusy}
            disabled={fault !== null || !isKnown || first.isBlocked}
          >
            {PLACE_WORDS[order.route]}
          </Button>
        </>
      }
    >
      <div className={layout['stack']}>
        <p className={css['account']}>
          <ModeBadge mode={account.mode} network={account.network} /> {account.alias}
          {held !== null && (
            <strong className={css['adjusts']}>
              Adjusts your position{isAdding(order) && <Grows order={order} held={held} plan={plan} />}
            </strong>
          )}
        </p>
        <Unresolved accountId={account.id} />
        <NotSet order={order} ticket={ticket} held={held} />
        {fault === null && !isKnown && (
          <p role="status">
            Its leverage is not known yet, and Settings has a highest one: placed once the dry run says it.
          </p>
        )}
        {fault !== null && (
          <p className={css['refusal']} role="alert">
            {fault}
          </p>
        )}
        {first.summary !== null && <FirstLiveSummary account={account} plan={plan} {...first.summary} />}
        {first.error !== null && first.error !== undefined && <ErrorState compact error={first.error} />}
        {order.route === 'POST /trade/open' ? (
          <PlanTable plan={plan} />
        ) : (
          <section className={css['ifNow']} aria-labelledby={ifNow}>
            <h3 id={ifNow}>{IF_NOW}</h3>
            <PlanTable plan={plan} />
            <ReviewFacts
              of={{ ...planFacts(plan, order, basket), ...protectionFacts(protection, 'after') }}
            />
          </section>
        )}
        <Problems plan={plan} />
        <OrderTerms
          order={order}
          basket={basket}
          plan={plan}
          protection={protection}
          held={held}
          facts={facts}
        />
        <SliceTable slices={slices} />
        <RungTable rungs={rungs} />
        {error !== null && error !== undefined && <ErrorState compact error={error} />}
      </div>
    </Dialog>
  );
}

/** True: the order may add to the position. A reduce-only TWAP may not. */
const isAdding = ({ body }: Order) => !('reduceOnly' in body && body.reduceOnly);

/** The position's size now and with all of the order. */
function Grows({ order, held, plan }: Pick<ReviewProps, 'order' | 'plan'> & { readonly held: HeldPosition }) {
  const after = sizeAfter(held, order.body.totalUsd ?? '', plan);
  if (after === null) return null;
  return (
    <>
      : <Amount value={held.grossNotional} /> → <Amount value={after} />
    </>
  );
}

/** Warns about an earlier order whose outcome is unknown, before another is sent. */
function Unresolved({ accountId }: { readonly accountId: string }) {
  const orders = useSentOrders(accountId);
  if (!orders.some(({ state }) => state === 'UNKNOWN' || state === 'NOT_FOUND')) return null;
  return (
    <p className={css['refusal']} role="alert">
      What became of an order that you sent before is still being checked. This would be another one.
    </p>
  );
}
