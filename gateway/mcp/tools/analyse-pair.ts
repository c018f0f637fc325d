/** Statistics of the joint movement of two instruments. */
import { z } from 'zod';
import { connectorInput, instrumentInput, nullableText } from '../fields.ts';
import { tool } from '../tool.ts';

export const analysePair = tool({
  name: 'analyse_pair',
  title: 'Analyse a pair',
  description:
    'How two instruments move together: correlation, beta, hedge ratio, z-score of the spread, half-life of its return and the Engle-Granger test with its p-value band. A figure that the data do not define is null, and reason says why.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: z
    .object({
      connector: connectorInput,
      long: instrumentInput,
      short: instrumentInput,
      lookback: z
        .enum(['24h', '7d', '30d', '90d'])
        .default('30d')
        .describe('How far back, for example "30d"'),
    })
    .strict(),
  output: z.object({
    connector: z.string(),
    long: z.string(),
    short: z.string(),
    lookback: z.string(),
    observations: z.int(),
    correlation: nullableText.describe('Pearson, of the log returns'),
    beta: nullableText,
    hedge_ratio: nullableText.describe('h of ln(long) = c + h ln(short) + spread'),
    z_score: nullableText.describe('The spread now, in its standard deviations'),
    half_life_hours: nullableText,
    cointegration_p: nullableText.describe(
      'Band of the p-value of "not cointegrated": the smaller the better',
    ),
    cointegration_statistic: nullableText,
    ratio_now: nullableText,
    reason: nullableText.describe('Why figures are null'),
    tradability: z.object({ long: z.string(), short: z.string() }),
  }),
  async run({ ask }, { connector, long, short, lookback }) {
    const found = await ask('GET /analytics/pair', { query: { connector, long, short, lookback } });
    const data = {
      connector,
      long,
      short,
      lookback,
      observations: found.observations,
      correlation: found.correlation,
      beta: found.beta,
      hedge_ratio: found.hedgeRatio,
      z_score: found.zScore,
      half_life_hours: found.halfLifeHours,
      cointegration_p: found.cointegration?.pValueBand ?? null,
      cointegration_statistic: found.cointegration?.statistic ?? null,
      ratio_now: found.history.at(-1)?.ratio ?? null,
      reason: found.reason ?? found.halfLifeReason,
      tradability: { long: found.tradeability.long.status, short: found.tradeability.short.status },
    };
    const lines = [
      `${long} against ${short} over ${lookback}, ${found.observations} observations.`,
      `correlation ${said(data.correlation)}, beta ${said(data.beta)}, hedge ratio ${said(data.hedge_ratio)}`,
      `z-score ${said(data.z_score)}, half-life ${said(data.half_life_hours)} hours, cointegration p ${said(data.cointegration_p)}, ratio now ${said(data.ratio_now)}`,
      ...(data.reason === null ? [] : [`Not defined because: ${data.reason}`]),
    ];
    return { data, text: lines.join('\n') };
  },
});

function said(figure: string | null): string {
  return figure ?? 'not defined';
}
