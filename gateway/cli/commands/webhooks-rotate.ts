import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { named, WEBHOOKS } from '../destinations.ts';
import { keyedApi } from '../reach-gateway.ts';
import { wholeOf } from '../resting.ts';

export const command: Command = {
  usage: 'webhooks rotate [<id|name>]',
  about: ['Gives a webhook a new secret. Until the old one ends, deliveries are signed with both.'],
  flags: [
    {
      name: '--keep',
      kind: 'text',
      value: '<seconds>',
      help: 'How long the old one still signs, up to 604800; 0: not at all (86400)',
    },
    ...CLIENT_FLAGS,
  ],
  words: [0, 1],
  async run(context) {
    const keep = wholeOf(context, '--keep', [0, 604_800]);
    const api = keyedApi(context);
    const { id } = await named(WEBHOOKS, api, context.flags.words[0]);
    const answer = await api.call('POST /webhooks/{id}/rotate-secret', {
      params: { id },
      body: keep === undefined ? {} : { keepPreviousSeconds: keep },
    });
    printAnswer(context, answer, () => {
      const { secret, previousUntil } = read('POST /webhooks/{id}/rotate-secret', answer);
      context.terminal.out(`New secret, shown only now: ${secret}`);
      context.terminal.out(`The old one ends ${previousUntil}.`);
    });
    return 0;
  },
};
