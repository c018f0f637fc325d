/** How each client of agents is set up: by commands of its own, or by an entry in a file of it. */
import { join } from 'node:path';
import type { CommandContext } from './command.ts';
import { programFile } from './program-files.ts';

export interface ClientFile {
  readonly path: string;
  /** Folder that is there once the client is installed; null: the file's folder is made. */
  readonly installed: string | null;
  /** Where the entry stands: `[section].tandem`. */
  readonly section: string;
  readonly entry: unknown;
}

export type Setup =
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | { readonly kind: 'file'; readonly file: ClientFile };

export interface AgentClient {
  readonly title: string;
  /** It reaches no address of this machine: the bridge stands between. */
  readonly isBridged: boolean;
  setup(around: Around): Setup;
}

export interface Around extends Pick<CommandContext, 'env' | 'homedir' | 'platform'> {
  /** Address of `/mcp`; only where the client is not bridged. */
  readonly address: string;
  /** Flags that lead the bridge to the gateway. */
  readonly bridgeFlags: readonly string[];
  readonly cwd: string;
}

export const AGENT_CLIENTS: Readonly<Record<string, AgentClient>> = {
  'claude-code': {
    title: 'Claude Code',
    isBridged: false,
    setup: ({ address }) =>
      commands(`claude mcp add --transport http tandem ${address}`, 'claude mcp login tandem'),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    isBridged: true,
    setup: (around) => {
      const folder = claudeFolder(around);
      return {
        kind: 'file',
        file: {
          path: join(folder, 'claude_desktop_config.json'),
          installed: folder,
          ...bridged('Claude Desktop', around),
        },
      };
    },
  },
  codex: {
    title: 'Codex',
    isBridged: false,
    setup: ({ address }) => commands(`codex mcp add tandem --url ${address}`, 'codex mcp login tandem'),
  },
  gemini: {
    title: 'Gemini CLI',
    isBridged: false,
    setup: ({ address }) =>
      commands(`gemini mcp add --transport http tandem ${address}`, '/mcp auth tandem   (inside of gemini)'),
  },
  vscode: {
    title: 'VS Code, in the folder of the project',
    isBridged: false,
    setup: ({ address, cwd }) => ({
      kind: 'file',
      file: {
        path: join(cwd, '.vscode', 'mcp.json'),
        installed: null,
        section: 'servers',
        entry: { type: 'http', url: address },
      },
    }),
  },
  cursor: {
    title: 'Cursor',
    isBridged: true,
    setup: (around) => {
      const folder = join(around.homedir, '.cursor');
      return {
        kind: 'file',
        file: { path: join(folder, 'mcp.json'), installed: folder, ...bridged('Cursor', around) },
      };
    },
  },
  goose: {
    title: 'Goose: goose configure, Add Extension, Remote Extension (Streamable HTTP), and this address',
    isBridged: false,
    setup: ({ address }) => commands(address),
  },
};

const commands = (...lines: readonly string[]): Setup => ({ kind: 'commands', lines });

function bridged(name: string, { bridgeFlags }: Around): Pick<ClientFile, 'section' | 'entry'> {
  const launcher = programFile('tandem.cjs');
  const args = ['mcp', '--name', name, ...bridgeFlags];
  // Apps that are not started from a shell have none of its search path.
  const entry =
    launcher === null
      ? { command: 'tandem', args }
      : { command: process.execPath, args: [launcher, ...args] };
  return { section: 'mcpServers', entry };
}

function claudeFolder({ env, homedir, platform }: Around): string {
  if (platform === 'darwin') return join(homedir, 'Library', 'Application Support', 'Claude');
  if (platform === 'win32') return join(env['APPDATA'] || join(homedir, 'AppData', 'Roaming'), 'Claude');
  return join(env['XDG_CONFIG_HOME'] || join(homedir, '.config'), 'Claude');
}
