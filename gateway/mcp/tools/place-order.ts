/** Places a previewed order, and nothing else. */
import { z } from 'zod';
import { accountOut, accountsOf } from '../accounts.ts';
import { Refused } from '../ask.ts';
import type { AccountOut } from '../fields.ts';
import { uuidInput } from '../fields.ts';
import { type Outcome, outcomeOf, outcomeOut, outcomeText } from '../outcome.ts';
import { outcomeOfAnswer, placedUnder, placingKey } from '../placed.ts';
import type { Preview } from '../previews.ts';
import { refusedOutcome } from '../refused-outcome.ts';
import { statusOf } from '../status.ts';
import { type ToolContext, tool } from '../tool.ts';
import { passedLegs } from '../worst-price.ts';

/** Most executions end within this time, so that the answer has their outcome. */
const WAIT_MS = 3_000;

export const placeOrder = tool({
  name: 'place_order',
  title: 'Place an order',
  description:
    'Orders exactly what a preview showed, at no worse price. The same preview_id again gives the same answer and never orders twice. Needs the unchanged summary, and your reason in a sentence.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  trades: true,
  input: z
    .object({
      preview_id: uuidInput('preview_id of preview_basket or preview_change'),
      summary: z.string().min(1).max(2_000).describe('The summary of the preview, unchanged'),
      reason: z.string().min(1).max(280).describe('Why you want this, one sentence; the user may read it'),
    })
    .strict(),
  output: outcomeOut,
  async run(context, { preview_id, summary, reason }) {
    const outcome = await placed(context, preview_id.toLowerCase(), summary, reason);
    return { data: outcome, text: outcomeText(outcome) };
  },
});

async function placed(context: ToolContext, id: string, summary: string, reason: string): Promise<Outcome> {
  const accounts = (await accountsOf(context.ask)).map(accountOut);
  const preview = context.previews.get(id);
  const before = await placedUnder(context, accounts, id);
  if (before !== null) return before;
  if (preview === undefined) {
    return nothing(
      id,
      null,
      'This preview is not known: it is older than two minutes, or not yours, and nothing was ordered under it',
      'Make a new preview.',
    );
  }
  const account = accounts.find((one) => one.id === preview.accountId) ?? null;
  if (summary.trim() !== preview.summary) {
    return nothing(
      id,
      account,
      `The summary is not the one of the preview, which is: ${preview.summary}`,
      'Show your user the summary of the preview, and call place_order again with it unchanged.',
    );
  }
  const passed =
    account === null || !CHECKED_HERE.has(preview.route)
      ? []
      : await passedLegs(context.ask, account, preview.legs, preview.worstPrices);
  if (passed.length > 0)
    return nothing(
      id,
      account,
      `The market is past the worst price of the preview: ${passed.join('; ')}`,
      'Make a new preview.',
    );
  return order(context, accounts, account, preview, reason);
}

/**
 * Closing orders are sent leg by leg, and a leg that does not fill leaves the others filled: the market is checked
 * first. The gateway itself refuses an opening order as a whole.
 */
const CHECKED_HERE: ReadonlySet<string> = new Set([
  'POST /positions/:id/close',
  'POST /positions/:id/adjust',
  'POST /positions/:id/reverse',
]);

function nothing(id: string, account: AccountOut | null, reason: string, next: string): Outcome {
  return outcomeOf({
    outcome: 'NOTHING_ORDERED',
    money_moved: 'no',
    kind: 'preview',
    id,
    account,
    reason,
    next,
  });
}

async function order(
  context: ToolContext,
  accounts: readonly AccountOut[],
  account: AccountOut | null,
  preview: Preview,
  reason: string,
): Promise<Outcome> {
  const { id, route, params, body, worstPrices, shown, accountId, summary } = preview;
  try {
    const answer = await context.place({
      route,
      account: accountId,
      params,
      body,
      worstPrices,
      shown,
      idempotencyKey: placingKey(context.principal, id),
      reason,
    });
    const outcome = await outcomeOfAnswer(context, accounts, route, answer);
    return await settled(context, accountId, outcome);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusedOutcome(error.refusal, { previewId: id, account, asked: summary });
  }
}

/** Waits a moment for an execution that is on its way. */
async function settled(context: ToolContext, accountId: string, first: Outcome): Promise<Outcome> {
  const { changes, clock, signal } = context;
  const until = clock.uptime() + WAIT_MS;
  const accounts = new Set([accountId]);
  let latest = first;
  while (isOnItsWay(latest) && clock.uptime() < until && !signal.aborted && latest.id !== null) {
    const change = changes.next(accounts, until - clock.uptime(), signal);
    latest = (await statusOf(context, latest.id)) ?? latest;
    if (!isOnItsWay(latest)) return latest;
    await change;
    latest = (await statusOf(context, first.id ?? '')) ?? latest;
  }
  return latest;
}

function isOnItsWay({ kind, outcome }: Outcome): boolean {
  return kind === 'execution' && (outcome === 'ACCEPTED_NOT_FILLED' || outcome === 'PARTLY_FILLED');
}
