/** Holdings of an account that no basket explains, as the gateway knows them without asking a venue. */
import type { Answer } from '../../../gateway/client/client.ts';
import { useGet } from '../../api/queries.ts';

export type AccountDifferences = Answer<'GET /sync/differences'>['accounts'][number];
export type Difference = AccountDifferences['differences'][number];

const EVERY_MS = 5_000;
const NONE: readonly AccountDifferences[] = [];

/** Accounts with at least one difference. */
export function useDifferences(): readonly AccountDifferences[] {
  const { data } = useGet('GET /sync/differences', {}, { shared: true, refetchEvery: EVERY_MS });
  return data?.accounts.filter(({ differences }) => differences.length > 0) ?? NONE;
}
