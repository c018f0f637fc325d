import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer, printList } from '../command.ts';
import { shortId } from '../ids.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

export const command: Command = {
  usage: 'keys list',
  about: ['Lists your API keys (you sign in for it: keys cannot list keys).'],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [0, 0],
  async run(context) {
    const answer = await withSession(context, false, ({ call }) => call('GET /api-keys'));
    printAnswer(context, answer, () =>
      printList(
        context,
        read('GET /api-keys', answer).apiKeys,
        [
          { title: 'LABEL', cell: (row) => row.label },
          { title: 'SCOPE', cell: (row) => row.scope },
          { title: 'KEY', cell: (row) => `${row.keyPrefix}…` },
          { title: 'EXPIRES', cell: (row) => row.expiresAt ?? 'never' },
          { title: 'LAST USED', cell: (row) => row.lastUsedAt ?? 'never' },
          { title: 'ID', cell: (row) => shortId(row.id) },
        ],
        'No API keys.',
      ),
    );
    return 0;
  },
};
