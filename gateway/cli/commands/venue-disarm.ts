import { read } from '../answers.ts';
import { armingLine } from '../arming-answer.ts';
import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { chooseAccount, keyedApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'venue disarm <account>',
  about: ['From now on nothing opens on a live account. Positions stay, and everything still closes.'],
  flags: CLIENT_FLAGS,
  words: [1, 1],
  async run(context) {
    const { call } = keyedApi(context);
    const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
    const account = chooseAccount(tradeAccounts, context.flags.words[0]);
    const answer = await call('DELETE /trade-accounts/{id}/arming', { params: { id: account.id } });
    const { mode, network } = account;
    printAnswer(context, { ...answer, mode, network }, () =>
      context.terminal.out(armingLine(account, read('GET /trade-accounts/{id}/arming', answer))),
    );
    return 0;
  },
};
