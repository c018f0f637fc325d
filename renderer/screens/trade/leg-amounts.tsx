/** Amount of the smallest leg alone, with that leg's name, and a tooltip with the amounts of all legs. */
import { Fragment } from 'react';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount } from '../../components/amount.tsx';

/** The amounts change slowly. */
const FRESH_MS = 30_000;
/** Largest page of the markets. */
const MARKETS = 500;

/** Rows of the venue's instruments, for amounts that the live prices lack. */
function useMarkets() {
  const { connector } = useAccount();
  const { data } = useGet(
    'GET /markets',
    { query: { connector, limit: MARKETS } },
    { shared: true, refetchEvery: FRESH_MS, freshForMs: FRESH_MS },
  );
  return data?.markets;
}

type LegAmount = 'openInterest' | 'volume24h';

export function LegAmounts({ of, symbols }: { readonly of: LegAmount; readonly symbols: readonly string[] }) {
  const markets = useMarkets();
  const tickerOf = useTicker();
  return (
    <>
      In USD, that of the least leg.
      {symbols.map((symbol) => (
        <Fragment key={symbol}>
          {' '}
          {tickerOf(symbol)} <Amount value={markets?.find(({ id }) => id === symbol)?.[of]} compact />
        </Fragment>
      ))}
    </>
  );
}

interface OfLegs {
  readonly of: LegAmount;
  /** Instrument ids, at least one. */
  readonly symbols: readonly string[];
}

/** Smallest amount of a leg; null: the amount of a leg is unknown, so the smallest is too; undefined: not read yet. */
function useLeast({ of, symbols }: OfLegs) {
  const markets = useMarkets();
  if (markets === undefined) return undefined;
  const amounts = symbols.flatMap((id) => {
    const amount = markets.find((row) => row.id === id)?.[of] ?? null;
    return amount === null ? [] : [{ id, amount }];
  });
  if (amounts.length < symbols.length) return null;
  return amounts.reduce((a, b) => (Number(b.amount) < Number(a.amount) ? b : a));
}

export function LeastAmount(legs: OfLegs) {
  return <Amount value={useLeast(legs)?.amount} compact />;
}

/** Name of the leg, shown below its amount. */
export function LeastLeg(legs: OfLegs) {
  const least = useLeast(legs);
  const tickerOf = useTicker();
  if (least === undefined) return <>–</>;
  return least === null ? <>least leg</> : <>least: {tickerOf(least.id)}</>;
}
