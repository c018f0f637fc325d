import { type BookAnswer, read } from '../answers.ts';
import { tickersOf } from '../basket-flags.ts';
import { instrumentOf } from '../basket-legs.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, type CommandContext, printAnswer } from '../command.ts';
import { defaultConnector } from '../default-connector.ts';
import { keyedApi } from '../reach-gateway.ts';
import { price, quantity, usd } from '../readable-numbers.ts';
import { second } from '../resting.ts';
import { type Column, renderTable, stripControls } from '../table.ts';

const MOST_LEVELS = 20;
const MOST_BOOKS = 20;

type Level = BookAnswer['bids'][number];
interface Row {
  readonly bid: Level | undefined;
  readonly ask: Level | undefined;
}

/** Both sides of the book beside each other, the best level first. */
const COLUMNS: readonly Column<Row>[] = [
  { title: 'USD SO FAR', align: 'right', cell: ({ bid }) => usd(bid?.cumulativeUsd) },
  { title: 'QUANTITY', align: 'right', cell: ({ bid }) => quantity(bid?.quantity) },
  { title: 'BID', align: 'right', cell: ({ bid }) => price(bid?.price) },
  { title: 'ASK', align: 'right', cell: ({ ask }) => price(ask?.price) },
  { title: 'QUANTITY', align: 'right', cell: ({ ask }) => quantity(ask?.quantity) },
  { title: 'USD SO FAR', align: 'right', cell: ({ ask }) => usd(ask?.cumulativeUsd) },
];

export const command: Command = {
  usage: 'book <ticker> …',
  about: [
    'Shows the best levels of order books, what they sum to in US dollars, and the spread.',
    'The exit code is 1 where the book of none of the tickers is known now.',
  ],
  flags: [
    {
      name: '--levels',
      kind: 'text',
      fields: ['levels'],
      value: '<n>',
      help: `Of each side, up to ${MOST_LEVELS} (8)`,
    },
    {
      name: '--connector',
      kind: 'text',
      fields: ['connector'],
      value: '<id>',
      help: 'The venue (that of your account)',
    },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [1, MOST_BOOKS],
  async run(context) {
    const levels = context.flags.texts.get('--levels') ?? '8';
    if (!/^[1-9]\d?$/.test(levels) || Number(levels) > MOST_LEVELS)
      throw usage(`--levels must be a number from 1 to ${MOST_LEVELS}, not '${levels}'`);
    const api = keyedApi(context);
    const connector = await defaultConnector(context, api);
    const idByTicker = await tickersOf(api, connector);
    const symbols = context.flags.words.map((word) => instrumentOf(word, 'book', idByTicker));
    const answer = await api.call('GET /books', { query: { connector, symbols, levels } });
    const { books, unknown } = read('GET /books', answer);
    printAnswer(context, answer, () => printBooks(context, books));
    for (const symbol of unknown)
      context.terminal.err(`The order book of ${stripControls(symbol)} is not known now.`);
    return books.length === 0 ? 1 : 0;
  },
};

function printBooks({ terminal }: CommandContext, books: readonly BookAnswer[]): void {
  for (const [index, { ticker, at, source, spreadBps, bids, asks }] of books.entries()) {
    if (index > 0) terminal.out('');
    const words = [
      stripControls(ticker),
      `spread ${spreadBps == null ? '–' : `${price(spreadBps)} bps`}`,
      `${second(at)} UTC`,
      ...(source === 'SIMULATED' ? ['simulated'] : []),
    ];
    terminal.out(words.join('  '));
    const rows = Array.from({ length: Math.max(bids.length, asks.length) }, (_, level) => ({
      bid: bids[level],
      ask: asks[level],
    }));
    for (const line of renderTable(COLUMNS, rows)) terminal.out(line);
  }
}
