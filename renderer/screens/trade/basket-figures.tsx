/** Figures of a basket that is no pair: change, funding, and what the smallest of its legs lets through. For the eyes only. */
import { useInstruments } from '../../api/market.ts';
import { Amount, Percent } from '../../components/amount.tsx';
import { type Basket, weightSum } from '../../features/basket/basket.ts';
import { fundingApr } from '../../features/funding-apr/funding-apr.ts';
import { NextFunding, NextFundingWords } from '../../features/next-funding/next-funding.tsx';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import { useSubjectChange } from '../../features/ratio-chart/use-subject-value.ts';
import { FundingHistory } from './funding-history.tsx';
import { Figure, Funding } from './head-figure.tsx';
import { LEAST_LEG, LegAmounts, useMarkets } from './leg-amounts.tsx';
import css from './pair-header.module.css';

export function BasketFigures({
  basket,
  subject,
}: {
  readonly basket: Basket;
  readonly subject: ChartSubject;
}) {
  const change = useSubjectChange(subject, basket.legs);
  const intervals = new Map(
    useInstruments().map(({ id, fundingIntervalHours }) => [id, fundingIntervalHours]),
  );
  const markets = useMarkets();
  const rows = basket.legs.map(({ id }) => markets?.find((row) => row.id === id));
  const least = (figureOf: (row: NonNullable<(typeof rows)[number]>) => string | null) => {
    const values = rows.map((row) => (row === undefined ? null : figureOf(row)));
    return values.reduce((a, b) => (a === null || b === null ? null : Number(a) < Number(b) ? a : b));
  };
  const whole = weightSum(basket.legs);
  const yearly = basket.legs.reduce<number | null>((sum, { id, side, weight }, index) => {
    const rate = rows[index]?.funding;
    const hours = intervals.get(id);
    if (sum === null || rate == null || hours === undefined || whole === 0) return null;
    return sum + Number(fundingApr(rate, hours, side)) * (weight / whole);
  }, 0);
  const symbols = basket.legs.map(({ id }) => id);
  const apr = yearly === null ? null : yearly.toFixed(10);
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
        below={symbols.length > 1 ? LEAST_LEG : undefined}
      >
        <Amount value={least(({ openInterest }) => openInterest)} compact />
      </Figure>
      <Figure
        name="Volume 24 h"
        why={<LegAmounts of="volume24h" symbols={symbols} />}
        below={symbols.length > 1 ? LEAST_LEG : undefined}
      >
        <Amount value={least(({ volume24h }) => volume24h)} compact />
      </Figure>
    </>
  );
}
