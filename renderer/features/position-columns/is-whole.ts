/** Whether a position holds what its name says. */
import type { Row } from '../../../gateway/client/client.ts';

type Position = Row<'GET /positions'>;

/** The figures of some of the legs alone are no ratio of the basket; those of a position that is closed are of all its legs. */
export function isWhole({ legs, status }: Pick<Position, 'legs' | 'status'>): boolean {
  return status === 'CLOSED' || legs.every(({ quantity }) => Number(quantity) > 0);
}

/** Why there is none. */
export const NOT_WHOLE = 'a leg is not held: what the others come to is no ratio of the basket';
