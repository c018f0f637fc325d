/** What the caller's user allows it, with what is used of it. */
import { z } from 'zod';
import type { ToolContext } from './tool.ts';

export const limitsOut = z.object({
  set: z.boolean().describe('false: the user has set no limits for this connection'),
  words: z.string(),
  rows: z.array(
    z.object({
      name: z.string(),
      allowed: z.string(),
      used: z.string().nullable(),
      left: z.string().nullable(),
    }),
  ),
});
export type Limits = z.input<typeof limitsOut>;

export const NO_LIMITS: Limits = { set: false, words: 'No limits are set for this connection.', rows: [] };

export async function limitsOf(_context: Pick<ToolContext, 'ask' | 'principal'>): Promise<Limits> {
  return NO_LIMITS;
}
