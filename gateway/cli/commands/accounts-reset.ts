import { printAccountAnswer } from '../account-mark.ts';
import { read } from '../answers.ts';
import { CliError, usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, isOn, YES_FLAG } from '../command.ts';
import { chooseAccount, keyedApi } from '../reach-gateway.ts';
import { stripControls } from '../table.ts';

export const command: Command = {
  usage: 'accounts reset <account>',
  about: ['Sets a paper account back to its starting balance. It asks first; --yes does without.'],
  flags: [YES_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const { call } = keyedApi(context);
    const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
    const account = chooseAccount(tradeAccounts, context.flags.words[0]);
    if (account.mode !== 'PAPER') throw usage('only a paper account can be reset');
    if (!isOn(context, '--yes')) {
      if (!context.terminal.canAsk) throw usage('say --yes where nobody can be asked');
      const said = await context.terminal.ask(`Reset '${stripControls(account.alias)}'? [y/N] `);
      if (!/^y(es)?$/i.test(said.trim())) throw new CliError('nothing was reset');
    }
    const answer = await call('POST /trade-accounts/{id}/paper/reset', { params: { id: account.id } });
    printAccountAnswer(context, account, answer, () => context.terminal.out('Reset.'));
    return 0;
  },
};
