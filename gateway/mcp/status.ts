/** Status of an id, for every kind of object. */
import { accountOut, accountsOf } from './accounts.ts';
import type { AccountOut } from './fields.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { placedUnder } from './placed.ts';
import { type Asking, READERS, type ReadKind } from './readers.ts';

/** null: nothing that the caller reaches has this id. */
export async function statusOf(context: Asking, id: string): Promise<Outcome | null> {
  const accounts = (await accountsOf(context.ask)).map(accountOut);
  const preview = context.previews.get(id);
  const placed = await placedUnder(context, accounts, id);
  if (placed !== null) return placed;
  if (preview !== undefined) return previewStatus(preview, accounts);
  for (const account of accounts) {
    for (const kind of Object.keys(READERS) as ReadKind[]) {
      const outcome = await READERS[kind](context, account, id);
      if (outcome !== null) return outcome;
    }
  }
  return null;
}

function previewStatus(
  { id, accountId, summary, expiresAt }: NonNullable<ReturnType<Asking['previews']['get']>>,
  accounts: readonly AccountOut[],
): Outcome {
  return outcomeOf({
    outcome: 'NOTHING_ORDERED',
    money_moved: 'no',
    kind: 'preview',
    id,
    account: accounts.find((account) => account.id === accountId) ?? null,
    asked: summary,
    reason: `It is a preview that was not placed; it can be until ${new Date(expiresAt).toISOString()}`,
    next: 'Call place_order with this preview_id and its summary, or leave it.',
  });
}
