/** Previews a change of a position; nothing is ordered. */
import { accountNamed } from '../accounts.ts';
import { changeInput } from '../change-input.ts';
import { plannedChange } from '../change-plans.ts';
import { keepPreview } from '../keep-preview.ts';
import { previewOut } from '../preview-out.ts';
import { tool } from '../tool.ts';

export const previewChange = tool({
  name: 'preview_change',
  title: 'Preview a change',
  description:
    'Previews closing, reducing, increasing, reversing, protecting, rebalancing or margining a position. Orders nothing. place_order orders it with the preview_id.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  trades: true,
  input: changeInput,
  output: previewOut,
  async run(context, asked) {
    const account = await accountNamed(context.ask, asked.account);
    const position = await context.ask('GET /positions/:id', {
      account: account.id,
      params: { id: asked.position_id },
    });
    return keepPreview(context, await plannedChange(context, account, position, asked));
  },
});
