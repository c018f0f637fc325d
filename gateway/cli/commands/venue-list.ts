import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer, printList } from '../command.ts';
import { anonymousApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'venue list',
  about: ['Lists the venues of this gateway. No key is needed.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const answer = await anonymousApi(context).call('GET /connectors');
    printAnswer(context, answer, () =>
      printList(
        context,
        read('GET /connectors', answer).connectors,
        [
          { title: 'CONNECTOR', cell: (row) => row.id },
          { title: 'NAME', cell: (row) => row.displayName },
          { title: 'MODE', cell: moneyWord },
          { title: 'STATUS', cell: (row) => row.status },
          { title: 'ORDERS', cell: (row) => row.trading },
          { title: 'REASON', cell: (row) => row.reason || ' ' },
        ],
        'No venues.',
      ),
    );
    return 0;
  },
};
