import { printAccountAnswer, warnOfVenue } from '../account-mark.ts';
import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import { chooseById } from '../ids.ts';
import { EVERY } from '../open-position.ts';
import { accountApi } from '../reach-gateway.ts';
import { second, waitsFor } from '../resting.ts';

export const command: Command = {
  usage: 'alerts change <id> [--level <value>] [--expires <time>|never]',
  about: ['Moves the level or the expiry of an alert that waits; what is left out stays.'],
  flags: [
    {
      name: '--level',
      kind: 'text',
      fields: ['condition.value'],
      value: '<value>',
      help: 'The new level',
    },
    {
      name: '--expires',
      kind: 'text',
      fields: ['expiresAt'],
      value: '<time>',
      help: 'Ends then, or never',
    },
    {
      name: '--now',
      kind: 'switch',
      fields: ['allowImmediate'],
      help: 'Tell at once if the level is passed already; else that is refused',
    },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const value = context.flags.texts.get('--level');
    const expires = context.flags.texts.get('--expires');
    if (value === undefined && expires === undefined) throw usage('name --level, --expires, or both');
    const { api, account } = await accountApi(context);
    const query = { limit: EVERY, status: 'ACTIVE,PAUSED' };
    const { alerts } = read('GET /alerts', await api.call('GET /alerts', { query }));
    const { id } = chooseById(alerts, context.flags.words[0] ?? '', 'alert', 'tandem alerts');
    warnOfVenue(context, account);
    const answer = await api.call('PATCH /alerts/{id}', {
      params: { id },
      body: {
        ...(value === undefined ? {} : { condition: { value } }),
        ...(expires === undefined ? {} : { expiresAt: expires === 'never' ? null : expires }),
        allowImmediate: isOn(context, '--now'),
      },
    });
    printAccountAnswer(context, account, answer, () => {
      const { condition, status, expiresAt } = read('PATCH /alerts/{id}', answer);
      const words = waitsFor({ condition, bracket: null, bracketType: null });
      const until = second(expiresAt);
      context.terminal.out(`Alert ${id}  ${status}  ${words}${until === null ? '' : `  until ${until} UTC`}`);
    });
    return 0;
  },
};
