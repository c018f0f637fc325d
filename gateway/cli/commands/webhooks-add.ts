import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { choicesOf, EVENT_NAMES } from '../destinations.ts';
import { accountApi, keyedApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'webhooks add <url> --event <name>',
  about: [
    'Sends events to an address: https, or http to this machine. Shows the secret that signs them, once.',
    `Events: ${EVENT_NAMES.join(', ')} (all).`,
  ],
  flags: [
    {
      name: '--event',
      kind: 'list',
      fields: ['events'],
      value: '<name>',
      help: 'An event, or several with commas; * is all',
    },
    { name: '--name', kind: 'text', fields: ['name'], value: '<text>', help: 'What you call it (the host)' },
    { ...ACCOUNT_FLAG, help: 'Only events of this trade account, by its alias or id (all)' },
    ...CLIENT_FLAGS,
  ],
  said: [{ name: 'the address', fields: ['url'] }],
  words: [1, 1],
  async run(context) {
    const events = choicesOf(context, '--event', EVENT_NAMES);
    if (events.length === 0) throw usage('say which events with --event, such as execution.completed or *');
    const name = context.flags.texts.get('--name');
    const body = {
      url: context.flags.words[0] ?? '',
      events: events as ('*' | 'execution.completed')[],
      ...(name === undefined ? {} : { name }),
      ...(context.flags.texts.has('--account')
        ? { tradeAccountIds: [(await accountApi(context)).account.id] }
        : {}),
    };
    const answer = await keyedApi(context).call('POST /webhooks', { body });
    printAnswer(context, answer, () => {
      const { id, secret } = read('POST /webhooks', answer);
      context.terminal.out(`Webhook ${id}`);
      context.terminal.out(`Secret, shown only now: ${secret}`);
      context.terminal.err('Try it: tandem webhooks test');
    });
    return 0;
  },
};
