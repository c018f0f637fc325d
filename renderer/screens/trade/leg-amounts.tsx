/** An amount that the head has of the least leg alone, of each leg: in its tooltip, so it is read when somebody asks. */
import { Fragment } from 'react';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount } from '../../components/amount.tsx';

const FRESH_MS = 15_000;
/** The most that a page of the markets has. */
const MARKETS = 500;

/** Rows of the venue's instruments, for what the live prices do not have. */
export function useMarkets() {
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

/** Under such an amount: whose it is. */
export function LeastLeg({ of, symbols }: { readonly of: LegAmount; readonly symbols: readonly string[] }) {
  const markets = useMarkets();
  const tickerOf = useTicker();
  const amounts = symbols.map((id) => ({ id, amount: markets?.find((row) => row.id === id)?.[of] ?? null }));
  // Of one that is not told nobody knows whether it is the least.
  const known = amounts.flatMap(({ id, amount }) =>
    amount === null ? [] : [{ id, amount: Number(amount) }],
  );
  if (known.length < symbols.length || known.length < 2) return <>least leg</>;
  const least = known.reduce((a, b) => (b.amount < a.amount ? b : a));
  return <>least: {tickerOf(least.id)}</>;
}
