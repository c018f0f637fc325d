/** Says how a client of agents is connected to the gateway. Writes nothing: the client's own command or file does. */
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, isOn } from '../command.ts';
import { gatewayUrl } from '../reach-gateway.ts';

interface Client {
  readonly title: string;
  readonly lines: (address: string) => readonly string[];
}

const json = (value: unknown) => JSON.stringify(value, null, 2).split('\n');

const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    lines: (address) => [`claude mcp add --transport http tandem ${address}`, 'claude mcp login tandem'],
  },
  codex: {
    title: 'Codex',
    lines: (address) => [`codex mcp add tandem --url ${address}`, 'codex mcp login tandem'],
  },
  gemini: {
    title: 'Gemini CLI',
    lines: (address) => [
      `gemini mcp add --transport http tandem ${address}`,
      '/mcp auth tandem   (inside of gemini)',
    ],
  },
  vscode: {
    title: 'VS Code: in .vscode/mcp.json',
    lines: (address) => json({ servers: { tandem: { type: 'http', url: address } } }),
  },
  goose: {
    title: 'Goose: goose configure, Add Extension, Remote Extension (Streamable HTTP), and this address',
    lines: (address) => [address],
  },
};

export const command: Command = {
  usage: `connect <${Object.keys(CLIENTS).join('|')}>`,
  about: [
    'Shows how a client of agents is connected to this gateway. Nothing is written, and no key is in it: the client opens the',
    'consent page of the gateway, where you choose what it may do.',
  ],
  flags: [...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const [name = ''] = context.flags.words;
    const client = CLIENTS[name];
    if (client === undefined)
      throw usage(`unknown client '${name}'; one of: ${Object.keys(CLIENTS).join(', ')}`);
    const address = `${gatewayUrl(context)}/mcp`;
    if (isOn(context, '--json')) {
      context.terminal.out(JSON.stringify({ client: name, address, lines: client.lines(address) }));
      return 0;
    }
    context.terminal.err(client.title);
    for (const line of client.lines(address)) context.terminal.out(line);
    return 0;
  },
};
