/** Common parts of the commands about venues: the connector or account meant, and hidden secrets. */
import type { Row } from '../client/client.ts';
import { CliError, usage } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import { nearest } from './nearest.ts';

type Connector = Row<'GET /connectors'>;

/** The live connector of this name, on the main or the test network. */
export function connectorOf(connectors: readonly Connector[], name: string, isTestnet: boolean): Connector {
  const live = connectors.filter(({ mode }) => mode === 'LIVE');
  if (live.length === 0) throw new CliError('live venues are switched off on this gateway (TANDEM_LIVE=off)');
  const id = isTestnet && !name.endsWith('-testnet') ? `${name}-testnet` : name;
  const found = live.find((connector) => connector.id === id);
  if (found !== undefined) return found;
  const close = nearest(
    id,
    live.map((connector) => connector.id),
  );
  throw usage(`no live venue '${id}'${close === null ? '' : ` (did you mean ${close}?)`}`);
}

/** From questions, or from standard input, one line each, in the order of the fields. */
export async function readSecrets(
  { terminal }: Pick<CommandContext, 'terminal'>,
  /** Mark of what the secrets are for. */
  word: string,
  fields: readonly NonNullable<Connector['credentials']>[number][],
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const lines = terminal.canAsk ? [] : (await terminal.readInput()).split(/\r?\n/);
  for (const [index, { name, label, required }] of fields.entries()) {
    const value = (
      terminal.canAsk ? await terminal.askSecret(`${word}: ${label}: `) : (lines[index] ?? '')
    ).trim();
    if (value !== '') values[name] = value;
    else if (required) throw usage(`${label} is needed, typed at the question or on standard input`);
  }
  return values;
}
