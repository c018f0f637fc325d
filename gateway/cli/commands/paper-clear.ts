import { printAccountAnswer } from '../account-mark.ts';
import { read } from '../answers.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command } from '../command.ts';
import { paperAccountApi } from '../paper-account.ts';

export const command: Command = {
  usage: 'paper clear',
  about: ['Ends all faults of a paper account.'],
  flags: [ACCOUNT_FLAG, ...CLIENT_FLAGS],
  words: [0, 0],
  async run(context) {
    const { api, account } = await paperAccountApi(context);
    const answer = await api.call('DELETE /trade-accounts/{id}/paper/faults', { params: { id: account.id } });
    const { ended } = read('DELETE /trade-accounts/{id}/paper/faults', answer);
    printAccountAnswer(context, account, answer, () => context.terminal.out(`Ended ${ended}.`));
    return 0;
  },
};
