import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { approvalId } from '../print-approval.ts';
import { EMAIL_FLAG, withPerson } from '../sign-in.ts';

export const command: Command = {
  usage: 'deny <id>',
  about: ['Denies an order that waits for you: nothing is placed. A person has to type the password.'],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const wanted = context.flags.words[0] ?? '';
    const denied = await withPerson(context, async ({ call }) =>
      call('POST /approvals/{id}/deny', { params: { id: await approvalId(call, wanted) } }),
    );
    printAnswer(context, denied, () => context.terminal.out('Denied. Nothing was placed.'));
    return 0;
  },
};
