/** The trading pause as the command line shows it. */
import { NothingToDo } from '../client/errors.ts';
import type { Call } from '../client/route-types.ts';
import type { SafetyAnswer } from './answers.ts';
import { CliError } from './cli-error.ts';
import { type CommandContext, printAnswer } from './command.ts';
import { quantity } from './readable-numbers.ts';
import { renderTable } from './table.ts';

/** The requested state holds already, which is no failure. */
export async function unlessSoAlready(
  call: Call,
  change: () => Promise<SafetyAnswer>,
): Promise<SafetyAnswer> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof CliError && error.cause instanceof NothingToDo) return call('GET /safety');
    throw error;
  }
}

export function printSafety(context: CommandContext, safety: SafetyAnswer): void {
  printAnswer(context, safety, () => {
    for (const line of safetyLines(safety)) context.terminal.out(line);
  });
}

export function safetyLines({ paused, pausedAt, panic }: SafetyAnswer): string[] {
  return [
    paused
      ? `Paused since ${pausedAt ?? 'now'}: nothing opens, closing goes on.`
      : 'Trading goes on: new orders are taken.',
    ...(panic === null ? [] : [`Panic: ${panic.status}`]),
    ...(panic === null || panic.left.length === 0
      ? []
      : renderTable(
          [
            { title: 'STILL OPEN', cell: (row) => row.symbol },
            { title: 'QUANTITY', align: 'right', cell: (row) => quantity(row.quantity) },
            { title: 'SOURCE', cell: (row) => row.source },
            { title: 'WHY', cell: (row) => row.reason },
          ],
          panic.left,
        )),
  ];
}
