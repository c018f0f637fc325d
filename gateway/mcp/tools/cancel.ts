/** Cancels what waits or is at the venue, thing by thing. */
import { z } from 'zod';
import { type Cancelling, cancelOne, idsOfMine } from '../cancelling.ts';
import { uuidInput } from '../fields.ts';
import { tool } from '../tool.ts';

const row = z.object({
  id: z.string(),
  cancelled: z.boolean().describe('true: it will do nothing more'),
  what: z.string().describe('What became of it'),
});

export const cancel = tool({
  name: 'cancel',
  title: 'Cancel',
  description:
    'Cancels orders, triggers, alerts, schedules, ladders and executions by id, or all of yours with all_mine. What was traded before stays. The answer says of each what became of it.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  trades: true,
  input: z
    .object({
      ids: z
        .array(uuidInput('Id of what to cancel'))
        .max(50)
        .default([])
        .describe('Ids: list_activity, list_alerts'),
      all_mine: z.boolean().default(false).describe('true: everything that you placed and that waits'),
    })
    .strict(),
  output: z.object({ rows: z.array(row) }),
  async run(context, { ids, all_mine }) {
    const wanted = new Set(ids.map((id) => id.toLowerCase()));
    if (all_mine) for (const id of await idsOfMine(context)) wanted.add(id);
    const all: Cancelling[] = [];
    for (const id of wanted) all.push(await cancelOne(context, id));
    const rows = all.map(({ row: one }) => one);
    const over = all.filter(({ hadEnded }) => hadEnded).length;
    const done = rows.filter(({ cancelled }) => cancelled).length - over;
    const ended = over === 0 ? '' : ` ${over} HAD ENDED BEFORE.`;
    const first = rows.length === 0 ? 'NOTHING TO CANCEL.' : `CANCELLED ${done} of ${rows.length}.${ended}`;
    return { data: { rows }, text: [first, ...rows.map(({ id, what }) => `- ${id}: ${what}`)].join('\n') };
  },
});
