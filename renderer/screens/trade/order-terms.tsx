/** Terms of a pending or sliced order beside its size: every choice of the ticket, in words. */
import type { ReactNode } from 'react';
import { CONDITIONS } from '../../../gateway/domain/condition-table.ts';
import { useTicker } from '../../api/market.ts';
import layout from '../../components/layout.module.css';
import { Time } from '../../components/time.tsx';
import type { Basket } from '../../features/basket/basket.ts';
import { conditionText } from '../../features/condition-text/condition-text.ts';
import { useLevelText } from '../../features/condition-text/waiting-text.tsx';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import { SubjectNow } from '../../features/ratio-chart/subject-now.tsx';
import type { Transformed } from '../../features/ratio-chart/transform.ts';
import { TransformNow } from '../../features/ratio-chart/transform-now.tsx';
import { useLimitFault } from '../../features/slicing-fields/limit-fault.tsx';
import {
  LIMIT_NAMES,
  type LimitMeasure,
  limitMeasure,
  readLimit,
} from '../../features/slicing-fields/limit-measure.ts';
import type { Order } from './ticket.ts';

type Terms = Readonly<Record<string, ReactNode>>;
type Body<Route extends Order['route']> = Extract<Order, { readonly route: Route }>['body'];

/** @param basket of the order, for current values of its measures */
export function orderTerms({ route, body }: Order, basket: Basket): Terms {
  switch (route) {
    case 'POST /trade/open':
      return {};
    case 'POST /triggers/open':
      return triggerTerms(body, basket);
    case 'POST /schedules':
      return scheduleTerms(body, basket);
    case 'POST /ladders':
      return ladderTerms(body, basket);
  }
}

const SOURCES = { MARK: 'Mark prices', LAST: 'Last prices', INDEX: 'Index prices' } as const;

function triggerTerms(body: Body<'POST /triggers/open'>, basket: Basket): Terms {
  return {
    Fires: <Fires order={body} basket={basket} />,
    Expires: <Expiry at={body.expiresAt} />,
    Watches: SOURCES[body.priceSource],
    'If missed': body.onMissed === 'FIRE' ? 'Fires late, if it still holds' : 'Waits for the next crossing',
    ...(body.allowImmediate ? { 'If met already': 'Fires at once' } : {}),
  };
}

/** Condition with the current value: a level on its wrong side fires at once, or never. */
function Fires({
  order: { condition, priceSource },
  basket,
}: {
  readonly order: Body<'POST /triggers/open'>;
  readonly basket: Basket;
}) {
  // Live prices are marks.
  const subject = priceSource === 'MARK' ? conditionSubject(condition) : null;
  const past = transformOf(condition);
  return (
    <>
      {conditionText(condition, useTicker(), useLevelText())}
      {subject !== null && (
        <>
          {' '}
          (
          {past === null ? (
            <Now subject={subject} basket={basket} />
          ) : (
            <TransformNow isInline subject={subject} legs={basket.legs} {...past} />
          )}
          )
        </>
      )}
    </>
  );
}

function transformOf(condition: Body<'POST /triggers/open'>['condition']): Transformed | null {
  if (!('transform' in condition) || condition.transform === undefined) return null;
  return { transform: condition.transform, lookback: condition.lookback ?? Number.NaN };
}

/** Market value that the condition compares; null: a feed, whose live value is not known here. */
function conditionSubject(condition: Body<'POST /triggers/open'>['condition']): ChartSubject | null {
  const { chart } = CONDITIONS[condition.type];
  if (chart === null) return null;
  if (chart !== 'PRICE') return { metric: chart };
  return 'symbol' in condition ? { metric: 'PRICE', symbol: condition.symbol } : null;
}

const MISSED = {
  CATCH_UP: 'Later slices grow',
  SKIP: 'Left out',
  PAUSE: 'It pauses and waits',
} as const;

function scheduleTerms(body: Body<'POST /schedules'>, basket: Basket): Terms {
  const measure = limitMeasure(basket.legs);
  const { limitRatio, missedSlicePolicy, randomize, reduceOnly, intervalSeconds, afterBracket } = body;
  return {
    Interval: `${intervalSeconds} s${randomize ? ', varied by ±10 %' : ''}`,
    Limit:
      limitRatio === undefined ? (
        // Always so for reduce-only orders (`orderOf`).
        'none'
      ) : (
        <>
          Waits while the {LIMIT_NAMES[measure]} is above <Level value={readLimit(limitRatio, measure)} /> (
          <Now subject={{ metric: measure }} basket={basket} />)
          {measure === 'PRICE_RATIO' && (
            <span className={layout['quiet']}>
              , sent as a weighted ratio of <Level value={limitRatio} />
            </span>
          )}
          <LimitFault limit={readLimit(limitRatio, measure)} measure={measure} basket={basket} />
        </>
      ),
    'Missed slices': MISSED[missedSlicePolicy],
    ...(reduceOnly
      ? { Reduces: 'Only what is held' }
      : { 'After TP / SL': afterBracket === 'STOP' ? 'The TWAP ends' : 'It opens anew' }),
  };
}

const METRICS = { PRICE_RATIO: 'Price ratio', WEIGHTED_RATIO: 'Weighted ratio', PRICE: 'Price' } as const;
const SIZINGS = {
  EQUAL: 'equal sizes',
  INCREASING: 'increasing sizes',
  DECREASING: 'decreasing sizes',
} as const;
const DISTANCES = { LINEAR: 'Equal distances', GEOMETRIC: 'Equal ratios' } as const;

function ladderTerms(body: Body<'POST /ladders'>, basket: Basket): Terms {
  const { metric, symbol = '', direction, distribution, sizing, allowImmediate, expiresAt } = body;
  const subject = metric === 'PRICE' ? { metric, symbol } : { metric };
  return {
    Fires: (
      <>
        {METRICS[metric]} {direction === 'LESS_THAN' ? 'below' : 'above'} the rung (
        <Now subject={subject} basket={basket} />)
      </>
    ),
    Rungs: `${DISTANCES[distribution]}, ${SIZINGS[sizing]}`,
    Expires: <Expiry at={expiresAt} />,
    ...(allowImmediate ? { 'Rungs passed already': 'Fire at once' } : {}),
  };
}

function Level({ value }: { readonly value: string }) {
  return <>{useLevelText()(value)}</>;
}

function Now({ subject, basket }: { readonly subject: ChartSubject; readonly basket: Basket }) {
  return <SubjectNow subject={subject} legs={basket.legs} inline />;
}

/** Repeated before sending: a limit in the wrong measure would hold back nothing, or everything. */
function LimitFault({
  limit,
  measure,
  basket,
}: {
  readonly limit: string;
  readonly measure: LimitMeasure;
  readonly basket: Basket;
}) {
  const fault = useLimitFault({ limit, legs: basket.legs, measure, kind: 'OPEN' });
  return fault === null ? null : <span className={layout['caution']}>{fault}</span>;
}

function Expiry({ at }: { readonly at: string | number | null | undefined }) {
  return at == null ? 'Never' : <Time at={at} />;
}
