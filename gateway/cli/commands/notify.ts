import { read } from '../answers.ts';
import { CLIENT_FLAGS, type Command, printAnswer, printList } from '../command.ts';
import { CHANNEL_COLUMNS } from '../destinations.ts';
import { keyedApi } from '../reach-gateway.ts';

export const command: Command = {
  usage: 'notify',
  about: ['Lists where notifications are sent: ntfy, Telegram, Discord. `tandem notify add` makes one.'],
  flags: CLIENT_FLAGS,
  words: [0, 0],
  async run(context) {
    const answer = await keyedApi(context).call('GET /notification-channels');
    printAnswer(context, answer, () =>
      printList(
        context,
        read('GET /notification-channels', answer).notificationChannels,
        CHANNEL_COLUMNS,
        'No notification channels.',
      ),
    );
    return 0;
  },
};
