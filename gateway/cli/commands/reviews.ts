import { printAccountAnswer } from '../account-mark.ts';
import { read } from '../answers.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn, printList } from '../command.ts';
import { accountApi } from '../reach-gateway.ts';
import { price, quantity } from '../readable-numbers.ts';

export const command: Command = {
  usage: 'reviews [--resolve]',
  about: [
    'Lists fills that the venue gave the id of an earlier one: it has lost its history. They are counted.',
    'Compare the account with the venue, then --resolve says that you have: warnings of it end, nothing else changes.',
  ],
  flags: [
    { name: '--resolve', kind: 'switch', help: 'Everything that is listed has been looked at' },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { api, account } = await accountApi(context);
    const answer = await api.call('GET /sync/reviews');
    const { reviews } = read('GET /sync/reviews', answer);
    if (isOn(context, '--resolve') && reviews.length > 0) {
      // Only the listed reviews are resolved: newer ones have not been looked at.
      const body = { ids: reviews.slice(0, 1_000).map(({ id }) => id) };
      const told = await api.call('POST /sync/reviews/resolve', { body });
      const { resolved } = read('POST /sync/reviews/resolve', told);
      printAccountAnswer(context, account, told, () => context.terminal.out(`Resolved ${resolved}.`));
      return 0;
    }
    printAccountAnswer(context, account, answer, () =>
      printList(
        context,
        reviews,
        [
          { title: 'TIME', cell: (row) => row.timestamp },
          { title: 'SIDE', cell: (row) => row.side },
          { title: 'QUANTITY', align: 'right', cell: (row) => quantity(row.quantity) },
          { title: 'SYMBOL', cell: (row) => row.symbol },
          { title: 'PRICE', align: 'right', cell: (row) => price(row.price) },
          { title: 'TRADE ID', cell: (row) => row.tradeId },
          {
            title: 'STOOD FOR',
            cell: ({ known }) => `${known.side} ${quantity(known.quantity)} ${known.symbol}`,
          },
        ],
        'Nothing to review.',
      ),
    );
    return 0;
  },
};
