/** The trade accounts that a caller reaches, as answers name them. */
import type { Answer, Ask } from './ask.ts';
import { Refused } from './ask.ts';
import type { AccountOut } from './fields.ts';
import { untrusted } from './untrusted.ts';

export type TradeAccountRow = Answer<'GET /trade-accounts'>['tradeAccounts'][number];

export async function accountsOf(ask: Ask): Promise<readonly TradeAccountRow[]> {
  return (await ask('GET /trade-accounts')).tradeAccounts;
}

export function accountOut({ id, alias, connector, mode, network }: TradeAccountRow): AccountOut {
  const isReal = mode === 'LIVE' && network !== 'testnet';
  return { id, alias: untrusted(alias, 48), venue: connector, money: isReal ? 'REAL MONEY' : 'PLAY MONEY' };
}

/** @throws Refused: the caller reaches no such account, which cannot be told apart from one that does not exist */
export async function accountNamed(ask: Ask, id: string): Promise<AccountOut> {
  const row = (await accountsOf(ask)).find((account) => account.id === id.toLowerCase());
  if (row !== undefined) return accountOut(row);
  throw new Refused({
    ok: false,
    status: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: 'Trade account not found',
    details: [{ path: 'account', message: 'Not one of accounts[].id of whoami', code: 'not_found' }],
  });
}
