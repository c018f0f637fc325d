import { moneyWord } from '../account-mark.ts';
import { read } from '../answers.ts';
import { ACCOUNT_FLAG, CLIENT_FLAGS, type Command, printAnswer, printList } from '../command.ts';
import { chooseAccount, keyedApi } from '../reach-gateway.ts';
import { signedUsd, usd } from '../readable-numbers.ts';

export const command: Command = {
  usage: 'balance',
  about: [
    'Shows what your accounts are worth, in US dollars: equity = deposits + realised − fees + funding + unrealised.',
  ],
  flags: [{ ...ACCOUNT_FLAG, help: 'One trade account (all that the key reaches)' }, ...CLIENT_FLAGS],
  words: [0, 0],
  async run(context) {
    const { call } = keyedApi(context);
    const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
    const named = context.flags.texts.get('--account');
    const accounts = named === undefined ? tradeAccounts : [chooseAccount(tradeAccounts, named)];
    const balances = await Promise.all(
      accounts.map(async ({ id, alias, connector, mode, network }) => {
        const answer = await call('GET /portfolio', { tradeAccountId: id });
        const { equity, balance, deposits, unrealizedPnl, realizedPnl, fees, funding } = read(
          'GET /portfolio',
          answer,
        );
        const money = { equity, balance, deposits, unrealizedPnl, realizedPnl, fees, funding };
        return { tradeAccountId: id, alias, connector, mode, network: network ?? null, ...money };
      }),
    );
    printAnswer(context, { balances }, () =>
      printList(
        context,
        balances,
        [
          { title: 'ACCOUNT', cell: (row) => row.alias },
          { title: 'CONNECTOR', cell: (row) => row.connector },
          { title: 'MODE', cell: moneyWord },
          { title: 'EQUITY', align: 'right', cell: (row) => usd(row.equity) },
          { title: 'BALANCE', align: 'right', cell: (row) => usd(row.balance) },
          { title: 'UNREALISED', align: 'right', cell: (row) => signedUsd(row.unrealizedPnl) },
          { title: 'REALISED', align: 'right', cell: (row) => signedUsd(row.realizedPnl) },
          { title: 'FEES PAID', align: 'right', cell: (row) => usd(row.fees) },
          { title: 'FUNDING', align: 'right', cell: (row) => signedUsd(row.funding) },
          { title: 'DEPOSITS', align: 'right', cell: (row) => usd(row.deposits) },
        ],
        'No trade accounts.',
      ),
    );
    return 0;
  },
};
