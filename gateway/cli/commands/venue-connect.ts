import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { CliError, usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn, printAnswer } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';
import { stripControls } from '../table.ts';
import { connectorOf, readSecrets } from '../venue-accounts.ts';

export const command: Command = {
  usage: 'venue connect <connector> [--testnet] [--alias <name>] [--address <0x…>]',
  about: [
    'Connects an account at a venue. Its secret is asked for, or read from standard input; never from the command line.',
    'The account opens nothing until it is armed: tandem venue arm.',
  ],
  flags: [
    { name: '--testnet', kind: 'switch', help: "The venue's test network: play money" },
    {
      name: '--alias',
      kind: 'text',
      value: '<name>',
      help: 'Name of the account here (the venue and the network)',
    },
    { name: '--address', kind: 'text', value: '<0x…>', help: 'Address of the account at the venue' },
    {
      name: '--programs-read-credentials',
      kind: 'switch',
      help: 'API keys and agents may read the credentials (they may not)',
    },
    EMAIL_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const { texts } = context.flags;
    const account = await withSession(context, false, async ({ call }) => {
      const found = read('GET /connectors', await call('GET /connectors')).connectors;
      const connector = connectorOf(found, context.flags.words[0] ?? '', isOn(context, '--testnet'));
      if (connector.override !== undefined)
        context.terminal.err(
          `${connector.id} is an override: ${connector.override} stands in for the venue.`,
        );
      const credentials = await credentialsOf(context, connector);
      const alias = texts.get('--alias') ?? connector.displayName;
      const programsReadCredentials = isOn(context, '--programs-read-credentials');
      const body = { alias, connector: connector.id, credentials, programsReadCredentials };
      return read('POST /trade-accounts', await call('POST /trade-accounts', { body }));
    });
    printAnswer(context, account, () => {
      context.terminal.out(account.id);
      context.terminal.err(
        `${moneyWord(account)}: connected '${stripControls(account.alias)}' (${account.connector}, ${account.exchangeIdentifier}). It opens nothing yet: tandem venue arm ${account.id} --per-order 100 --total 500`,
      );
    });
    return 0;
  },
};

/** Plain fields from flags or questions, secret ones from a question or standard input. */
async function credentialsOf(
  context: CommandContext,
  connector: ReturnType<typeof connectorOf>,
): Promise<Record<string, string>> {
  const fields = connector.credentials ?? [];
  const word = moneyWord(connector);
  if (fields.length === 0)
    throw new CliError('this connector takes no credentials: a paper account needs none');
  const plain = fields.filter(({ secret }) => !secret);
  const given = context.flags.texts.get('--address');
  const values: Record<string, string> = {};
  for (const field of plain) {
    const value =
      field.name === 'accountAddress' && given !== undefined
        ? given
        : context.terminal.canAsk
          ? (await context.terminal.ask(`${word}: ${field.label}: `)).trim()
          : '';
    if (value !== '') values[field.name] = value;
    else if (field.required) throw usage(`${field.label} is needed: --address`);
  }
  return {
    ...values,
    ...(await readSecrets(
      context,
      word,
      fields.filter(({ secret }) => secret),
    )),
  };
}
