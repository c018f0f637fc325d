/** Outcome of whatever an id names. */
import { z } from 'zod';
import { notFoundFault } from '../not-found.ts';
import { outcomeOut, outcomeText } from '../outcome.ts';
import { statusOf } from '../status.ts';
import { tool } from '../tool.ts';

export const idInput = z
  .uuid('Expected an id, for example "3f0c5a1e-8c1d-4f7e-9d2a-0b1c2d3e4f50"')
  .describe('Id of an execution, trigger, alert, schedule, ladder, position, order, preview or approval');

export const getStatus = tool({
  name: 'get_status',
  title: 'Status',
  description:
    'The one truth about an id: what became of an execution, trigger, alert, schedule, ladder, position, order, preview or approval. Ask with the preview_id when the answer of place_order was lost.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.object({ id: idInput }).strict(),
  output: outcomeOut,
  async run(context, { id }) {
    const outcome = await statusOf(context, id.toLowerCase());
    if (outcome === null) throw notFoundFault(id);
    return { data: outcome, text: outcomeText(outcome) };
  },
});
