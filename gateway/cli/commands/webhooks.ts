import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer, printList } from '../command.ts';
import { WEBHOOK_COLUMNS } from '../destinations.ts';
import { keyedApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'webhooks',
  about: ['Lists the addresses that your events are sent to. `tandem webhooks add` makes one.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const answer = await keyedApi(context).call('GET /webhooks');
    printAnswer(context, answer, () =>
      printList(context, read('GET /webhooks', answer).webhooks, WEBHOOK_COLUMNS, 'No webhooks.'),
    );
    return 0;
  },
};
