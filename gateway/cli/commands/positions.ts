import { accountList } from '../account-list.ts';
import { type PositionAnswer, read } from '../answers.ts';
import { isOn, printList } from '../command.ts';
import { shortId } from '../ids.ts';
import { basketName } from '../open-position.ts';
import { levelWords, protectionName } from '../protection-words.ts';
import { plainPercent, price, quantity, signedPercent, signedUsd, usd } from '../readable-numbers.ts';
import { type Column, renderTable } from '../table.ts';

export const command = accountList<PositionAnswer>({
  usage: 'positions [--all] [--legs]',
  about: [
    'Lists open positions, newest first. Amounts are US dollars; paid amounts below zero were received.',
    'NET PNL is what a position has earned: unrealised and realised, after fees and funding.',
    'PROTECTION lists take-profits and stop-losses: level, distance, and the profit or loss there, before costs.',
    '`tandem close` takes the ID as shown.',
  ],
  flags: [
    { name: '--all', kind: 'switch', help: 'Closed ones too' },
    { name: '--legs', kind: 'switch', help: 'One line a leg' },
  ],
  async find(api, limit, context) {
    const query = isOn(context, '--all') ? { limit } : { limit, status: 'OPEN' as const };
    const answer = await api.call('GET /positions', { query });
    const { positions, nextCursor } = read('GET /positions', answer);
    return { answer, rows: positions, nextCursor };
  },
  print(context, { rows, nextCursor }) {
    const all = isOn(context, '--all');
    const none = all ? 'No positions.' : 'No open positions.';
    if (isOn(context, '--legs')) printList(context, rows.flatMap(legsOf), LEG_COLUMNS, none, nextCursor);
    else {
      printList(context, rows, columnsOf(all), none, nextCursor);
      const protections = rows.flatMap(protectionsOf);
      if (protections.length === 0) return;
      context.terminal.out('');
      for (const line of renderTable(PROTECTION_COLUMNS, protections)) context.terminal.out(line);
    }
  },
});

function columnsOf(withClosed: boolean): Column<PositionAnswer>[] {
  const closed: Column<PositionAnswer>[] = [
    { title: 'STATUS', cell: (row) => row.status },
    { title: 'CLOSED (UTC)', cell: (row) => minute(row.closedAt) },
  ];
  return [
    { title: 'BASKET', cell: (row) => basketName(row) },
    { title: 'GROSS USD', align: 'right', cell: (row) => usd(row.grossNotional) },
    { title: 'NET USD', align: 'right', cell: (row) => signedUsd(row.netNotional) },
    { title: 'UNREALISED', align: 'right', cell: (row) => signedUsd(row.unrealizedPnl) },
    { title: 'PNL %', align: 'right', cell: (row) => signedPercent(row.unrealizedPnlPct) },
    { title: 'REALISED', align: 'right', cell: (row) => signedUsd(row.realizedPnl) },
    { title: 'FEES PAID', align: 'right', cell: (row) => usd(row.feesPaid) },
    { title: 'FUNDING PAID', align: 'right', cell: (row) => usd(row.fundingPaid) },
    { title: 'NET PNL', align: 'right', cell: (row) => signedUsd(row.netPnl) },
    { title: 'OPENED (UTC)', cell: (row) => minute(row.createdAt) },
    ...(withClosed ? closed : []),
    { title: 'ID', cell: (row) => shortId(row.id) },
  ];
}

/** A leg of a closed position has no entry price any more. */
const isHeld = ({ quantity: held }: PositionAnswer['legs'][number]) => held !== '0';
const legsOf = (position: PositionAnswer) => position.legs.map((leg) => ({ position, leg }));

const LEG_COLUMNS: readonly Column<ReturnType<typeof legsOf>[number]>[] = [
  { title: 'BASKET', cell: ({ position }) => basketName(position) },
  { title: 'LEG', cell: ({ leg }) => leg.ticker ?? leg.symbol },
  { title: 'SIDE', cell: ({ leg }) => (leg.side === 'BUY' ? 'long' : 'short') },
  { title: 'QUANTITY', align: 'right', cell: ({ leg }) => quantity(leg.quantity) },
  { title: 'ENTRY', align: 'right', cell: ({ leg }) => price(isHeld(leg) ? leg.entryPrice : null) },
  { title: 'MARK', align: 'right', cell: ({ leg }) => price(leg.markPrice) },
  { title: 'NOTIONAL USD', align: 'right', cell: ({ leg }) => usd(leg.notional) },
  { title: 'UNREALISED', align: 'right', cell: ({ leg }) => signedUsd(leg.unrealizedPnl) },
  { title: 'LIQUIDATION', align: 'right', cell: ({ leg }) => price(leg.liquidationPrice) },
  { title: 'ID', cell: ({ position }) => shortId(position.id) },
];

/** A gateway of an earlier version does not say. */
const protectionsOf = (position: PositionAnswer) =>
  (position.protection ?? []).map((one) => ({ position, one }));

const PROTECTION_COLUMNS: readonly Column<ReturnType<typeof protectionsOf>[number]>[] = [
  { title: 'BASKET', cell: ({ position }) => basketName(position) },
  { title: 'PROTECTION', cell: ({ one }) => protectionName(one) },
  { title: 'FIRES AT', align: 'right', cell: ({ one }) => levelWords(one) },
  {
    title: 'AWAY',
    align: 'right',
    cell: ({ one: { distancePct } }) => (distancePct === null ? null : plainPercent(distancePct)),
  },
  { title: 'RESULT USD', align: 'right', cell: ({ one }) => signedUsd(one.resultUsd) },
  { title: 'ID', cell: ({ position }) => shortId(position.id) },
];

function minute(time: string | null | undefined): string | null {
  return time ? time.slice(0, 16).replace('T', ' ') : null;
}
