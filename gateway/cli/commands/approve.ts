import { Refusal } from '../../client/errors.ts';
import type { Call } from '../../client/route-types.ts';
import { type ApprovalAnswer, read } from '../answers.ts';
import { CliError } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, printAnswer } from '../command.ts';
import { approvalId, approvalLines } from '../print-approval.ts';
import { EMAIL_FLAG, withPerson } from '../sign-in.ts';

/** Figures that move faster than a person reads are no figures to decide by. */
const MOST_LOOKS = 5;

export const command: Command = {
  usage: 'approve <id>',
  about: [
    'Shows an order that waits for you, asks, and places it. A person has to type the password.',
    'If the market moved meanwhile, the new figures are shown and asked about again.',
  ],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const id = context.flags.words[0] ?? '';
    const approved = await withPerson(context, async ({ call, password }) =>
      askUntilPlaced(context, call, await approvalId(call, id), password),
    );
    if (approved === null) {
      context.terminal.err('Nothing was decided: the order waits on.');
      return 1;
    }
    printAnswer(context, approved, () => context.terminal.out(`Approved. Placed as ${approved.madeId}.`));
    return 0;
  },
};

/** null: the person did not say yes. */
async function askUntilPlaced(
  context: CommandContext,
  call: Call,
  id: string,
  password: string,
): Promise<ApprovalAnswer | null> {
  const params = { id };
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const shown = read('GET /approvals/{id}', await call('GET /approvals/{id}', { params }));
    if (shown.status !== 'PENDING') throw new CliError(`it is ${shown.status} already`);
    for (const line of approvalLines(shown)) context.terminal.err(line);
    const yes = await context.terminal.ask('Approve this order? [y/N] ');
    if (!/^y(es)?$/i.test(yes.trim())) return null;
    try {
      const body = { planHash: shown.planHash, password };
      return read(
        'POST /approvals/{id}/approve',
        await call('POST /approvals/{id}/approve', { params, body }),
      );
    } catch (error) {
      if (!mustLookAgain(error)) throw error;
      context.terminal.err('The figures have changed. Look again.');
    }
  }
  throw new CliError('the market moves faster than it can be looked at; try again when it is calmer');
}

function mustLookAgain(error: unknown): boolean {
  if (!(error instanceof CliError && error.cause instanceof Refusal)) return false;
  const { details } = error.cause;
  const reason =
    typeof details === 'object' && details !== null && 'reason' in details ? details.reason : null;
  return reason === 'PRICE_MOVED' || reason === 'MANDATE_CHANGED' || reason === 'PLAN_CHANGED';
}
