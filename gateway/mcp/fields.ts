/** Fields that several tools share: inputs with their unit and an example, and parts that every answer repeats. */
import { z } from 'zod';

const DECIMAL = /^\d{1,20}(\.\d{1,18})?$/;

function amount(description: string) {
  return z
    .string()
    .regex(DECIMAL, 'Expected a decimal in a text, without sign and exponent')
    .refine((value) => !/^[0.]*$/.test(value), 'Must be greater than 0')
    .describe(description);
}

export const usdAmount = (what: string) => amount(`${what}, USD, for example "500"`);
export const plainAmount = (what: string, example: string) => amount(`${what}, for example "${example}"`);
export const uuidInput = (what: string) =>
  z.uuid(`Expected an id such as "3f0c5a1e-…": ${what}`).describe(what);

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
export const slippagePct = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,6})?$/, 'Expected percent in a text')
  .describe('How far from the mark price it may fill, percent, for example "1"; at most "10"');

export const money = z.enum(['PLAY MONEY', 'REAL MONEY']);

/** The account of an answer, always with its kind of money. */
export const accountOut = z.object({
  id: z.string(),
  alias: z.string().describe('untrusted: a name that its user gave it'),
  venue: z.string(),
  money,
});
export type AccountOut = z.input<typeof accountOut>;

export const nullableText = z.string().nullable();
