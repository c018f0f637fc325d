import { Refusal } from '../../client/errors.ts';
import { moneyWord } from '../account-mark.ts';
import { type PositionAnswer, read } from '../answers.ts';
import { CliError } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, type CommandContext, isOn } from '../command.ts';
import { shortId } from '../ids.ts';
import { basketName, EVERY } from '../open-position.ts';
import { type AccountAccess, accountApi } from '../reach-gateway.ts';
import { price, quantity, signedPercent, signedUsd, usd } from '../readable-numbers.ts';
import { wholeOf } from '../resting.ts';
import { type Column, renderTable, stripControls } from '../table.ts';

export const command: Command = {
  usage: 'watch',
  about: [
    'Shows the account and its positions, drawn anew every second, until you stop it.',
    'Where the output is no terminal it prints a line for each change instead, with --json one object a look.',
  ],
  flags: [
    { name: '--every', kind: 'text', value: '<seconds>', help: 'Time between two looks (1)' },
    { name: '--count', kind: 'text', value: '<n>', help: 'Stop after so many looks' },
    { name: '--legs', kind: 'switch', help: 'One line a leg' },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 0],
  async run(context) {
    const { clock, terminal, interrupted } = context;
    const seconds = wholeOf(context, '--every', [1, 3_600]) ?? 1;
    const count = wholeOf(context, '--count', [1, 1_000_000]) ?? Number.POSITIVE_INFINITY;
    const access = await accountApi(context);
    const printed = new Map<string, string>();
    let hasSeen = false;
    for (let looks = 0; looks < count && !interrupted.aborted; looks += 1) {
      if (looks > 0) await pause(context, seconds * 1000);
      if (interrupted.aborted) break;
      const seen = await look(access, hasSeen);
      hasSeen ||= seen !== null;
      const time = new Date(clock.now()).toISOString();
      if (seen === null) {
        terminal.err(`${time}  the gateway does not answer; trying again`);
        continue;
      }
      if (isOn(context, '--json')) {
        const { mode, network = null } = access.account;
        terminal.out(JSON.stringify({ time, ...seen, mode, network }));
      } else if (terminal.hasScreen) terminal.screen(picture(access, time, seen, isOn(context, '--legs')));
      else for (const line of changes(access, time, seen, printed)) terminal.out(line);
    }
    return 0;
  },
};

interface Seen {
  readonly equity: string | null;
  readonly unrealizedPnl: string;
  readonly positions: readonly PositionAnswer[];
}

/** null: a gateway that was there does not answer, which may change. */
async function look({ api }: AccountAccess, wasThere: boolean): Promise<Seen | null> {
  try {
    const [portfolio, list] = await Promise.all([
      api.call('GET /portfolio'),
      api.call('GET /positions', { query: { status: 'OPEN', limit: EVERY } }),
    ]);
    const { equity, unrealizedPnl } = read('GET /portfolio', portfolio);
    return { equity, unrealizedPnl, positions: read('GET /positions', list).positions };
  } catch (error) {
    if (wasThere && error instanceof CliError && !(error.cause instanceof Refusal)) return null;
    throw error;
  }
}

async function pause({ clock, interrupted }: CommandContext, ms: number): Promise<void> {
  const until = clock.now() + ms;
  // In pieces, so that Ctrl-C ends it at once.
  while (clock.now() < until && !interrupted.aborted) await clock.sleep(Math.min(100, until - clock.now()));
}

const POSITIONS: readonly Column<PositionAnswer>[] = [
  { title: 'BASKET', cell: basketName },
  { title: 'GROSS USD', align: 'right', cell: (row) => usd(row.grossNotional) },
  { title: 'NET USD', align: 'right', cell: (row) => signedUsd(row.netNotional) },
  { title: 'UNREALISED', align: 'right', cell: (row) => signedUsd(row.unrealizedPnl) },
  { title: 'PNL %', align: 'right', cell: (row) => signedPercent(row.unrealizedPnlPct) },
  { title: 'ID', cell: (row) => shortId(row.id) },
];

type Leg = { readonly position: PositionAnswer; readonly leg: PositionAnswer['legs'][number] };
const LEGS: readonly Column<Leg>[] = [
  { title: 'BASKET', cell: ({ position }) => basketName(position) },
  { title: 'LEG', cell: ({ leg }) => leg.ticker ?? leg.symbol },
  { title: 'SIDE', cell: ({ leg }) => (leg.side === 'BUY' ? 'long' : 'short') },
  { title: 'QUANTITY', align: 'right', cell: ({ leg }) => quantity(leg.quantity) },
  { title: 'ENTRY', align: 'right', cell: ({ leg }) => price(leg.entryPrice) },
  { title: 'MARK', align: 'right', cell: ({ leg }) => price(leg.markPrice) },
  { title: 'UNREALISED', align: 'right', cell: ({ leg }) => signedUsd(leg.unrealizedPnl) },
  { title: 'ID', cell: ({ position }) => shortId(position.id) },
];

function picture({ account }: AccountAccess, time: string, seen: Seen, withLegs: boolean): string[] {
  const { equity, unrealizedPnl, positions } = seen;
  const legs = positions.flatMap((position) => position.legs.map((leg) => ({ position, leg })));
  const table = withLegs ? renderTable(LEGS, legs) : renderTable(POSITIONS, positions);
  return [
    `${moneyWord(account)}: ${stripControls(account.alias)} (${stripControls(account.connector)})  ${time.slice(0, 19).replace('T', ' ')} UTC`,
    `equity ${usd(equity) ?? '–'} USD  unrealised ${signedUsd(unrealizedPnl)} USD`,
    '',
    ...(positions.length === 0 ? ['No open positions.'] : table),
    '',
    'Ctrl-C ends.',
  ];
}

/** A line for the account and for each position, where it differs from the last one. */
function changes(
  { account }: AccountAccess,
  time: string,
  { equity, unrealizedPnl, positions }: Seen,
  printed: Map<string, string>,
): string[] {
  const now = new Map([['account', `equity ${usd(equity) ?? '–'}  unrealised ${signedUsd(unrealizedPnl)}`]]);
  for (const one of positions)
    now.set(
      one.id,
      `${basketName(one)}  gross ${usd(one.grossNotional)}  unrealised ${signedUsd(one.unrealizedPnl)}  ${shortId(one.id)}`,
    );
  const gone = [...printed].filter(([id]) => !now.has(id));
  const lines = [...now].filter(([id, text]) => printed.get(id) !== text).map(([, text]) => text);
  for (const [id] of gone) printed.delete(id);
  for (const [id, text] of now) printed.set(id, text);
  return [...lines, ...gone.map(([id, text]) => `closed  ${text.split('  ')[0]}  ${shortId(id)}`)].map(
    (text) => stripControls(`${time}  ${moneyWord(account)}  ${text}`),
  );
}
