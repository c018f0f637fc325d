/** Input of `preview_change`: flat, one field per figure. */
import { z } from 'zod';
import { LEG_FAILURE_POLICIES } from '../domain/enumerations.ts';
import { accountInput, plainAmount, usdAmount, uuidInput } from './fields.ts';
import {
  keepWeightsFields,
  overTimeFields,
  protectionFields,
  slippageField,
  whenFields,
} from './trade-fields.ts';

export const changeInput = z
  .object({
    account: accountInput,
    position_id: uuidInput('Id of the position: list_positions'),
    action: z
      .enum(['close', 'reduce', 'increase', 'reverse', 'protect', 'rebalance', 'keep_weights', 'margin'])
      .describe('What to do with it'),
    pct: plainAmount('close, reduce, increase: how much of it, percent', '100').optional(),
    usd: usdAmount('reduce, increase: instead of pct').optional(),
    style: z
      .enum(['now', 'when', 'over_time'])
      .default('now')
      .describe('close: "now", "when" a condition is met, "over_time" in slices'),
    ...slippageField,
    on_leg_failure: z
      .enum(LEG_FAILURE_POLICIES)
      .optional()
      .describe(
        'When one leg fails. Default: "UNWIND" for increase and reverse, "RETRY" for close, reduce and rebalance, which take no UNWIND',
      ),
    carry_protection: z
      .boolean()
      .default(true)
      .describe('reverse: relative take-profit and stop-loss go over'),
    ...protectionFields,
    remove_take_profit: z.boolean().optional().describe('protect: true removes it'),
    remove_stop_loss: z.boolean().optional().describe('protect: true removes it'),
    rebalance_max_usd: usdAmount('rebalance: the most that it trades').optional(),
    ...keepWeightsFields,
    margin_instrument: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('margin: isolated leg, for example "BTC-PERP"'),
    margin_usd: z
      .string()
      .regex(/^-?\d{1,20}(\.\d{1,18})?$/, 'Expected a decimal in a text')
      .optional()
      .describe('margin: USD to add, or with "-" to take out, for example "50"'),
    ...whenFields,
    ...overTimeFields,
  })
  .strict();
export type ChangeInput = z.output<typeof changeInput>;
