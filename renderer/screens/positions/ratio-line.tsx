/** Small line of a basket's price ratio over the last day, relative to its entry. */
import { useGet } from '../../api/queries.ts';
import { SparkLine } from '../../components/spark-line.tsx';
import type { Position } from './use-position-data.ts';

const DAY_MS = 86_400_000;
const RENEW_MS = 300_000;

export function RatioLine({ position }: { readonly position: Position }) {
  const { connector, legs, entryPrice } = position;
  const open = legs.filter(({ quantity }) => quantity !== '0');
  const idsOf = (side: 'BUY' | 'SELL') => open.filter((leg) => leg.side === side).map(({ symbol }) => symbol);
  const [long, short] = [idsOf('BUY'), idsOf('SELL')];
  const weights = [
    ...open.filter(({ side }) => side === 'BUY'),
    ...open.filter(({ side }) => side === 'SELL'),
  ];
  // Rounded to whole quarters of an hour, so that all rows and renders in between share an answer.
  const from = Math.floor(Date.now() / (RENEW_MS * 3)) * RENEW_MS * 3 - DAY_MS;
  const { data } = useGet(
    'GET /candles/basket',
    {
      query: {
        connector,
        ...(long.length > 0 ? { long } : {}),
        ...(short.length > 0 ? { short } : {}),
        weights: weights.map(({ targetWeight }) => targetWeight),
        metric: 'PRICE_RATIO',
        interval: '1h',
        from: new Date(from).toISOString(),
      },
    },
    {
      shared: true,
      refetchEvery: RENEW_MS,
      freshForMs: RENEW_MS,
      keepPrevious: true,
      enabled: weights.length > 0 && weights.every(({ targetWeight }) => Number(targetWeight) > 0),
    },
  );
  const values = data?.candles.map(({ close }) => Number(close)) ?? [];
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return null;
  const change = ((last / first - 1) * 100).toFixed(1);
  return (
    <SparkLine
      values={values}
      middle={Number(entryPrice ?? first)}
      label={`24 hours: ${change} %, line at the entry`}
    />
  );
}
