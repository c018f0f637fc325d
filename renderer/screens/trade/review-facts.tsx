/** Facts of the review below its legs: the order as a whole, and its terms beside its size. */
import type { ReactNode } from 'react';
import { Amount, Percent } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { Expected } from '../../features/expected-cost/expected-cost.tsx';
import { afterFacts } from '../../features/liquidation/liquidation.tsx';
import { AtWorst, worstName } from './at-worst.tsx';
import type { Plan } from './chart-lines.ts';
import { mostUsed } from './depth-use.ts';
import { DepthUsed } from './depth-used.tsx';
import { Funding } from './order-facts.tsx';
import { orderTerms } from './order-terms.tsx';
import { presentBrackets, sentBrackets } from './review-brackets.tsx';
import { FreeMargin, PlanRatio, ratioName } from './review-figures.tsx';
import type { ReviewProps } from './review-props.ts';
import css from './review-sheet.module.css';
import type { Order } from './ticket.ts';
import panel from './ticket-panel.module.css';
import { ORDER_KIND, orderWaits, worstEntry } from './worst-entry.ts';

type Rows = Readonly<Record<string, ReactNode>>;

export function ReviewFacts({ of }: { readonly of: Rows }) {
  return Object.keys(of).length === 0 ? null : (
    <Facts className={classNames(css['extras'], panel['ends'])} of={of} />
  );
}

/** Facts on the whole order at current prices. */
export function planFacts(plan: Plan | null, { body }: Order, basket: ReviewProps['basket']): Rows {
  if (plan === null) return {};
  const ratio = ratioName(basket);
  return {
    ...(ratio === null ? {} : { [ratio]: <PlanRatio plan={plan} basket={basket} /> }),
    'Expected slippage': <Expected plan={plan} />,
    ...(mostUsed(plan.legs) === null
      ? {}
      : { 'Depth of the book': <DepthUsed plan={plan} slippage={body.slippage} /> }),
    'Net notional': <Amount value={plan.netNotional} />,
    'Net funding': <Funding hourly={plan.netFundingHourly} />,
    'Free margin': <FreeMargin plan={plan} />,
    ...afterFacts(plan.after),
  };
}

const FAILURE = {
  KEEP: 'Keep what filled',
  UNWIND: 'What filled is closed again',
  RETRY: 'The failed leg is tried again, then what filled stays',
} as const;

/** Effects of a failed leg on the slices of a TWAP. */
const SLICE_FAILURE = {
  KEEP: 'The others wait for it; it pauses where the leg fills nothing again',
  UNWIND: 'What filled of the slice is closed again; it pauses after two such slices',
  RETRY: 'It is tried again and the others wait for it; it pauses where the leg fills nothing again',
} as const;

/** Terms of the order beside its size. For a market order, also its whole cost. */
export function OrderTerms({
  order,
  basket,
  plan,
  protection,
  held,
  facts,
}: Pick<ReviewProps, 'order' | 'basket' | 'plan' | 'protection' | 'held' | 'facts'>) {
  const { body, route } = order;
  // Figures of a pending order stand under those of its plan.
  const isNow = route === 'POST /trade/open';
  const worst = worstEntry(basket, plan, ORDER_KIND[route], orderWaits(order, basket));
  return (
    <ReviewFacts
      of={{
        'Max slippage': (
          <>
            <Percent value={body.slippage} />
            {basket.legs.length > 1 && ' of each leg'}
          </>
        ),
        ...(worst === null ? {} : { [worstName(basket)]: <AtWorst entry={worst} /> }),
        ...(isNow ? planFacts(plan, order, basket) : {}),
        ...orderTerms(order, basket),
        'If a leg fails':
          route === 'POST /schedules'
            ? SLICE_FAILURE[order.body.onLegFailure]
            : FAILURE[order.body.onLegFailure ?? 'KEEP'],
        ...sentBrackets(body, held, facts, isNow ? protection : []),
        ...presentBrackets(body, held, isNow ? protection : []),
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
