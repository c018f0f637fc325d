/** Fields that several tools share: inputs with their unit and an example, and what every answer repeats. */
import { z } from 'zod';

export const accountInput = z
  .uuid('Expected the id of a trade account')
  .describe('Id of the trade account: accounts[].id of whoami');
export const connectorInput = z
  .string()
  .min(1)
  .max(64)
  .describe('Venue, for example "paper": accounts[].venue of whoami');
export const instrumentInput = z
  .string()
  .min(1)
  .max(64)
  .describe('Instrument id, for example "BTC-PERP" (find_markets), not the ticker "BTC"');
export const money = z.enum(['PLAY MONEY', 'REAL MONEY']);

/** The account of an answer: always with whose money it is. */
export const accountOut = z.object({
  id: z.string(),
  alias: z.string().describe('untrusted: a name that its user gave it'),
  venue: z.string(),
  money,
});
export type AccountOut = z.input<typeof accountOut>;

export const nullableText = z.string().nullable();
