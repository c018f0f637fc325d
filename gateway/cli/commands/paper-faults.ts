import { printAccountAnswer } from '../account-mark.ts';
import { read } from '../answers.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, printList } from '../command.ts';
import { FAULT_COLUMNS, paperAccountApi } from '../paper-account.ts';

export const command: Command = {
  usage: 'paper faults',
  about: ['Lists the faults that are on for a paper account.'],
  flags: [ACCOUNT_FLAG, ...CLIENT_FLAGS],
  words: [0, 0],
  async run(context) {
    const { api, account } = await paperAccountApi(context);
    const answer = await api.call('GET /trade-accounts/{id}/paper/faults', { params: { id: account.id } });
    printAccountAnswer(context, account, answer, () => {
      const { paperFaults } = read('GET /trade-accounts/{id}/paper/faults', answer);
      printList(context, paperFaults, FAULT_COLUMNS, 'No fault is on.');
    });
    return 0;
  },
};
