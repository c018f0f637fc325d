import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { defaultConnector } from '../default-connector.ts';
import { keyedApi } from '../reach-gateway.ts';
import { stripControls } from '../table.ts';

export const command: Command = {
  usage: 'accounts add <alias> [--connector <id>]',
  about: ['Adds a paper account with 100,000 USDC. An account at a live venue: tandem venue connect.'],
  flags: [
    { name: '--alias', kind: 'text', fields: ['alias'], value: '<alias>', help: 'The same as the word' },
    {
      name: '--connector',
      kind: 'text',
      fields: ['connector'],
      value: '<id>',
      help: 'A paper venue (that of your account)',
    },
    ...CLIENT_FLAGS,
  ],
  words: [0, 1],
  async run(context) {
    const alias = context.flags.words[0] ?? context.flags.texts.get('--alias');
    if (alias === undefined) throw usage('say what it is called, as in: tandem accounts add second');
    const api = keyedApi(context);
    const connector = await defaultConnector(context, api);
    const body = { alias, connector };
    const answer = await api.call('POST /trade-accounts', { body });
    printAnswer(context, answer, () => {
      const { id, alias: called, ...money } = read('POST /trade-accounts', answer);
      context.terminal.out(`${moneyWord(money)}: ${stripControls(called)} (${connector})  ${id}`);
    });
    return 0;
  },
};
