/** Output of a preview. */
import { z } from 'zod';
import { COUNTED_AT } from '../contract/mandate-words.ts';
import { SIDES } from '../domain/enumerations.ts';
import { afterOut, afterText } from './after.ts';
import { accountOut, nullableText } from './fields.ts';
import { protectionLine, protectionOut } from './protection.ts';
import { limitLine } from './say.ts';
import { verdictOut } from './verdict.ts';

export const previewLeg = z.object({
  instrument: z.string(),
  side: z.enum(SIDES),
  quantity_base: z.string(),
  mark_usd: nullableText,
  worst_price_usd: nullableText.describe('It never fills at a worse one; null: it is sized when it fires'),
  expected_price_usd: nullableText.describe('By the order book; null: not known'),
  notional_usd: nullableText,
  fee_usd: nullableText.describe('At most'),
});

export const previewOut = verdictOut.extend({
  preview_id: nullableText.describe('For place_order; null: it cannot be placed'),
  expires_at: nullableText,
  summary: z.string().describe('Give it to place_order unchanged; show it to your user'),
  account: accountOut,
  legs: z.array(previewLeg),
  gross_usd: nullableText,
  net_usd: nullableText,
  total_fee_usd: nullableText,
  expected_cost_usd: nullableText.describe('By the order books, past the marks'),
  expected_slippage_pct: nullableText,
  funding_usd_per_hour: nullableText.describe('Positive: you pay'),
  counts_as_usd: nullableText.describe(
    `What it counts as for the user's limits and in the question to them: ${COUNTED_AT}; null: no limits, or it opens nothing`,
  ),
  margin_required_usd: nullableText,
  free_margin_usd: nullableText,
  account_after: afterOut
    .nullable()
    .describe('The account once all of it has filled; null: it does not trade now, or not known'),
  protection: protectionOut.describe('Of the position after it'),
  notes: z.array(z.string()),
  next: z.string(),
});
export type PreviewOut = z.input<typeof previewOut>;

export function previewText(preview: PreviewOut): string {
  const { account, legs, preview_id: id } = preview;
  const lines = [
    `PREVIEW, NOTHING ORDERED. ${preview.verdict_words}`,
    `Summary: ${preview.summary}`,
    `Account ${account.id} on ${account.venue}: ${account.money}.`,
    ...legs.map(
      (leg) =>
        `- ${leg.instrument} ${leg.side}: ${leg.quantity_base} base units at mark ${leg.mark_usd ?? 'not known'}, ${leg.worst_price_usd === null ? 'worst price by its slippage when it fires' : `${leg.expected_price_usd === null ? '' : `expected ${leg.expected_price_usd}, `}never worse than ${leg.worst_price_usd}`}, ${leg.fee_usd === null ? 'fee not known yet' : `fee at most ${leg.fee_usd} USD`}`,
    ),
    ...(preview.gross_usd === null
      ? []
      : [
          [
            `Gross ${preview.gross_usd} USD`,
            ...(preview.net_usd === null ? [] : [`net ${preview.net_usd} USD`]),
            ...(preview.total_fee_usd === null ? [] : [`fees at most ${preview.total_fee_usd} USD`]),
            ...(preview.funding_usd_per_hour === null
              ? []
              : [`funding ${preview.funding_usd_per_hour} USD an hour`]),
            ...(preview.margin_required_usd === null
              ? []
              : [
                  `margin ${preview.margin_required_usd} of ${preview.free_margin_usd ?? 'unknown'} USD free`,
                ]),
          ]
            .join(', ')
            .concat('.'),
        ]),
    ...(preview.expected_cost_usd === null
      ? []
      : [
          `Expected slippage by the order books: ${preview.expected_cost_usd} USD, ${preview.expected_slippage_pct ?? '?'} % past the marks.`,
        ]),
    ...(preview.counts_as_usd === null
      ? []
      : [`Counts as ${preview.counts_as_usd} USD for the limits: ${COUNTED_AT}.`]),
    ...(preview.account_after === null ? [] : [afterText(preview.account_after)]),
    ...preview.protection.map((one) => `Protection: ${protectionLine(one)}.`),
    ...preview.limits.map(limitLine),
    ...preview.notes.map((note) => `Note: ${note}`),
    ...(id === null ? [] : [`preview_id ${id}, until ${preview.expires_at}`]),
    `Next: ${preview.next}`,
  ];
  return lines.join('\n');
}

export function nextOf(verdict: PreviewOut['verdict']): string {
  if (verdict === 'REFUSED')
    return 'It cannot be placed so. Change it and make a new preview, or tell the user.';
  if (verdict === 'NEEDS_APPROVAL')
    return 'Call place_order with preview_id, summary and a reason: the user is then asked. Nothing is ordered before they approve.';
  return 'Call place_order with preview_id, summary and a reason within two minutes, or leave it.';
}
