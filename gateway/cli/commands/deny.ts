import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { EMAIL_FLAG, withPerson } from '../sign-in.ts';

export const command: Command = {
  usage: 'deny <id>',
  about: ['Denies an order that waits for you: nothing is placed. A person has to type the password.'],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const params = { id: context.flags.words[0] ?? '' };
    const denied = await withPerson(context, ({ call }) => call('POST /approvals/{id}/deny', { params }));
    printAnswer(context, denied, () => context.terminal.out('Denied. Nothing was placed.'));
    return 0;
  },
};
