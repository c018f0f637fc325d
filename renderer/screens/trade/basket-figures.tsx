/** Figures of a basket other than a pair: change, funding, and amounts of its smallest leg. Visual only. */
import { Percent } from '../../components/amount.tsx';
import type { Basket } from '../../features/basket/basket.ts';
import { basketApr } from '../../features/funding-apr/funding-apr.ts';
import { NextFunding, NextFundingWords } from '../../features/next-funding/next-funding.tsx';
import { useRates } from '../../features/next-funding/next-payment.tsx';
import { WHY_RATIO_Z } from '../../features/ratio-chart/spread-words.ts';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import { useSubjectChange } from '../../features/ratio-chart/use-subject-value.ts';
import { FundingHistory } from './funding-history.tsx';
import { Figure, Funding } from './head-figure.tsx';
import { LeastAmount, LeastLeg, LegAmounts } from './leg-amounts.tsx';
import css from './pair-header.module.css';
import { RATIO_Z_NAME, RatioZ } from './ratio-z.tsx';

export function BasketFigures({
  basket,
  subject,
}: {
  readonly basket: Basket;
  readonly subject: ChartSubject;
}) {
  const change = useSubjectChange(subject, basket.legs);
  const symbols = basket.legs.map(({ id }) => id);
  const apr = basketApr(basket, useRates());
  return (
    <>
      <Figure name="24 h" why="Change of the ratio over 24 hours, at these weights">
        <Percent value={change} pnl />
      </Figure>
      <Figure
        name={<FundingHistory legs={basket.legs} />}
        why={
          <>
            A year at current rates, of gross notional at these weights; positive: you receive.{' '}
            <NextFundingWords symbols={symbols} />
          </>
        }
        aside={<NextFunding symbols={symbols} before={<span className={css['next']}>next</span>} />}
      >
        <Funding value={apr} isSaid />
      </Figure>
      <Figure
        name="Open interest"
        why={<LegAmounts of="openInterest" symbols={symbols} />}
        below={symbols.length > 1 ? <LeastLeg of="openInterest" symbols={symbols} /> : undefined}
      >
        <LeastAmount of="openInterest" symbols={symbols} />
      </Figure>
      <Figure
        name="Volume 24 h"
        why={<LegAmounts of="volume24h" symbols={symbols} />}
        below={symbols.length > 1 ? <LeastLeg of="volume24h" symbols={symbols} /> : undefined}
      >
        <LeastAmount of="volume24h" symbols={symbols} />
      </Figure>
      {symbols.length > 1 && (
        <Figure name={RATIO_Z_NAME} why={WHY_RATIO_Z}>
          <RatioZ legs={basket.legs} />
        </Figure>
      )}
    </>
  );
}
