/** The basket in one line over its builder: its current ratio, and for a pair the figures that decide on a trade. */
import { ChevronDown } from 'lucide-react';
import { useEffect } from 'react';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Percent } from '../../components/amount.tsx';
import { formatNumber, negated } from '../../components/format.ts';
import { Monograms } from '../../components/monogram.tsx';
import { Fresh } from '../../components/states.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { type Basket, basketFault, inOrder, keyOfBasket, legsOn } from '../../features/basket/basket.ts';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { askForBasket } from '../../features/basket-search/basket-search.ts';
import { basketApr } from '../../features/funding-apr/funding-apr.ts';
import { HalfLife } from '../../features/half-life/half-life.tsx';
import { NextFunding, NextFundingWords } from '../../features/next-funding/next-funding.tsx';
import { useRates } from '../../features/next-funding/next-payment.tsx';
import { figureText } from '../../features/ratio-chart/figure.ts';
import { SPREAD_Z, WHY_RATIO_Z } from '../../features/ratio-chart/spread-words.ts';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import {
  useSubjectChange,
  useSubjectQuote,
  useSubjectValue,
} from '../../features/ratio-chart/use-subject-value.ts';
import { keepRecentBasket } from '../../features/recent-baskets/recent-baskets.ts';
import { BasketFigures } from './basket-figures.tsx';
import { FundingHistory } from './funding-history.tsx';
import { Figure, Figures, Funding } from './head-figure.tsx';
import { LeastAmount, LeastLeg, LegAmounts } from './leg-amounts.tsx';
import css from './pair-header.module.css';
import { RATIO_Z_NAME, RatioZ } from './ratio-z.tsx';
import { WatchButtons } from './watchlist/watch-buttons.tsx';

const REFRESH_MS = 15_000;
const LOOKBACK = '30d';
const WHY_PRICE = 'The best prices now, before fees';
const WHY_RATIO =
  'By the best prices of the legs now, before fees. Ask, to buy the basket: longs at their ask, shorts at their bid. Bid, to sell it: the other way round';

export function PairHeader({ basket, subject }: { readonly basket: Basket; readonly subject: ChartSubject }) {
  const tickerOf = useTicker();
  const [long, ...longs] = legsOn(basket, 'BUY');
  const [short, ...shorts] = legsOn(basket, 'SELL');
  useKeptAsRecent(basket);
  const isPair = long !== undefined && short !== undefined && longs.length + shorts.length === 0;
  return (
    <Fresh className={css['header'] ?? ''}>
      <Monograms tickers={inOrder(basket).map(({ id }) => tickerOf(id))} />
      <div className={css['name']}>
        <button
          type="button"
          className={css['switch']}
          aria-haspopup="dialog"
          onClick={() => askForBasket(keyOfBasket(basket))}
        >
          <BasketLabel legs={inOrder(basket).map(({ id, side }) => ({ symbol: id, side }))} />
          <span className="visually-hidden">, choose another basket</span>
          <ChevronDown className={css['chevron']} aria-hidden="true" />
        </button>
        <BidAsk basket={basket} subject={subject} />
      </div>
      <dl className={css['figures']} aria-label={isPair ? 'About the pair' : 'About the basket'}>
        <Now basket={basket} subject={subject} />
        {isPair ? (
          <PairFigures basket={basket} subject={subject} long={long.id} short={short.id} />
        ) : (
          <BasketFigures basket={basket} subject={subject} />
        )}
      </dl>
      <WatchButtons basket={basket} />
    </Fresh>
  );
}

/** Time after which a basket counts as viewed, ms. Baskets passed while building another do not. */
const LOOKED_AT_MS = 1_000;

function useKeptAsRecent(basket: Basket): void {
  const { id } = useAccount();
  useEffect(() => {
    if (basketFault(basket) !== null) return;
    const timer = setTimeout(() => keepRecentBasket(id, basket), LOOKED_AT_MS);
    return () => clearTimeout(timer);
  }, [id, basket]);
}

/** Names of marks, which need not lie between bid and ask. */
const MARKS = { PRICE: 'Mark price', PRICE_RATIO: 'Mark ratio', WEIGHTED_RATIO: 'Mark, weighted' } as const;

function Now({ basket, subject }: { readonly basket: Basket; readonly subject: ChartSubject }) {
  const value = useSubjectValue(subject, basket.legs);
  return (
    <Figure
      name={MARKS[subject.metric]}
      isMain
      why="By the mark prices, which the best prices need not lie around"
    >
      {figureText(value)}
    </Figure>
  );
}

/** Bid and ask of the basket now, beside the mark, which nobody offers. */
function BidAsk({ basket, subject }: { readonly basket: Basket; readonly subject: ChartSubject }) {
  const quote = useSubjectQuote(subject, basket.legs);
  return (
    <Tooltip text={subject.metric === 'PRICE' ? WHY_PRICE : WHY_RATIO}>
      <span className={css['quote']}>
        <span>
          <span className={css['quiet']}>Bid</span> {figureText(quote?.bid ?? null)}
        </span>{' '}
        <span>
          <span className={css['quiet']}>Ask</span> {figureText(quote?.ask ?? null)}
        </span>
      </span>
    </Tooltip>
  );
}

/** Figures of a pair, each with its explanation. */
function PairFigures({
  basket,
  subject,
  long,
  short,
}: {
  readonly basket: Basket;
  readonly subject: ChartSubject;
  readonly long: string;
  readonly short: string;
}) {
  // Live, like the ratio beside it.
  const change = useSubjectChange(subject, basket.legs);
  const { connector } = useAccount();
  const settings = useSettings();
  const { data } = useGet(
    'GET /analytics/pair/summary',
    { query: { connector, long, short, lookback: LOOKBACK } },
    { shared: true, refetchEvery: REFRESH_MS, freshForMs: REFRESH_MS },
  );
  // Uses the same rates as the watchlist and the legs.
  const alike = [
    { id: long, side: 'BUY', weight: 1 },
    { id: short, side: 'SELL', weight: 1 },
  ] as const;
  const apr = basketApr({ legs: alike }, useRates());
  const number = (value: string | null | undefined, digits: number) =>
    value == null ? '–' : formatNumber(settings, value, { digits });
  return (
    <>
      <Figure name="24 h" why="Change of the price ratio over 24 hours">
        <Percent value={change} pnl />
      </Figure>
      <Figure
        name={<FundingHistory legs={alike} />}
        why={
          <>
            A year at current rates, of gross notional with as much long as short; positive: you receive.
            First as it stands, then of the reverse. <NextFundingWords symbols={[long, short]} />
          </>
        }
        aside={<NextFunding symbols={[long, short]} before={<span className={css['next']}>next</span>} />}
        below={
          <>
            reversed <Funding value={apr === null ? null : negated(apr)} />
          </>
        }
      >
        <Funding value={apr} isSaid />
      </Figure>
      <Figure
        name="Open interest"
        why={<LegAmounts of="openInterest" symbols={[long, short]} />}
        below={<LeastLeg of="openInterest" symbols={[long, short]} />}
      >
        <LeastAmount of="openInterest" symbols={[long, short]} />
      </Figure>
      <Figure
        name="Volume 24 h"
        why={<LegAmounts of="volume24h" symbols={[long, short]} />}
        below={<LeastLeg of="volume24h" symbols={[long, short]} />}
      >
        <LeastAmount of="volume24h" symbols={[long, short]} />
      </Figure>
      <Figures
        of={[
          {
            name: RATIO_Z_NAME,
            why: (
              <>
                {WHY_RATIO_Z}. The spread by the hedge ratio has its own: {SPREAD_Z} {LOOKBACK}{' '}
                {number(data?.zScore, 2)}
              </>
            ),
            children: <RatioZ legs={basket.legs} />,
          },
          {
            name: `Half-life ${LOOKBACK}`,
            why: `Time in which half of a deviation from the mean fades, over ${LOOKBACK}`,
            children: data === undefined || data.zScore === null ? '–' : <HalfLife of={data} />,
          },
          {
            name: `Correlation ${LOOKBACK}`,
            why: `Of the hourly returns over ${LOOKBACK}`,
            children: number(data?.correlation, 2),
          },
        ]}
      />
    </>
  );
}
