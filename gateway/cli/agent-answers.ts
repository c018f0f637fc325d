/** Agents and their limits as the command line names and finds them. */
import type { Call } from '../client/route-types.ts';
import type { AgentBody } from '../contract/agents.ts';
import type { NamedAccount } from '../contract/mandate-words.ts';
import { read } from './answers.ts';
import { usage } from './cli-error.ts';
import { ambiguous, fittingIds } from './ids.ts';

export const STATE_WORDS: Readonly<Record<AgentBody['state'], string>> = {
  READS: 'reads',
  TRADES: 'trades',
  ASKS: 'trades, asks',
  UNLIMITED: 'NO LIMITS',
  SUSPENDED: 'paused',
  ENDED: 'time is over',
};

/** Connected agents, and keys that a mandate binds. */
export async function readAgents(call: Call) {
  const { agents, house } = read('GET /agents', await call('GET /agents'));
  return { house, agents: agents.filter(({ kind, mandate }) => kind === 'oauth_grant' || mandate !== null) };
}

/** By id, an end of it, or by name. @throws CliError unless exactly one is meant */
export function chooseAgent(agents: readonly AgentBody[], wanted: string): AgentBody {
  const exact = agents.filter(({ id, name }) => id === wanted || name === wanted);
  const found = exact.length > 0 ? exact : fittingIds(agents, wanted);
  const [one] = found;
  if (one === undefined) throw usage(`no agent '${wanted}'; see tandem agents list`);
  if (exact.length === 0 && found.length > 1) throw ambiguous(found, wanted, 'agent');
  if (found.length > 1) throw usage(`${found.length} agents are called '${wanted}'; name one by its id`);
  return one;
}

export async function readNamedAccounts(call: Call): Promise<readonly NamedAccount[]> {
  const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
  return tradeAccounts.map((account) => ({
    id: account.id,
    alias: account.alias,
    money: moneyOf(account.mode, account.network),
  }));
}

function moneyOf(mode: 'PAPER' | 'LIVE', network: string | null | undefined): NamedAccount['money'] {
  return mode === 'LIVE' && network === 'testnet' ? 'TESTNET' : mode;
}
