import type { Call } from '../../client/route-types.ts';
import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { CliError, usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn, printAnswer } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';
import { stripControls } from '../table.ts';
import { connectorOf, readSecrets } from '../venue-accounts.ts';
import { connectByWallet } from '../wallet-connection.ts';

export const command: Command = {
  usage: 'venue connect <connector> [--testnet] [--alias <name>] [--address <0x…>] [--paste]',
  about: [
    'Connects an account at a venue. Its secret is asked for, or read from standard input; never from the command line.',
    'Where the wallet of the account signs a text (Lighter), the text is printed, and the signature asked for; --paste takes a key instead.',
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
    {
      name: '--address',
      kind: 'text',
      value: '<0x…>',
      help: 'Address of the account at the venue, or of its wallet',
    },
    { name: '--paste', kind: 'switch', help: 'Takes a key that was made elsewhere' },
    { name: '--account-index', kind: 'text', value: '<n>', help: 'Number of the account (Lighter)' },
    { name: '--key-index', kind: 'text', value: '<n>', help: 'Number of the pasted key (Lighter)' },
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
      const found = read('GET /connectors', await call('GET /connectors'));
      // Said before a key is typed.
      if (typeof found.credentialStore?.refusal === 'string')
        throw new CliError(found.credentialStore.refusal);
      const connector = connectorOf(
        found.connectors,
        context.flags.words[0] ?? '',
        isOn(context, '--testnet'),
      );
      if (connector.override !== undefined)
        context.terminal.err(
          `${connector.id} is an override: ${connector.override} stands in for the venue.`,
        );
      const given: Given = {
        alias: texts.get('--alias') ?? connector.displayName,
        programsReadCredentials: isOn(context, '--programs-read-credentials'),
      };
      // Piped in, there is nobody to sign: what comes is a key.
      const { capabilities = [] } = connector;
      const bySigning = capabilities.includes('exchange_setup') && !isOn(context, '--paste');
      return bySigning && context.terminal.canAsk
        ? connectByWallet(context, call, connector, given)
        : connectByKey(context, call, connector, given);
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

interface Given {
  readonly alias: string;
  readonly programsReadCredentials: boolean;
}
type Connector = ReturnType<typeof connectorOf>;

async function connectByKey(context: CommandContext, call: Call, connector: Connector, given: Given) {
  const body = { ...given, connector: connector.id, credentials: await credentialsOf(context, connector) };
  return read('POST /trade-accounts', await call('POST /trade-accounts', { body }));
}

const FLAGS: Readonly<Record<string, string>> = {
  accountAddress: '--address',
  accountIndex: '--account-index',
  apiKeyIndex: '--key-index',
};

/** Plain fields from flags or questions, secret ones from a question or standard input. */
async function credentialsOf(
  context: CommandContext,
  connector: Connector,
): Promise<Record<string, string | number>> {
  const fields = connector.credentials ?? [];
  const word = moneyWord(connector);
  if (fields.length === 0)
    throw new CliError('this connector takes no credentials: a paper account needs none');
  const plain = fields.filter(({ secret }) => !secret);
  const values: Record<string, string | number> = {};
  for (const field of plain) {
    const flag = FLAGS[field.name] ?? 'typed at a terminal';
    const { flags, terminal } = context;
    const typed =
      flags.texts.get(flag) ?? (terminal.canAsk ? await terminal.ask(`${word}: ${field.label}: `) : '');
    const value = typed.trim();
    if (value === '' && field.required) throw usage(`${field.label} is needed: ${flag}`);
    if (field.kind === 'number' && value !== '' && !/^\d{1,15}$/.test(value))
      throw usage(`${field.label} is a whole number`);
    if (value !== '') values[field.name] = field.kind === 'number' ? Number(value) : value;
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
