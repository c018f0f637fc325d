/**
 * Holds every answer against the contract's schema: `createClient({ checkAnswer: checkAgainstContract })`. For tests of a
 * bot and for finding out why one breaks; it brings zod and all schemas along, and a newer gateway may add fields.
 */
import { EVERY_ROUTE } from '../contract/every-route.ts';
import { UnexpectedAnswer } from './errors.ts';
import type { AnswerCheck } from './transport.ts';

/** @throws UnexpectedAnswer when the answer is not what the contract says */
export const checkAgainstContract: AnswerCheck = (name, status, answer) => {
  const schema = EVERY_ROUTE.get(name)?.success[status];
  if (schema === undefined) throw new UnexpectedAnswer(`${name}: status ${status} is not in the contract`);
  const verdict = schema?.safeParse(answer);
  if (verdict?.success === false || (schema === null && answer !== undefined))
    throw new UnexpectedAnswer(`${name}: ${verdict?.error?.message ?? 'a body where none was promised'}`);
};
