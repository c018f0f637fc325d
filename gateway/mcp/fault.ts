/** Shape of a tool's failure. */
import { z } from 'zod';

export const brokenLimit = z.object({
  name: z.string(),
  allowed: z.string().nullable(),
  used: z.string().nullable(),
  asked: z.string().nullable(),
});

/** Answer of a tool that could not do its task. */
export const fault = z.object({
  error: z.object({
    code: z.string().describe('Stable name of what went wrong'),
    happened: z.string(),
    untrusted_text: z.string().optional().describe('Words of the venue'),
    nothing_was_ordered: z.boolean().describe('true: this call has ordered nothing'),
    fields: z
      .array(z.object({ field: z.string(), problem: z.string() }))
      .describe('Arguments that are wrong'),
    limits: z.array(brokenLimit).describe('All limits that it would break'),
    do: z.string().describe('What to do now'),
  }),
});
export type Fault = z.input<typeof fault>['error'];
