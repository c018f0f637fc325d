import { moneyWord } from '../account-mark.ts';
import { type ApprovalAnswer, read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, LIMIT_FLAG, limitOf, printAnswer, printList } from '../command.ts';
import { protectionFields } from '../protection-words.ts';
import { usd } from '../readable-numbers.ts';
import { EMAIL_FLAG, withPerson } from '../sign-in.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<ApprovalAnswer>[] = [
  { title: 'STATUS', cell: (row) => row.status },
  { title: 'WHO (UNVERIFIED)', cell: (row) => row.asker.name },
  { title: 'ACCOUNT', cell: (row) => `${moneyWord(row.account)}: ${row.account.alias ?? 'removed'}` },
  { title: 'KIND', cell: (row) => row.kind },
  { title: 'COUNTS AS USD', align: 'right', cell: (row) => usd(row.plan.worstUsd) },
  {
    title: 'PROTECTION AFTER',
    cell: (row) =>
      protectionFields(row.protection)
        .map((words) => words.join(' '))
        .join('; '),
  },
  { title: 'EXPIRES', cell: (row) => row.expiresAt },
  { title: 'ID', cell: (row) => row.id },
];

export const command: Command = {
  usage: 'approvals',
  about: [
    'Lists the orders of agents and programs that wait for you, and those that were decided.',
    'A person has to type the password: an agent with a shell must not be able to decide about its own orders.',
  ],
  flags: [LIMIT_FLAG, EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [0, 0],
  async run(context) {
    const query = { limit: limitOf(context) };
    const answer = await withPerson(context, ({ call }) => call('GET /approvals', { query }));
    printAnswer(context, answer, () => {
      const { approvals, nextCursor } = read('GET /approvals', answer);
      printList(context, approvals, COLUMNS, 'Nothing waits for you.', nextCursor);
    });
    return 0;
  },
};
