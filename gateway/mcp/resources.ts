/** Resources that a client may read and subscribe to. */
import { ResourceNotFoundError, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { accountNamed, accountOut, accountsOf } from './accounts.ts';
import { Refused } from './ask.ts';
import { GUIDE } from './guide.ts';
import { limitsOf } from './limits.ts';
import { outcomeText } from './outcome.ts';
import { statusOf } from './status.ts';
import type { ToolContext } from './tool.ts';
import { positionRow } from './tools/list-positions.ts';
import { GUIDE_URI, LIMITS_URI, positionsUri } from './uris.ts';

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';

interface Read {
  readonly mimeType: string;
  readonly text: string;
}

export function serveResources(server: Server, contextOf: (ctx: ServerContext) => ToolContext): void {
  server.setRequestHandler('resources/list', async (_, ctx) => {
    const accounts = (await accountsOf(contextOf(ctx).ask)).map(accountOut);
    return {
      resources: [
        { uri: GUIDE_URI, name: 'guide', title: 'How to trade here', mimeType: MARKDOWN },
        { uri: LIMITS_URI, name: 'limits', title: 'What you may do', mimeType: JSON_TYPE },
        ...accounts.map(({ id, venue, money }) => ({
          uri: positionsUri(id),
          name: `positions ${id}`,
          title: `Open positions on ${venue}, ${money}`,
          mimeType: JSON_TYPE,
        })),
      ],
    };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      template('tandem://positions/{account}', 'positions', 'Open positions of an account'),
      template('tandem://orders/{id}', 'order', 'What became of something that was ordered'),
      template('tandem://approvals/{id}', 'approval', 'What became of a request that asked the user'),
    ],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const read = await readOf(contextOf(ctx), uri);
    if (read === null) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...read }] };
  });
}

function template(uriTemplate: string, name: string, title: string) {
  return { uriTemplate, name, title, mimeType: JSON_TYPE };
}

const json = (value: unknown): Read => ({ mimeType: JSON_TYPE, text: JSON.stringify(value) });

async function readOf(context: ToolContext, uri: string): Promise<Read | null> {
  if (uri === GUIDE_URI) return { mimeType: MARKDOWN, text: GUIDE };
  if (uri === LIMITS_URI) return json(await limitsOf(context));
  const [, kind, id] = /^tandem:\/\/(positions|orders|approvals)\/([0-9a-fA-F-]{36})$/.exec(uri) ?? [];
  if (kind === undefined || id === undefined) return null;
  if (kind === 'positions') return positions(context, id);
  const outcome = await statusOf(context, id.toLowerCase());
  return outcome === null ? null : json({ ...outcome, text: outcomeText(outcome) });
}

async function positions({ ask, ownParts, principal }: ToolContext, id: string): Promise<Read | null> {
  try {
    const account = await accountNamed(ask, id);
    const open = await ask('GET /positions', {
      account: account.id,
      query: { status: 'OPEN', limit: '200' },
    });
    return json({ account, positions: open.positions.map((row) => positionRow(row, ownParts(principal))) });
  } catch (error) {
    if (error instanceof Refused && error.refusal.status === 404) return null;
    throw error;
  }
}
