/** The open position that a command is about, and what a basket is called. */
import { type PositionAnswer, read } from './answers.ts';
import type { GatewayApi } from './gateway-api.ts';
import { chooseById } from './ids.ts';

/** Most rows of one page. */
export const EVERY = 2_000;

/** By its id or an end of it. @throws CliError unless exactly one open position fits */
export async function openPosition(api: GatewayApi, wanted: string): Promise<PositionAnswer> {
  const answer = await api.call('GET /positions', { query: { status: 'OPEN', limit: EVERY } });
  const { positions } = read('GET /positions', answer);
  return chooseById(positions, wanted, 'open position', 'tandem positions');
}

interface NamedLeg {
  readonly side: 'BUY' | 'SELL';
  readonly symbol: string;
  readonly ticker?: string | null | undefined;
}

/** `BTC / ETH+SOL`: longs, then shorts. */
export function basketName({ legs }: { readonly legs: readonly NamedLeg[] }): string {
  const side = (wanted: 'BUY' | 'SELL') =>
    legs
      .filter((leg) => leg.side === wanted)
      .map((leg) => leg.ticker ?? leg.symbol)
      .join('+') || '–';
  return `${side('BUY')} / ${side('SELL')}`;
}
