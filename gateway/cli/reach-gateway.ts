/** Finds the running gateway, the caller's key and the trade account of a command. */
import type { Agent } from 'node:http';
import { apiKeyCredentials, type Credentials } from '../client/credentials.ts';
import { dataDirOf } from '../config.ts';
import { localSocketPaths } from '../system/local-socket.ts';
import { read, type TradeAccountAnswer } from './answers.ts';
import { CliError, usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import { folderHolder } from './folder-holder.ts';
import { createGatewayApi, type GatewayApi } from './gateway-api.ts';
import { ambiguous, fittingIds } from './ids.ts';
import { provenAgent } from './proven-connection.ts';
import { findApiKey } from './saved-key.ts';
import { stripControls } from './table.ts';

const DEFAULT_PORT = 7391;

export function dataDirFor(context: CommandContext): string {
  return dataDirOf(context, context.flags.texts.get('--data-dir'));
}

/**
 * Address of the gateway: `--url` > `--port` > `TANDEM_URL` > the gateway that holds the data folder > `TANDEM_PORT`.
 * There is no default port: while this folder's gateway does not run, another program could listen there and get the
 * saved key.
 */
export function gatewayUrl(context: CommandContext): string {
  const url = context.flags.texts.get('--url');
  if (url !== undefined) return checkedUrl(url, '--url');
  const port = context.flags.texts.get('--port');
  if (port !== undefined) return loopback(port, '--port');
  const named = context.env['TANDEM_URL'];
  if (named) return checkedUrl(named, 'TANDEM_URL');
  const dataDir = dataDirFor(context);
  const holder = folderHolder(dataDir);
  if (holder?.url) return holder.url;
  if (holder !== null) throw new CliError(`the gateway (pid ${holder.pid}) is still starting; try again`);
  const fromEnvironment = context.env['TANDEM_PORT'];
  if (fromEnvironment && fromEnvironment !== '0') return loopback(fromEnvironment, 'TANDEM_PORT');
  throw new CliError(
    `no gateway runs on the data folder ${dataDir}; start it with: tandem start (or name another one with --url, --port or --data-dir)`,
  );
}

function loopback(port: string, from: string): string {
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535)
    throw usage(`${from} must be a port number from 1 to 65535, not '${port}'`);
  return `http://127.0.0.1:${number}`;
}

function checkedUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usage(`${from} must be an address such as http://127.0.0.1:${DEFAULT_PORT}, not '${text}'`);
  }
  // A key in clear text stays on this machine.
  const local = /^(127(\.\d+){3}|\[::1\]|localhost|(.+\.)?localhost)$/.test(url.hostname);
  if (url.protocol === 'http:' && !local) throw usage(`${from}: a gateway on another machine needs https`);
  if (url.username !== '' || url.password !== '')
    throw usage(`${from} must not hold a user name or password`);
  return url.origin;
}

/**
 * Agent that carries secrets to the gateway at `url` and to nobody else. null: over https, where the certificate proves
 * the gateway. Any other gateway has to be the one that holds the data folder of this command.
 */
function trustedAgent(context: CommandContext, url: string, maxSockets?: number): Agent | null {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === 'https:') return null;
  const dataDir = dataDirFor(context);
  const holder = folderHolder(dataDir);
  const isHolder = holder?.url != null && new URL(holder.url).port === port;
  const why =
    holder?.url == null
      ? `no gateway runs on the data folder ${dataDir}`
      : isHolder
        ? `it does not have the key of the data folder ${dataDir}`
        : `the gateway of the data folder ${dataDir} is at ${holder.url}`;
  // A lock that somebody else wrote could name a socket of theirs.
  const sockets = localSocketPaths(dataDir, context.env);
  const socketPath = sockets.find((path) => path === holder?.socketPath) ?? null;
  const place = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    nonce: isHolder ? holder.token : null,
    socketPath: isHolder ? socketPath : null,
    refusal: `whoever answers at ${url} does not prove to be your gateway, so nothing was sent: ${why} (name its data folder with --data-dir)`,
  };
  return provenAgent(place, maxSockets);
}

/** Options of every call that may carry a secret to the gateway. */
export function trustedGateway(context: CommandContext, maxSockets?: number) {
  const url = gatewayUrl(context);
  return { url, agent: trustedAgent(context, url, maxSockets), interrupted: context.interrupted };
}

/** API for calls without a credential. */
export function anonymousApi(context: CommandContext): GatewayApi {
  return createGatewayApi({ url: gatewayUrl(context), interrupted: context.interrupted });
}

export function requireApiKey(context: CommandContext): string {
  const key = findApiKey(context.env, dataDirFor(context));
  if (key === null) {
    throw new CliError('no API key: make one with `tandem keys create --save`, or set TANDEM_API_KEY');
  }
  return key;
}

export function keyedApi(context: CommandContext): GatewayApi {
  const gateway = trustedGateway(context);
  return createGatewayApi({
    ...gateway,
    credentials: apiKeyCredentials(requireApiKey(context)),
  });
}

export interface AccountAccess {
  readonly api: GatewayApi;
  readonly account: TradeAccountAnswer;
  /** Options for further connections to the same gateway, such as a WebSocket. */
  readonly gateway: ReturnType<typeof trustedGateway>;
  readonly credentials: Credentials;
}

/** The account named by `--account` or `TANDEM_ACCOUNT` (id or alias), else the only one. */
export async function accountApi(context: CommandContext): Promise<AccountAccess> {
  const gateway = trustedGateway(context);
  const credentials = apiKeyCredentials(requireApiKey(context));
  const { call } = createGatewayApi({ ...gateway, credentials });
  const { tradeAccounts } = read('GET /trade-accounts', await call('GET /trade-accounts'));
  const named = context.flags.texts.get('--account') ?? (context.env['TANDEM_ACCOUNT'] || undefined);
  const account = chooseAccount(tradeAccounts, named);
  const api = createGatewayApi({ ...gateway, credentials, tradeAccountId: account.id });
  return { api, account, gateway, credentials };
}

/** The account with this id or alias; undefined: the only one that trades no real money. */
export function chooseAccount(
  accounts: readonly TradeAccountAnswer[],
  named: string | undefined,
): TradeAccountAnswer {
  if (named === undefined) {
    if (accounts.length === 0)
      throw new CliError('this key reaches no trade account; make one with POST /trade-accounts');
    const [first, ...others] = accounts.filter(({ mode }) => mode !== 'LIVE');
    // Nothing defaults to real money.
    if (first === undefined) throw usage('every account of this key is live: name one with --account');
    if (others.length > 0) {
      const aliases = [first, ...others].map(({ alias }) => `'${stripControls(alias)}'`).join(', ');
      throw usage(`there are several paper accounts (${aliases}): name one with --account or TANDEM_ACCOUNT`);
    }
    return first;
  }
  const wanted = named.toLowerCase();
  const exact = accounts.filter((account) => account.id === wanted || account.alias.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : fittingIds(accounts, wanted);
  const [account] = found;
  if (account !== undefined && found.length === 1) return account;
  const list = accounts.map((one) => one.alias).join(', ');
  if (exact.length === 0 && found.length > 1) throw ambiguous(found, named, 'account');
  if (found.length > 1)
    throw usage(`several accounts are called '${named}'; name one by its id (tandem accounts)`);
  throw usage(`no trade account '${named}'${list === '' ? '' : `; there are: ${list}`}`);
}
