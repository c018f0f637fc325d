/** Prompts: what a user may start with one click. */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

const need = (name: string, description: string) => ({ name, description, required: true });

const PROMPTS: readonly Prompt[] = [
  {
    name: 'open_pair',
    title: 'Open a pair',
    description: 'Looks at a pair, previews it and asks before it is placed',
    arguments: [
      need('long', 'What to buy, for example BTC'),
      need('short', 'What to sell, for example ETH'),
      need('usd', 'USD a side, for example 500'),
    ],
    text: ({ long, short, usd }) =>
      `Open a pair on Tandem: long ${long}, short ${short}, ${usd} USD a side. Call whoami, then find_markets and analyse_pair for both. Tell me correlation, z-score and funding, and whether the money is real. Then call preview_basket and show me its summary, worst prices, fees and verdict. Place it with place_order only after I said yes.`,
  },
  {
    name: 'review_portfolio',
    title: 'Review the portfolio',
    description: 'What is held, what protects it, what waits',
    arguments: [],
    text: () =>
      'Review my accounts on Tandem: call whoami, and for each account get_portfolio, list_positions and list_activity with kind resting. Tell me what is held, what has no stop-loss, what funding costs, and what waits. Order nothing.',
  },
  {
    name: 'explain_order',
    title: 'Explain an order',
    description: 'What became of one order, in plain words',
    arguments: [need('id', 'Id of an execution, trigger, schedule, ladder or preview')],
    text: ({ id }) =>
      `Call get_status with the id ${id} on Tandem and explain in plain words what was asked for, what was filled leg by leg, what is held now and what I can do. Order nothing.`,
  },
  {
    name: 'unwind_mine',
    title: 'Undo what you placed',
    description: 'Cancels what waits to open and previews the closing of what this agent opened',
    arguments: [need('account', 'Id of the trade account')],
    text: ({ account }) =>
      `On Tandem account ${account}: list what you placed (list_activity, placed_by "you"), cancel with cancel and all_mine what of it still waits to open. Keep what protects or reduces a position until the position is closed. Then preview the closing of each position that you opened with preview_change. Show me the previews and place them only after I said yes.`,
  },
];

export function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args.map((arg) => ({ ...arg })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (prompt === undefined) throw invalid(`Unknown prompt: ${params.name.slice(0, 64)}`);
    const given = params.arguments ?? {};
    const missing = prompt.arguments.find(({ name }) => given[name] === undefined);
    if (missing !== undefined) throw invalid(`Missing argument: ${missing.name}`);
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } }],
    };
  });
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
