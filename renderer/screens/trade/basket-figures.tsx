/** Figures of a basket that is no pair: change, funding, and what the smallest of its legs lets through. For the eyes only. */
import { useLiveRows } from '../../api/live.ts';
import { useInstruments } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Percent } from '../../components/amount.tsx';
import { type Basket, weightSum } from '../../features/basket/basket.ts';
import { fundingApr } from '../../features/funding-apr/funding-apr.ts';
import { NextFunding, NextFundingWords } from '../../features/next-funding/next-funding.tsx';
import { type ChartSubject, subjectValue } from '../../features/ratio-chart/subject.ts';
import { FundingHistory } from './funding-history.tsx';
import { Figure, Funding } from './head-figure.tsx';
import css from './pair-header.module.css';

const REFRESH_MS = 15_000;
/** The most that a page of the markets has. */
const MARKETS = 500;

export function BasketFigures({
  basket,
  subject,
}: {
  readonly basket: Basket;
  readonly subject: ChartSubject;
}) {
  const { connector } = useAccount();
  const prices = useLiveRows(`prices:${connector}`);
  const intervals = new Map(
    useInstruments().map(({ id, fundingIntervalHours }) => [id, fundingIntervalHours]),
  );
  const { data } = useGet(
    'GET /markets',
    { query: { connector, limit: MARKETS } },
    { shared: true, refetchEvery: REFRESH_MS, freshForMs: REFRESH_MS },
  );
  const at = (priceOf: (row: (typeof prices)[number]) => string) => {
    const known = new Map(prices.map((row) => [row.id, Number(priceOf(row))]));
    return subjectValue(subject, basket.legs, (id) => known.get(id) ?? null);
  };
  const [now, before] = [at(({ mark }) => mark), at(({ price24hAgo }) => price24hAgo)];
  const rows = basket.legs.map(({ id }) => data?.markets.find((row) => row.id === id));
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
    <dl className={css['figures']} aria-label="About the basket">
      <Figure name="24 h" why="Change of the ratio over 24 hours, at these weights">
        <Percent value={now === null || before === null ? null : (now / before - 1).toFixed(8)} pnl />
      </Figure>
      <Figure
        name={<FundingHistory legs={basket.legs} />}
        why={
          <>
            A year at current rates, of gross notional at these weights; positive: you receive.{' '}
            <NextFundingWords symbols={symbols} />
          </>
        }
        aside={<NextFunding symbols={symbols} before={<span className={css['who']}>next</span>} />}
      >
        <Funding value={apr} isSaid />
      </Figure>
      <Figure name="Open interest" why="In USD, that of the smallest leg">
        <Amount value={least(({ openInterest }) => openInterest)} compact />
      </Figure>
      <Figure name="Volume 24 h" why="In USD, that of the smallest leg">
        <Amount value={least(({ volume24h }) => volume24h)} compact />
      </Figure>
    </dl>
  );
}
