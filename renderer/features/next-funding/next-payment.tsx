/** Next funding payment in dollars: a figure of a row, and a column of such figures. */
import Big from 'big.js';
import { useMemo } from 'react';
import { useFunding } from '../../api/market.ts';
import { NoFigure, Pnl } from '../../components/amount.tsx';
import type { Column } from '../../components/table-column.ts';
import { Tooltip } from '../../components/tooltip.tsx';
import { NextFundingWords } from './next-funding.tsx';
import { type FundedLeg, nextPayment, type Rates } from './payment.ts';
import { LEAST_PAID, WhoPays } from './who-pays.tsx';

const UNTOLD = 'The venue has not told the funding of each leg';

/** Instrument id → its funding; undefined: not read. */
export function useRates(): Rates | undefined {
  const { data } = useFunding();
  return useMemo(
    () => (data === undefined ? undefined : new Map(data.funding.map((one) => [one.id, one]))),
    [data],
  );
}

export function NextPayment({
  legs,
  rates,
}: {
  readonly legs: readonly FundedLeg[];
  readonly rates: Rates | undefined;
}) {
  const usd = rates === undefined ? null : nextPayment(legs, rates);
  if (usd === null) return <NoFigure {...(rates !== undefined && { why: UNTOLD })} />;
  const words = (
    <>
      <WhoPays received={usd} /> at the rate of now.{' '}
      <NextFundingWords symbols={legs.map(({ symbol }) => symbol)} />
    </>
  );
  return (
    <Tooltip text={words}>
      <span>
        <PaymentFigure usd={usd} />
      </span>
    </Tooltip>
  );
}

/** Signed amount with the same precision as the tooltip; a smaller one is shown as `pays` or `gets` less than that. */
export function PaymentFigure({ usd }: { readonly usd: string }) {
  const size = new Big(usd).abs();
  if (size.eq(0)) return <>none</>;
  if (size.lt(LEAST_PAID)) return <>{new Big(usd).lt(0) ? 'pays' : 'gets'} &lt; $0.0001</>;
  return <Pnl value={usd} digits={size.lt(1) ? 4 : 2} />;
}

/** @param rates must keep its identity from render to render, as columns do */
export function nextPaymentColumn<Row>(
  legsOf: (row: Row) => readonly FundedLeg[],
  rates: Rates | undefined,
): Column<Row> {
  return {
    id: 'next',
    header: 'Next funding',
    align: 'right',
    width: 108,
    cell: (row) => <NextPayment legs={legsOf(row)} rates={rates} />,
    sort: (row) => {
      const usd = rates === undefined ? null : nextPayment(legsOf(row), rates);
      return usd === null ? null : Number(usd);
    },
  };
}
