/** Order books of the basket's legs: best prices, spread, and depth. Read only while shown. */
import type { CSSProperties } from 'react';
import type { Answer } from '../../../../gateway/client/client.ts';
import { useInstruments, useTicker } from '../../../api/market.ts';
import { useGet } from '../../../api/queries.ts';
import { useAccount } from '../../../api/session.ts';
import { Amount, NoFigure, Quantity, Ratio } from '../../../components/amount.tsx';
import { classNames } from '../../../components/class-names.ts';
import { ErrorState, Skeleton } from '../../../components/states.tsx';
import { type Basket, inOrder } from '../../../features/basket/basket.ts';
import css from './dock-book.module.css';

type Book = Answer<'GET /books'>['books'][number];
type Level = Book['bids'][number];

const LEVELS = 8;
/** Significant digits of a size: more carry no information. */
const FIGURES = 4;
/** Read interval for each book, ms. A pair is read every second, twenty legs every ten: at most two books a second. */
const EVERY_MS = 500;
const LEAST_MS = 1_000;

export function DockBook({ basket }: { readonly basket: Basket }) {
  const { connector } = useAccount();
  const symbols = inOrder(basket).map(({ id }) => id);
  const { data, error, refetch } = useGet(
    'GET /books',
    { query: { connector, symbols: symbols.join(','), levels: LEVELS } },
    {
      shared: true,
      enabled: symbols.length > 0,
      keepPrevious: true,
      refetchEvery: Math.max(LEAST_MS, symbols.length * EVERY_MS),
      freshForMs: LEAST_MS,
    },
  );
  if (symbols.length === 0) return <p className={css['note']}>Add legs to see their books.</p>;
  if (data === undefined)
    return error === null ? (
      <Skeleton rows={4} />
    ) : (
      <ErrorState compact error={error} onRetry={() => void refetch()} />
    );
  const shown = symbols.flatMap((symbol) => data.books.find((one) => one.symbol === symbol) ?? []);
  return (
    // Focusable, so that the keyboard can scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section className={css['place']} aria-label="Order books" tabIndex={0}>
      {error !== null && <ErrorState compact error={error} onRetry={() => void refetch()} />}
      <div className={classNames(css['books'], error !== null && 'stale')}>
        {shown.map((book) => (
          <OneBook key={book.symbol} book={book} />
        ))}
      </div>
      {shown.some(({ source }) => source === 'SIMULATED') && (
        <p className={css['note']}>Simulated: orders on this paper venue fill against it.</p>
      )}
      <Unknown symbols={data.unknown.filter((symbol) => symbols.includes(symbol))} />
    </section>
  );
}

function Unknown({ symbols }: { readonly symbols: readonly string[] }) {
  const tickerOf = useTicker();
  if (symbols.length === 0) return null;
  return <p className={css['note']}>No book is known now: {symbols.map(tickerOf).join(', ')}</p>;
}

function OneBook({ book }: { readonly book: Book }) {
  const instrument = useInstruments().find(({ id }) => id === book.symbol);
  const { ticker, bids, asks, bestBid, bestAsk, spreadBps } = book;
  const rows = Array.from(
    { length: Math.max(bids.length, asks.length) },
    (_, nth) => [bids[nth], asks[nth]] as const,
  );
  // One scale for both sides: the deeper side fills its half.
  const most = Math.max(...[bids.at(-1), asks.at(-1)].map((level) => Number(level?.cumulativeUsd ?? 0)));
  const tick = instrument?.tickSize;
  return (
    <table className={css['book']} aria-label={`Book of ${ticker}`}>
      <caption>
        <b>{ticker}</b> <Quantity value={bestBid} step={tick} /> / <Quantity value={bestAsk} step={tick} />{' '}
        <span className={css['spread']}>
          spread {spreadBps === null ? <NoFigure /> : <Quantity value={spreadBps} step="0.01" />} bps
        </span>
      </caption>
      <thead>
        <tr>
          <Sum of="Bids" />
          <th scope="col" data-figure="size">
            Size
          </th>
          <th scope="col">Bid</th>
          <th scope="col">Ask</th>
          <th scope="col" data-figure="size">
            Size
          </th>
          <Sum of="Asks" />
        </tr>
      </thead>
      <tbody>
        {rows.map(([bid, ask]) => (
          <tr key={`${bid?.price} ${ask?.price}`}>
            <Cells level={bid} most={most} side="bid" tick={tick} />
            <Cells level={ask} most={most} side="ask" tick={tick} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sum({ of }: { readonly of: string }) {
  return (
    <th scope="col" title={`${of} as far as this price, in USD`}>
      <span className="visually-hidden">{of} </span>Σ USD
    </th>
  );
}

function Cells({
  level,
  most,
  side,
  tick,
}: {
  readonly level: Level | undefined;
  /** Value of the widest bar, USD. */
  readonly most: number;
  readonly side: 'bid' | 'ask';
  readonly tick: string | undefined;
}) {
  if (level === undefined) {
    const [sum, size, price] = [<td key="sum" />, <td key="size" data-figure="size" />, <td key="price" />];
    return side === 'bid' ? [sum, size, price] : [price, size, sum];
  }
  const share = { '--share': `${(Number(level.cumulativeUsd) / (most || 1)) * 100}%` } as CSSProperties;
  const sum = (
    <td key="sum" className={css['sum']} data-side={side} style={share}>
      <Amount value={level.cumulativeUsd} compact />
    </td>
  );
  const size = (
    <td key="size" data-figure="size">
      <Ratio value={level.quantity} figures={FIGURES} />
    </td>
  );
  const price = (
    <td key="price" className={css['price']} data-side={side}>
      <Quantity value={level.price} step={tick} />
    </td>
  );
  return side === 'bid' ? [sum, size, price] : [price, size, sum];
}
