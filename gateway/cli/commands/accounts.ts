import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer, printList } from '../command.ts';
import { keyedApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'accounts',
  about: ['Lists the trade accounts that your key reaches.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const answer = await keyedApi(context).call('GET /trade-accounts');
    printAnswer(context, answer, () =>
      printList(
        context,
        read('GET /trade-accounts', answer).tradeAccounts,
        [
          { title: 'ALIAS', cell: (row) => row.alias },
          { title: 'CONNECTOR', cell: (row) => row.connector },
          { title: 'MODE', cell: moneyWord },
          { title: 'STATUS', cell: (row) => row.status },
          { title: 'ID', cell: (row) => row.id },
        ],
        'No trade accounts.',
      ),
    );
    return 0;
  },
};
