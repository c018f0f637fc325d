/** The tool `connect_tandem`. */
import { dirname } from 'node:path';
import type { CommandContext } from '../command.ts';
import { removeLinkFile, writeLinkFile } from '../link-file.ts';
import { openInBrowser } from '../open-browser.ts';
import type { Access } from './access.ts';
import type { GrantKeeper } from './kept-grant.ts';

/** An agent that was refused opens no page for so long; its user can still open the link. */
const QUIET_MS = 10 * 60_000;
/** A browser has read the page by then. */
const PAGE_MS = 60_000;

export interface PageOpener {
  /** Answers `connect_tandem`. Rejects with Away. */
  connect(): Promise<string>;
  close(): void;
}

export function pageOpener(options: {
  readonly access: Access;
  readonly keeper: GrantKeeper;
  readonly context: CommandContext;
}): PageOpener {
  const { access, keeper, context } = options;
  const { clock, terminal } = context;
  let openedAt = Number.NEGATIVE_INFINITY;
  let forget = () => {};

  async function open(link: string): Promise<void> {
    forget();
    const file = writeLinkFile(dirname(await keeper.file('-')), link, 'connect.html');
    const cancel = clock.after(PAGE_MS, () => removeLinkFile(file));
    forget = () => {
      cancel();
      removeLinkFile(file);
    };
    openInBrowser(context, file, () => terminal.err('tandem mcp: no browser could be opened'));
  }

  return {
    async connect() {
      await access.look();
      if (access.isConnected) return 'CONNECTED to Tandem.\nNext: call whoami; it says what you may do.';
      const wasDenied = access.wasDenied;
      const { link, isNew } = await access.ask();
      const mayOpen = isNew && clock.uptime() - openedAt > QUIET_MS;
      if (mayOpen) {
        openedAt = clock.uptime();
        await open(link);
      }
      const happened = mayOpen
        ? 'The consent page of Tandem was opened in the browser of this computer.'
        : wasDenied
          ? 'The user said no the last time, so no page was opened.'
          : isNew
            ? 'A page was opened not long ago, so none was opened now.'
            : 'The question is still open.';
      return [
        `NOT CONNECTED YET: the user has to decide. ${happened}`,
        `The page, for the user to open on this computer: ${link}`,
        'Next: tell the user, and wait. After the decision you are offered the other tools; call connect_tandem to hear where it stands.',
      ].join('\n');
    },
    close: () => forget(),
  };
}
