/** The user’s API keys, and reading them again after a change. */
import type { Answer } from '../../../gateway/client/client.ts';
import { queries } from '../../api/client.ts';

export type ApiKey = Answer<'GET /api-keys'>['apiKeys'][number];

export function readKeysAnew(): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'GET /api-keys' });
}
