/** Says how a client of agents is connected to the gateway, and puts it into the client's file where that is asked for. */
import { AGENT_CLIENTS, type AgentClient, type Setup } from '../agent-clients.ts';
import { usage } from '../cli-error.ts';
import { fileChange } from '../client-file.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn } from '../command.ts';
import { dataDirFor, gatewayUrl } from '../reach-gateway.ts';

const json = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

export const command: Command = {
  usage: `connect <${Object.keys(AGENT_CLIENTS).join('|')}>`,
  about: [
    'Shows how a client of agents is connected to this gateway. No key is in it: the client opens the consent page of the',
    'gateway, where you choose what it may do. With --write the entry is put into the file of a client that has one.',
  ],
  flags: [
    {
      name: '--write',
      kind: 'switch',
      help: "Put it into the client's file, and leave the rest of that as it is",
    },
    ...CLIENT_FLAGS,
  ],
  words: [1, 1],
  async run(context) {
    const { terminal } = context;
    const [name = ''] = context.flags.words;
    const client = AGENT_CLIENTS[name];
    if (client === undefined)
      throw usage(`unknown client '${name}'; one of: ${Object.keys(AGENT_CLIENTS).join(', ')}`);
    const address = client.isBridged ? null : `${gatewayUrl(context)}/mcp`;
    const setup = client.setup({
      ...context,
      address: address ?? '',
      bridgeFlags: client.isBridged ? bridgeFlags(context) : [],
      cwd: process.cwd(),
    });
    if (isOn(context, '--write')) return write(context, client, setup);
    const lines = linesOf(setup);
    if (isOn(context, '--json')) {
      const file = setup.kind === 'file' ? { file: setup.file.path } : {};
      terminal.out(
        JSON.stringify({ client: name, ...(address === null ? {} : { address }), ...file, lines }),
      );
      return 0;
    }
    terminal.err(setup.kind === 'file' ? `${client.title}: in ${setup.file.path}` : client.title);
    for (const line of lines) terminal.out(line);
    return 0;
  },
};

function linesOf(setup: Setup): readonly string[] {
  if (setup.kind === 'commands') return setup.lines;
  return json({ [setup.file.section]: { tandem: setup.file.entry } });
}

async function write(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { title }: AgentClient,
  setup: Setup,
): Promise<number> {
  if (setup.kind === 'commands')
    throw usage(
      `--write is not for ${title}, which has a command of its own: run what this shows without it`,
    );
  const { file } = setup;
  const change = fileChange(file);
  if (change.isSame) {
    terminal.err(`${file.path} has it already; nothing was written`);
    return 0;
  }
  terminal.err(`${file.path}, under "${file.section}":`);
  if (change.before !== null) for (const line of json({ tandem: change.before })) terminal.out(`- ${line}`);
  for (const line of json({ tandem: file.entry })) terminal.out(`+ ${line}`);
  await change.write();
  terminal.err(`Written. Start ${title} anew, and ask it to connect Tandem.`);
  return 0;
}

/** Arguments that lead the bridge to this command's gateway; none where the bridge finds it by itself. */
function bridgeFlags(context: CommandContext): readonly string[] {
  const { texts } = context.flags;
  const named = ['--url', '--port'].flatMap((flag) => {
    const value = texts.get(flag);
    return value === undefined ? [] : [flag, value];
  });
  // The host has an environment of its own.
  const isElsewhere = texts.has('--data-dir') || Boolean(context.env['TANDEM_DATA_DIR']);
  return [...named, ...(isElsewhere ? ['--data-dir', dataDirFor(context)] : [])];
}
