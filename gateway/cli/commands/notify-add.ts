import { read } from '../answers.ts';
import { oneOf } from '../basket-flags.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, printAnswer } from '../command.ts';
import { choicesOf, KIND_NAMES } from '../destinations.ts';
import { keyedApi } from '../reach-gateway.ts';

const SERVICES = { ntfy: 'NTFY', telegram: 'TELEGRAM', discord: 'DISCORD' } as const;
const SECRET = 'TANDEM_NOTIFY_SECRET';

export const command: Command = {
  usage: 'notify add <ntfy|telegram|discord>',
  about: [
    'Sends notifications to a topic, bot or channel of your own. Then try it: tandem notify test',
    `A token, and the address of a Discord webhook, is asked for, or read from ${SECRET}: never given as a flag.`,
    `Kinds: ${KIND_NAMES.join(', ')}.`,
  ],
  flags: [
    {
      name: '--topic',
      kind: 'text',
      fields: ['to.topic'],
      value: '<topic>',
      help: 'Of ntfy: whoever knows it reads along',
    },
    {
      name: '--chat',
      kind: 'text',
      fields: ['to.chatId'],
      value: '<id>',
      help: 'Of Telegram: the id of the chat, or @channel',
    },
    {
      name: '--server',
      kind: 'text',
      fields: ['to.server'],
      value: '<url>',
      help: 'Your own server of ntfy or of the Bot API',
    },
    {
      name: '--kind',
      kind: 'list',
      fields: ['kinds'],
      value: '<kind>',
      help: 'What you want to hear (all but OTHER)',
    },
    {
      name: '--name',
      kind: 'text',
      fields: ['name'],
      value: '<text>',
      help: 'What you call it (the service)',
    },
    ...CLIENT_FLAGS,
  ],
  said: [
    { name: 'the token', fields: ['to.token'] },
    { name: 'the address of the Discord webhook', fields: ['to.webhookUrl'] },
  ],
  words: [1, 1],
  async run(context) {
    const { texts, words } = context.flags;
    const service = oneOf(words[0] ?? '', SERVICES, 'the service');
    const chosen = choicesOf(context, '--kind', KIND_NAMES);
    const kinds = chosen.length > 0 ? chosen : KIND_NAMES.filter((kind) => kind !== 'OTHER');
    const name = texts.get('--name');
    const server = texts.get('--server');
    const of = server === undefined ? {} : { server };
    const to =
      service === 'NTFY'
        ? { service, topic: needed(context, '--topic'), ...of, ...optional(context) }
        : service === 'TELEGRAM'
          ? { service, chatId: needed(context, '--chat'), token: await secret(context, 'Bot token'), ...of }
          : { service, webhookUrl: await secret(context, 'Address of the Discord webhook') };
    const body = {
      to,
      kinds: kinds as 'FILLED'[],
      ...(name === undefined ? {} : { name }),
    };
    const answer = await keyedApi(context).call('POST /notification-channels', { body });
    printAnswer(context, answer, () => {
      const { id } = read('POST /notification-channels', answer);
      context.terminal.out(`Notification channel ${id}`);
      context.terminal.err('Try it: tandem notify test');
    });
    return 0;
  },
};

function needed({ flags }: CommandContext, flag: string): string {
  const value = flags.texts.get(flag);
  if (value === undefined) throw usage(`${flag} is needed`);
  return value;
}

function optional({ env }: CommandContext): { readonly token?: string } {
  const token = env[SECRET];
  return token ? { token } : {};
}

async function secret({ env, terminal }: CommandContext, what: string): Promise<string> {
  const given = env[SECRET];
  if (given) return given;
  if (!terminal.canAsk) throw usage(`${what}: set ${SECRET} where nobody can be asked`);
  return (await terminal.askSecret(`${what}: `)).trim();
}
