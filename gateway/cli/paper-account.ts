/** Common parts of the commands about faults: their paper account, and a fault in words. */
import type { FaultAnswer } from './answers.ts';
import { usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import { shortId } from './ids.ts';
import { type AccountAccess, accountApi } from './reach-gateway.ts';
import { second } from './resting.ts';
import type { Column } from './table.ts';

/** @throws CliError (exit code 2) for a live account: nothing of it can be made to fail */
export async function paperAccountApi(context: CommandContext): Promise<AccountAccess> {
  const access = await accountApi(context);
  if (access.account.mode !== 'PAPER') throw usage('only a paper account takes faults');
  return access;
}

export const FAULT_COLUMNS: readonly Column<FaultAnswer>[] = [
  { title: 'FAULT', cell: faultWord },
  { title: 'SYMBOL', cell: (row) => row.symbol ?? 'any' },
  { title: 'ORDERS LEFT', align: 'right', cell: (row) => row.times },
  { title: 'ENDS (UTC)', cell: (row) => second(row.endsAt) },
  { title: 'ID', cell: (row) => shortId(row.id) },
];

function faultWord({ kind, fraction, executed }: FaultAnswer): string {
  if (kind === 'PARTIAL_FILL') return `${kind} ${fraction}`;
  return kind === 'UNKNOWN_OUTCOME' && executed === false ? `${kind} (never arrives)` : kind;
}
