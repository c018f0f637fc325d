import { printAccountAnswer } from '../account-mark.ts';
import { read, type ScheduleAnswer } from '../answers.ts';
import {
  ACCOUNT_FLAG,
  CLIENT_FLAGS,
  type Command,
  type CommandContext,
  isOn,
  LIMIT_FLAG,
  limitOf,
  printList,
} from '../command.ts';
import { chooseById, shortId } from '../ids.ts';
import { basketName, EVERY } from '../open-position.ts';
import { type AccountAccess, accountApi } from '../reach-gateway.ts';
import { usd } from '../readable-numbers.ts';
import { second } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<ScheduleAnswer>[] = [
  { title: 'STATUS', cell: (row) => (row.pauseReason ? `${row.status} (${row.pauseReason})` : row.status) },
  { title: 'DOES', cell: (row) => (row.kind === 'OPEN' ? 'open' : 'close') },
  { title: 'BASKET', cell: basketName },
  { title: 'TOTAL USD', align: 'right', cell: (row) => usd(row.totalUsd) },
  { title: 'FILLED USD', align: 'right', cell: (row) => usd(row.filledUsd) },
  { title: 'SLICES', align: 'right', cell: (row) => `${row.slicesCompleted}/${row.sliceCount}` },
  { title: 'NEXT (UTC)', cell: (row) => second(row.nextSliceAt) },
  { title: 'ID', cell: (row) => shortId(row.id) },
  { title: 'PROBLEM', cell: (row) => row.error || ' ' },
];

export const command: Command = {
  usage: 'twap [<id>] [--all]',
  about: ['Lists the TWAPs that run or are paused, newest first; with an id, one of them with its slices.'],
  flags: [
    { name: '--all', kind: 'switch', help: 'Also those that have ended' },
    LIMIT_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 1],
  async run(context) {
    const limit = limitOf(context);
    const access = await accountApi(context);
    const { api, account } = access;
    const wanted = context.flags.words[0];
    if (wanted !== undefined) return showOne(context, access, wanted);
    const status = isOn(context, '--all') ? {} : { status: 'ACTIVE,PAUSED' };
    const answer = await api.call('GET /schedules', { query: { limit, ...status } });
    printAccountAnswer(context, account, answer, () => {
      const { schedules, nextCursor } = read('GET /schedules', answer);
      printList(context, schedules, COLUMNS, 'No TWAP runs.', nextCursor);
    });
    return 0;
  },
};

async function showOne(
  context: CommandContext,
  { api, account }: AccountAccess,
  wanted: string,
): Promise<number> {
  const all = await api.call('GET /schedules', { query: { limit: EVERY } });
  const { id } = chooseById(read('GET /schedules', all).schedules, wanted, 'TWAP', 'tandem twap --all');
  const answer = await api.call('GET /schedules/{id}', { params: { id } });
  printAccountAnswer(context, account, answer, () => {
    const one = read('GET /schedules/{id}', answer);
    printList(context, [one], COLUMNS, '');
    context.terminal.out('');
    printList(
      context,
      one.slices,
      [
        { title: 'SLICE', align: 'right', cell: (slice) => slice.index + 1 },
        { title: 'DUE (UTC)', cell: (slice) => second(slice.scheduledAt) },
        { title: 'STATUS', cell: (slice) => slice.status },
        { title: 'FILLED USD', align: 'right', cell: (slice) => usd(slice.filledUsd) },
        { title: 'EXECUTION', cell: (slice) => (slice.executionId ? shortId(slice.executionId) : null) },
        { title: 'PROBLEM', cell: (slice) => slice.error || ' ' },
      ],
      'No slices.',
    );
  });
  return 0;
}
