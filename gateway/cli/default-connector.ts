/** The venue that a command without a key is about. */
import { read } from './answers.ts';
import { CliError, usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import type { GatewayApi } from './gateway-api.ts';
import { nearest } from './nearest.ts';
import { accountApi, dataDirFor, keyedApi } from './reach-gateway.ts';
import { findApiKey } from './saved-key.ts';

/** The venue of all paper accounts, where no account is named and they have one in common; null: an account decides. */
async function onlyVenue(context: CommandContext): Promise<string | null> {
  if (context.flags.texts.has('--account') || context.env['TANDEM_ACCOUNT']) return null;
  const { call } = keyedApi(context);
  const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
  const venues = new Set(
    tradeAccounts.filter(({ mode }) => mode !== 'LIVE').map(({ connector }) => connector),
  );
  const [venue, ...others] = venues;
  if (others.length > 0)
    throw usage(
      `your paper accounts are at several venues (${[...venues].join(', ')}): name one with --connector`,
    );
  return venue ?? null;
}

/** `--connector`, else that of the account, where there is a key, else the first paper venue. */
export async function defaultConnector(context: CommandContext, api: GatewayApi): Promise<string> {
  const { texts } = context.flags;
  const named = texts.get('--connector');
  const hasKey = findApiKey(context.env, dataDirFor(context)) !== null;
  if (named === undefined && (hasKey || texts.has('--account')))
    return (await onlyVenue(context)) ?? (await accountApi(context)).account.connector;
  const { connectors } = read('GET /connectors', await api.call('GET /connectors'));
  const ids = connectors.map(({ id }) => id);
  if (named !== undefined) {
    if (ids.includes(named)) return named;
    const close = nearest(named, ids);
    throw usage(
      `no connector '${named}'${close === null ? '' : ` (did you mean ${close}?)`}; there are: ${ids.join(', ')}`,
    );
  }
  const first = connectors.find(({ mode }) => mode === 'PAPER') ?? connectors[0];
  if (first === undefined) throw new CliError('this gateway has no venue');
  return first.id;
}
