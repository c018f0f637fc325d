import { printAccountAnswer } from '../account-mark.ts';
import { read, type TriggerAnswer } from '../answers.ts';
import {
  ACCOUNT_FLAG,
  CLIENT_FLAGS,
  type Command,
  isOn,
  LIMIT_FLAG,
  limitOf,
  printList,
} from '../command.ts';
import { shortId } from '../ids.ts';
import { basketName } from '../open-position.ts';
import { accountApi } from '../reach-gateway.ts';
import { price } from '../readable-numbers.ts';
import { second, waitsFor } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<TriggerAnswer>[] = [
  { title: 'STATUS', cell: (row) => (row.pauseReason ? `${row.status} (${row.pauseReason})` : row.status) },
  { title: 'DOES', cell: (row) => (row.kind === 'OPEN' ? 'open' : 'close') },
  { title: 'BASKET', cell: basketName },
  { title: 'WHEN', cell: waitsFor },
  { title: 'LAST SEEN', align: 'right', cell: (row) => price(row.lastValue) },
  { title: 'EXPIRES (UTC)', cell: (row) => second(row.expiresAt) ?? 'never' },
  { title: 'ID', cell: (row) => shortId(row.id) },
  { title: 'PROBLEM', cell: (row) => row.error || ' ' },
];

export const command: Command = {
  usage: 'triggers [--all]',
  about: [
    'Lists the triggers that wait, newest first: baskets on a condition, take-profits, stop-losses and rungs of ladders.',
  ],
  flags: [
    { name: '--all', kind: 'switch', help: 'Also those that have ended' },
    LIMIT_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const limit = limitOf(context);
    const { api, account } = await accountApi(context);
    const status = isOn(context, '--all') ? {} : { status: 'ACTIVE,PAUSED,TRIGGERED' };
    const answer = await api.call('GET /triggers', { query: { limit, ...status } });
    printAccountAnswer(context, account, answer, () => {
      const { triggers, nextCursor } = read('GET /triggers', answer);
      printList(context, triggers, COLUMNS, 'Nothing waits.', nextCursor);
    });
    return 0;
  },
};
