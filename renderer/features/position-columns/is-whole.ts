/** Completeness of a position's legs. */
import type { Row } from '../../../gateway/client/client.ts';

type Position = Row<'GET /positions'>;

/** True: all legs are held, or were until the close. Figures of some legs alone are not a ratio of the basket. */
export function isWhole({ legs, status }: Pick<Position, 'legs' | 'status'>): boolean {
  return status === 'CLOSED' || legs.every(({ quantity }) => Number(quantity) > 0);
}

/** Reason for a missing ratio. */
export const NOT_WHOLE = 'a leg is not held: what the others come to is no ratio of the basket';
