import { printAccountAnswer } from '../account-mark.ts';
import { type FundingAnswer, read } from '../answers.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, LIMIT_FLAG, limitOf, printList } from '../command.ts';
import { shortId } from '../ids.ts';
import { basketName } from '../open-position.ts';
import { accountApi } from '../reach-gateway.ts';
import { signedTinyUsd, usd } from '../readable-numbers.ts';
import { second } from '../resting.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<FundingAnswer>[] = [
  { title: 'PAID (UTC)', cell: (row) => second(row.timestamp) },
  { title: 'TICKER', cell: (row) => row.ticker },
  { title: 'SIDE', cell: (row) => row.side && (row.side === 'BUY' ? 'long' : 'short') },
  { title: 'NOTIONAL USD', align: 'right', cell: (row) => usd(row.notional) },
  { title: 'RATE', align: 'right', cell: (row) => row.rate },
  { title: 'AMOUNT USD', align: 'right', cell: (row) => signedTinyUsd(row.amount) },
  { title: 'BASKET', cell: (row) => (row.legs.length === 0 ? row.paidOn.toLowerCase() : basketName(row)) },
  { title: 'POSITION', cell: (row) => row.positionId && shortId(row.positionId) },
];

export const command: Command = {
  usage: 'funding [--from <day>] [--until <day>]',
  about: [
    'Lists funding payments, newest first, each on the basket that held it, and what all of that time come to.',
    'Amounts are US dollars: above zero was received, below paid. The rate is of one interval; above zero, longs pay.',
  ],
  flags: [
    {
      name: '--from',
      kind: 'text',
      fields: ['startDate'],
      value: '<day>',
      help: 'From this day (UTC) or moment on: 2026-01-31',
    },
    {
      name: '--until',
      kind: 'text',
      fields: ['endDate'],
      value: '<day>',
      help: 'Until this day (UTC) or moment, inclusive',
    },
    LIMIT_FLAG,
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const limit = limitOf(context);
    const { texts } = context.flags;
    const [startDate, endDate] = [texts.get('--from'), texts.get('--until')];
    const { api, account } = await accountApi(context);
    const answer = await api.call('GET /funding/payments', {
      query: {
        limit,
        ...(startDate === undefined ? {} : { startDate }),
        ...(endDate === undefined ? {} : { endDate }),
      },
    });
    printAccountAnswer(context, account, answer, () => {
      const { payments, total, nextCursor } = read('GET /funding/payments', answer);
      printList(context, payments, COLUMNS, 'No funding payments.', nextCursor);
      if (payments.length > 0) context.terminal.out(`total ${signedTinyUsd(total)} USD`);
    });
    return 0;
  },
};
