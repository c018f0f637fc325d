/** Re-reads the routes that a change has made stale, on every screen that shows them. */
import { queries } from '../../api/client.ts';
import type { ReadRoute } from '../../api/queries.ts';

export function readAnew(...routes: readonly ReadRoute[]): Promise<void> {
  const old = new Set<unknown>(routes);
  return queries.invalidateQueries({ predicate: ({ queryKey }) => old.has(queryKey[1]) });
}
