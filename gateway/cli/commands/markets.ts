import { type MarketAnswer, read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, isOn, printAnswer, printList } from '../command.ts';
import { defaultConnector } from '../default-connector.ts';
import { anonymousApi } from '../reach-gateway.ts';
import { price, signedPercent, usd } from '../readable-numbers.ts';
import type { Column } from '../table.ts';

const MOST_ROWS = 500;

const COLUMNS: readonly Column<MarketAnswer>[] = [
  { title: 'TICKER', cell: (row) => row.symbol },
  { title: 'PRICE', align: 'right', cell: (row) => price(row.price) },
  { title: '24H', align: 'right', cell: (row) => signedPercent(hundredfold(row.priceChange24h)) },
  { title: 'FUNDING', align: 'right', cell: (row) => row.funding },
  { title: 'VOLUME 24H USD', align: 'right', cell: (row) => usd(row.volume24h) },
  { title: 'OPEN INTEREST USD', align: 'right', cell: (row) => usd(row.openInterest) },
  { title: 'STATUS', cell: (row) => row.tradeability.status },
  { title: 'INSTRUMENT', cell: (row) => row.id },
];

export const command: Command = {
  usage: 'markets [<search>]',
  about: [
    'Lists the tickers that can be traded at a venue, by volume, with their prices. No key is needed.',
    'A search is a part of a ticker. Funding is the rate of one interval; above zero, longs pay.',
  ],
  flags: [
    {
      name: '--connector',
      kind: 'text',
      fields: ['connector'],
      value: '<id>',
      help: "The venue (that of your account, else paper's)",
    },
    { name: '--all', kind: 'switch', help: 'Also what cannot be traded, or only be reduced' },
    {
      name: '--limit',
      kind: 'text',
      fields: ['limit'],
      value: '<n>',
      help: `At most so many, up to ${MOST_ROWS} (100)`,
    },
    ACCOUNT_FLAG,
    ...CLIENT_FLAGS,
  ],
  words: [0, 1],
  async run(context) {
    const limit = context.flags.texts.get('--limit') ?? '100';
    if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST_ROWS)
      throw usage(`--limit must be a number from 1 to ${MOST_ROWS}, not '${limit}'`);
    const api = anonymousApi(context);
    const connector = await defaultConnector(context, api);
    const search = context.flags.words[0];
    const query = {
      connector,
      limit,
      scope: isOn(context, '--all') ? ('all' as const) : ('tradable' as const),
      ...(search === undefined ? {} : { search }),
    };
    const answer = await api.call('GET /markets', { query });
    printAnswer(context, answer, () => {
      const { markets, totals } = read('GET /markets', answer);
      printList(context, markets, COLUMNS, `No market of ${connector} fits.`);
      if (markets.length < totals.markets && markets.length === Number(limit))
        context.terminal.err('There may be more: raise --limit.');
    });
    return 0;
  },
};

/** A fraction in percent, by its digits: `0.0125` → `1.25`. */
function hundredfold(fraction: string): string {
  const [, sign = '', whole = '0', digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(fraction) ?? [];
  const shifted = `${whole}${digits.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = digits.slice(2);
  return `${sign}${shifted}${rest === '' ? '' : `.${rest}`}`;
}
