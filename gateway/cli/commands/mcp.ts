/** The bridge for hosts that speak MCP over standard input and output only. */
import { type Access, createAccess } from '../bridge/access.ts';
import { type Bridge, createBridge } from '../bridge/bridge.ts';
import { gatewayLine } from '../bridge/gateway-line.ts';
import { linesOf } from '../bridge/input-lines.ts';
import { grantKeeper } from '../bridge/kept-grant.ts';
import { pageOpener } from '../bridge/open-page.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, type CommandContext, isOn, JSON_FLAG } from '../command.ts';

const MOST_NAME_CHARS = 64;
/** A longer line is read to its end and nothing of it is kept. */
const MOST_LINE_BYTES = 4 * 1024 * 1024;
/** Pauses between two looks: for a gateway that has not been there yet, and for a grant that another process was given. */
const LOOK_MS = { gateway: 2_000, grant: 30_000 };

export const command: Command = {
  usage: 'mcp [--name <agent>] [--read-only]',
  about: [
    'Connects an agent over standard input and output, for hosts that cannot reach an address (Claude Desktop, Cursor).',
    'The host starts it; `tandem connect <client>` shows what to write into its settings. What the agent may do you decide on',
    'the consent page, as with every agent; what is given to it is kept in the keychain under its name.',
  ],
  // The host of an agent is answered at once.
  waitsForStart: false,
  flags: [
    { name: '--name', kind: 'text', value: '<agent>', help: 'What the agent is called (tandem mcp)' },
    { name: '--read-only', kind: 'switch', help: 'It asks to look, not to trade' },
    ...CLIENT_FLAGS.filter((flag) => flag !== JSON_FLAG),
  ],
  words: [0, 0],
  async run(context) {
    const { terminal, clock, interrupted, version } = context;
    const name = nameOf(context);
    const log = (text: string) => terminal.err(`tandem mcp: ${text}`);
    const line = gatewayLine(context);
    const keeper = grantKeeper(context, name);
    let bridge: Bridge | null = null;
    const access = createAccess({
      ...{ name, line, keeper, clock, log },
      readOnly: isOn(context, '--read-only'),
      changed: () => bridge?.offersOther(),
    });
    const page = pageOpener({ access, keeper, context });
    bridge = createBridge({
      ...{ access, line, clock, version, log },
      write: (text) => terminal.out(text),
      connect: () => page.connect(),
    });
    const looking = keepLooking(context, access);
    try {
      for await (const text of linesOf(terminal.input(interrupted), MOST_LINE_BYTES)) bridge.accept(text);
    } finally {
      looking.stop();
      page.close();
      access.close();
      bridge.close();
      line.close();
    }
    return 0;
  },
};

/** Finds a gateway that starts later, and a grant that another process of this agent was given. */
function keepLooking(
  { clock, terminal }: Pick<CommandContext, 'clock' | 'terminal'>,
  access: Access,
): { stop(): void } {
  let cancel = () => {};
  let isOver = false;
  const again = () => {
    access
      .look()
      .catch((error: unknown) => terminal.err(`tandem mcp: unexpected: ${String(error)}`))
      .finally(() => {
        if (!isOver) cancel = clock.after(access.hasReached ? LOOK_MS.grant : LOOK_MS.gateway, again);
      });
  };
  again();
  return {
    stop() {
      isOver = true;
      cancel();
    },
  };
}

function nameOf({ flags }: Pick<CommandContext, 'flags'>): string {
  const name = (flags.texts.get('--name') ?? 'tandem mcp').trim();
  if (name === '' || [...name].length > MOST_NAME_CHARS || /\p{C}/u.test(name))
    throw usage(`--name must be 1 to ${MOST_NAME_CHARS} characters that can be shown`);
  return name;
}
