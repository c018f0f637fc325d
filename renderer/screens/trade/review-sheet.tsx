/** Review of the order, leg by leg, before sending. */
import { useRef } from 'react';
import { useTicker } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Amount, Percent } from '../../components/amount.tsx';
import { ModeBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import type { Basket } from '../../features/basket/basket.ts';
import type { BracketType } from '../../features/brackets-form/bracket-text.ts';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import { afterFacts } from '../../features/liquidation/liquidation.tsx';
import type { EntryFacts } from '../../features/ratio-chart/levels.ts';
import { useSentOrders } from '../../features/sent-orders/sent-orders.ts';
import type { PlannedSlice } from '../../features/slicing-fields/slicing.ts';
import { AtWorst } from './at-worst.tsx';
import type { HeldPosition, Plan } from './chart-lines.ts';
import { FirstLiveSummary, useFirstLiveOrder } from './first-live-order.tsx';
import { Funding, Problems } from './order-facts.tsx';
import { orderTerms } from './order-terms.tsx';
import { orderBasket, orderWords, PLACE_WORDS, REVIEW_TITLES } from './order-words.ts';
import { PlanTable } from './plan-table.tsx';
import { RungTable, SliceTable } from './preview-tables.tsx';
import { presentBrackets, sentBrackets } from './review-brackets.tsx';
import { FreeMargin, PlanRatio, ratioName } from './review-figures.tsx';
import css from './review-sheet.module.css';
import type { PlannedRung } from './rungs.ts';
import { sizeAfter } from './size-after.ts';
import type { Order } from './ticket.ts';
import panel from './ticket-panel.module.css';
import { ORDER_KIND, orderWaits, worstEntry } from './worst-entry.ts';

export interface ReviewProps {
  readonly order: Order;
  /** Its basket, with the weights. */
  readonly basket: Basket;
  readonly plan: Plan | null;
  /** Why the order would fail; null: nothing is known against it. */
  readonly fault: string | null;
  /** false: what a limit of the trader's own is about is still being read. */
  readonly isKnown: boolean;
  readonly held: HeldPosition | null;
  /** What the order's brackets are measured by. */
  readonly facts: (type: BracketType) => EntryFacts;
  readonly rungs: readonly PlannedRung[] | null;
  readonly slices: readonly PlannedSlice[] | null;
  readonly isSending: boolean;
  readonly error: unknown;
  readonly onPlace: () => void;
  readonly onClose: () => void;
}

export function ReviewSheet(props: ReviewProps) {
  const {
    order,
    basket,
    plan,
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
        <PlanTable plan={plan} order={order} />
        <Problems plan={plan} />
        <Extras order={order} basket={basket} plan={plan} held={held} facts={facts} />
        <SliceTable slices={slices} />
        <RungTable rungs={rungs} />
        {error !== null && error !== undefined && <ErrorState compact error={error} />}
      </div>
    </Dialog>
  );
}

/** A TWAP may only reduce. */
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

const FAILURE = {
  KEEP: 'Keep what filled',
  UNWIND: 'What filled is closed again',
  RETRY: 'The failed leg is tried again, then what filled stays',
} as const;

/** Of orders that do not ask: what fires keeps what filled, a slice tries again. */
const USUAL_FAILURE = {
  'POST /triggers/open': FAILURE.KEEP,
  'POST /ladders': FAILURE.KEEP,
  'POST /schedules': FAILURE.RETRY,
} as const;

function Extras({
  order,
  basket,
  plan,
  held,
  facts,
}: Pick<ReviewProps, 'order' | 'basket' | 'plan' | 'held' | 'facts'>) {
  const { body, route } = order;
  const ratio = ratioName(basket);
  const worst = worstEntry(basket, plan, ORDER_KIND[route], orderWaits(order, basket));
  return (
    <Facts
      className={classNames(css['extras'], panel['ends'])}
      of={{
        ...(plan === null || ratio === null || route !== 'POST /trade/open'
          ? {}
          : { [ratio]: <PlanRatio plan={plan} basket={basket} /> }),
        'Max slippage': (
          <>
            <Percent value={body.slippage} />
            {ratio !== null && ' of each leg'}
            {/* A market order has it in the ratio above, or in the only row of the table. */}
            {worst !== null && route !== 'POST /trade/open' && (
              <span className={panel['aside']}>
                <AtWorst entry={worst} />
              </span>
            )}
          </>
        ),
        ...(plan === null
          ? {}
          : {
              'Expected slippage': <Expected plan={plan} />,
              'Net notional': <Amount value={plan.netNotional} />,
              'Net funding': <Funding hourly={plan.netFundingHourly} />,
              'Free margin': <FreeMargin plan={plan} />,
              ...afterFacts(plan.after),
            }),
        ...orderTerms(order, basket),
        'If a leg fails':
          route === 'POST /trade/open' ? FAILURE[order.body.onLegFailure] : USUAL_FAILURE[route],
        ...sentBrackets(body, held, facts),
        ...presentBrackets(body, held),
        ...('autoRebalance' in body && body.autoRebalance !== undefined
          ? { 'Auto-rebalance': <KeptWeights {...body.autoRebalance} /> }
          : {}),
      }}
    />
  );
}

type AutoRebalance = NonNullable<
  Extract<Order['body'], { readonly autoRebalance?: unknown }>['autoRebalance']
>;

function KeptWeights({ mode, action, minimumDrift }: AutoRebalance) {
  return (
    <span>
      {mode === 'LIVE_BETA' ? 'Live beta' : 'Target weights'}, from a drift of{' '}
      <Percent value={minimumDrift} />
      {action === 'NOTIFY' ? ', only told' : ''}
    </span>
  );
}
