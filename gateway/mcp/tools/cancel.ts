/** Cancels pending orders and orders at the venue, one by one. */
import { z } from 'zod';
import { type CancelledRow, type Cancelling, cancelOne, idsOfMine, keptOne } from '../cancelling.ts';
import { uuidInput } from '../fields.ts';
import { tool } from '../tool.ts';

const row = z.object({
  id: z.string(),
  cancelled: z.boolean().describe('true: it will do nothing more'),
  what: z.string().describe('What became of it'),
  was: z.string().optional().describe('What it was; left out: it is about no position'),
  position_now: z.string().optional().describe('What that position holds and is protected by now'),
});

export const cancel = tool({
  name: 'cancel',
  title: 'Cancel',
  description:
    'Cancels orders, triggers, alerts, schedules, ladders and executions by id, or all of yours that could open with all_mine. What protects or reduces a position ends only by its id, and the user may be asked. What was traded before stays. The answer says of each what it was and what became of it.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  trades: true,
  input: z
    .object({
      ids: z
        .array(uuidInput('Id of what to cancel'))
        .max(50)
        .default([])
        .describe('Ids: list_activity, list_alerts'),
      all_mine: z
        .boolean()
        .default(false)
        .describe('true: everything that you placed and that waits, but what protects or reduces'),
    })
    .strict(),
  output: z.object({ rows: z.array(row) }),
  async run(context, { ids, all_mine }) {
    const named = new Set(ids.map((id) => id.toLowerCase()));
    const mine = all_mine ? await idsOfMine(context) : { opening: [], protecting: [] };
    const all: Cancelling[] = [];
    for (const id of new Set([...named, ...mine.opening])) all.push(await cancelOne(context, id));
    const kept: CancelledRow[] = [];
    for (const id of mine.protecting) if (!named.has(id)) kept.push(await keptOne(context, id));
    const rows = [...all.map(({ row: one }) => one), ...kept];
    const over = all.filter(({ hadEnded }) => hadEnded).length;
    const done = rows.filter(({ cancelled }) => cancelled).length - over;
    const ended = over === 0 ? '' : ` ${over} HAD ENDED BEFORE.`;
    const spared = kept.length === 0 ? '' : ` KEPT ${kept.length} that protect or reduce.`;
    const first = all.length === 0 ? 'NOTHING TO CANCEL.' : `CANCELLED ${done} of ${all.length}.${ended}`;
    return { data: { rows }, text: [`${first}${spared}`, ...rows.map(lineOf)].join('\n') };
  },
});

function lineOf({ id, what, was, position_now: now }: CancelledRow): string {
  return `- ${id}: ${what}${now === undefined ? '' : `. It was: ${was}. ${now}`}`;
}
