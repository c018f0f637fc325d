import { type PositionAnswer, positionPage, read } from '../answers.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn, printJson } from '../command.ts';
import { accountApi } from '../reach-gateway.ts';
import { renderTable } from '../table.ts';

export const command: Command = {
  usage: 'positions [--all] [--legs]',
  about: ['Lists open positions, newest first.'],
  flags: [
    { name: '--all', kind: 'switch', help: 'Closed ones too' },
    { name: '--legs', kind: 'switch', help: 'One line a leg' },
    { name: '--limit', kind: 'text', value: '<n>', help: 'At most so many, up to 2000 (20)' },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { api } = await accountApi(context);
    const query: Record<string, string> = { limit: context.flags.texts.get('--limit') ?? '20' };
    if (!isOn(context, '--all')) query['status'] = 'OPEN';
    const answer = await api.call('GET', '/positions', { query });
    if (isOn(context, '--json')) {
      printJson(context.terminal, answer);
      return 0;
    }
    const { positions, nextCursor } = read(positionPage, answer, 'GET /positions');
    if (positions.length === 0) {
      context.terminal.out(isOn(context, '--all') ? 'No positions.' : 'No open positions.');
      return 0;
    }
    for (const line of isOn(context, '--legs') ? legTable(positions) : table(positions))
      context.terminal.out(line);
    if (nextCursor !== undefined) context.terminal.err('There are more: raise --limit.');
    return 0;
  },
};

function table(positions: readonly PositionAnswer[]): string[] {
  return renderTable(
    [
      { title: 'BASKET', cell: (row) => basketName(row) },
      { title: 'STATUS', cell: (row) => row.status },
      { title: 'GROSS', align: 'right', cell: (row) => row.grossNotional },
      { title: 'NET', align: 'right', cell: (row) => row.netNotional },
      { title: 'UNREALISED', align: 'right', cell: (row) => row.unrealizedPnl },
      { title: 'REALISED', align: 'right', cell: (row) => row.realizedPnl },
      { title: 'FUNDING PAID', align: 'right', cell: (row) => row.fundingPaid },
      { title: 'OPENED', cell: (row) => row.createdAt.slice(0, 16).replace('T', ' ') },
      { title: 'ID', cell: (row) => row.id },
    ],
    positions,
  );
}

function legTable(positions: readonly PositionAnswer[]): string[] {
  const rows = positions.flatMap((position) => position.legs.map((leg) => ({ position, leg })));
  return renderTable(
    [
      { title: 'BASKET', cell: ({ position }) => basketName(position) },
      { title: 'LEG', cell: ({ leg }) => leg.ticker ?? leg.symbol },
      { title: 'SIDE', cell: ({ leg }) => (leg.side === 'BUY' ? 'long' : 'short') },
      { title: 'QUANTITY', align: 'right', cell: ({ leg }) => leg.quantity },
      { title: 'ENTRY', align: 'right', cell: ({ leg }) => leg.entryPrice },
      { title: 'MARK', align: 'right', cell: ({ leg }) => leg.markPrice },
      { title: 'NOTIONAL', align: 'right', cell: ({ leg }) => leg.notional },
      { title: 'UNREALISED', align: 'right', cell: ({ leg }) => leg.unrealizedPnl },
      { title: 'ID', cell: ({ position }) => position.id },
    ],
    rows,
  );
}

/** `BTC / ETH+SOL`: longs, then shorts. */
function basketName(position: PositionAnswer): string {
  const side = (wanted: 'BUY' | 'SELL') =>
    position.legs
      .filter((leg) => leg.side === wanted)
      .map((leg) => leg.ticker ?? leg.symbol)
      .join('+') || '–';
  return `${side('BUY')} / ${side('SELL')}`;
}
