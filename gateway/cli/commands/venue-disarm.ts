import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { keyedApi } from '../reach-gateway.ts';
import { accountOf } from '../venue-accounts.ts';

export const command: Command = {
  usage: 'venue disarm <account>',
  about: ['Nothing more is opened on the account; what is open can be closed as before.'],
  flags: CLIENT_FLAGS,
  words: [1, 1],
  async run(context) {
    const { call } = keyedApi(context);
    const accounts = read('GET /trade-accounts', await call('GET /trade-accounts')).tradeAccounts;
    const { id, alias } = accountOf(accounts, context.flags.words[0] ?? '');
    const answer = await call('DELETE /trade-accounts/{id}/arming', { params: { id } });
    printAnswer(context, read('DELETE /trade-accounts/{id}/arming', answer), () =>
      context.terminal.err(`'${alias}' opens nothing any more.`),
    );
    return 0;
  },
};
