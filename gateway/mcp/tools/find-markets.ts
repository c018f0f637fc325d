/** Instruments of a venue with the figures that a decision needs. */
import { z } from 'zod';
import { TRADEABILITY_STATUSES } from '../../domain/enumerations.ts';
import type { Answer, Ask } from '../ask.ts';
import { connectorInput, instrumentInput, nullableText } from '../fields.ts';
import { tool } from '../tool.ts';

const MOST = 50;
const CANDLES_MOST = 5;

const candleOut = z.object({
  start: z.string(),
  open: z.string(),
  high: z.string(),
  low: z.string(),
  close: z.string(),
});

const marketOut = z.object({
  instrument: z.string(),
  ticker: z.string(),
  mark_usd: nullableText.describe('Mark price; null: none is known'),
  change_24h_pct: nullableText,
  funding_per_hour_pct: nullableText,
  funding_words: z.string().describe('Who pays whom'),
  min_order_usd: z.string(),
  max_leverage: z.int(),
  tradability: z.enum(TRADEABILITY_STATUSES),
  candles_1h: z.array(candleOut).optional().describe('The last 48, oldest first; with_candles'),
});

export const findMarkets = tool({
  name: 'find_markets',
  title: 'Find markets',
  description:
    'Instruments of a venue: mark price, funding per hour and who pays it, smallest order, highest leverage, whether it can be traded. By search text or by ids, at most 50, largest volume first.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: z
    .object({
      connector: connectorInput,
      search: z.string().min(1).max(64).optional().describe('Part of a ticker or id, for example "BTC"'),
      instruments: z.array(instrumentInput).min(1).max(MOST).optional().describe('Instrument ids'),
      with_candles: z
        .boolean()
        .optional()
        .describe(`true: the last 48 hourly candles too; for at most ${CANDLES_MOST} instruments`),
    })
    .strict(),
  output: z.object({
    connector: z.string(),
    markets: z.array(marketOut),
    more: z.boolean().describe('true: there are more; narrow the search'),
  }),
  async run({ ask }, { connector, search, instruments, with_candles }) {
    const [rows, rules, funding] = await Promise.all([
      ask('GET /markets', { query: { connector, scope: 'all', search, limit: '500' } }),
      ask('GET /instruments', { query: { connector, scope: 'all' } }),
      ask('GET /funding', { query: { connector } }),
    ]);
    const wanted = instruments === undefined ? null : new Set(instruments);
    const chosen = rows.markets.filter(({ id }) => wanted === null || wanted.has(id));
    const shown = chosen.slice(0, MOST);
    const candled = with_candles === true ? shown.slice(0, CANDLES_MOST).map(({ id }) => id) : [];
    const candles = new Map(
      await Promise.all(candled.map(async (id) => [id, await candlesOf(ask, connector, id)] as const)),
    );
    const ruleOf = new Map(rules.instruments.map((row) => [row.id, row]));
    const fundingOf = new Map(funding.funding.map((row) => [row.id, row]));
    const markets = shown.map((row) => {
      const rule = ruleOf.get(row.id);
      const hourly = hourlyPct(fundingOf.get(row.id));
      const own = candles.get(row.id);
      return {
        instrument: row.id,
        ticker: row.symbol,
        mark_usd: row.price,
        change_24h_pct: percent(row.priceChange24h),
        funding_per_hour_pct: hourly,
        funding_words: fundingWords(hourly),
        min_order_usd: rule?.minNotional ?? '0',
        max_leverage: rule?.maxLeverage ?? 1,
        tradability: row.tradeability.status,
        ...(own === undefined ? {} : { candles_1h: own }),
      };
    });
    const lines = [
      `${markets.length} market(s) on ${connector}${chosen.length > MOST ? `, of ${chosen.length}: narrow the search` : ''}.`,
      ...markets.map(
        (row) =>
          `- ${row.instrument}: mark ${row.mark_usd} USD, 24 h ${row.change_24h_pct} %, ${row.funding_words}, smallest order ${row.min_order_usd} USD, up to ${row.max_leverage}x, ${row.tradability}`,
      ),
    ];
    return { data: { connector, markets, more: chosen.length > MOST }, text: lines.join('\n') };
  },
});

async function candlesOf(ask: Ask, connector: string, symbol: string) {
  const { candles } = await ask('GET /candles', { query: { connector, symbol, interval: '1h' } });
  return candles.slice(-48).map(({ start, open, high, low, close }) => ({ start, open, high, low, close }));
}

type FundingRow = Answer<'GET /funding'>['funding'][number];

/** Information for a reader, not an amount to compute with. */
function hourlyPct(row: FundingRow | undefined): string | null {
  if (row === undefined) return null;
  return plain((Number(row.rate) / row.intervalHours) * 100);
}

function percent(fraction: string): string {
  return plain(Number(fraction) * 100);
}

function plain(value: number): string {
  return value
    .toFixed(6)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');
}

function fundingWords(hourly: string | null): string {
  if (hourly === null) return 'funding not known';
  if (hourly === '0') return 'no funding';
  return hourly.startsWith('-')
    ? `shorts pay longs ${hourly.slice(1)} % an hour`
    : `longs pay shorts ${hourly} % an hour`;
}
