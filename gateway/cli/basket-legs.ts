/** `--long BTC=500 --short ETH=500` → the legs of an order. */

import { usage } from './cli-error.ts';
import { nearest } from './nearest.ts';

export interface OrderLeg {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly mode: 'USD' | 'BASE' | 'WEIGHT';
  readonly amount: string;
}

export interface LegWords {
  readonly longs: readonly string[];
  readonly shorts: readonly string[];
  readonly mode: 'USD' | 'BASE' | 'WEIGHT';
}

const DECIMAL = /^\d{1,20}(\.\d{1,18})?$/;

/** A decimal above zero in plain notation. */
export function isAmount(text: string): boolean {
  return DECIMAL.test(text) && !/^[0.]*$/.test(text);
}

/** Tickers or instrument IDs are accepted. Throws CliError (exit code 2) naming the word that is wrong. */
export function parseLegs(words: LegWords, idByTicker: Readonly<Record<string, string>>): OrderLeg[] {
  const legs = [
    ...words.longs.map((word) => parseLeg(word, 'BUY', '--long', words.mode, idByTicker)),
    ...words.shorts.map((word) => parseLeg(word, 'SELL', '--short', words.mode, idByTicker)),
  ];
  if (legs.length === 0) throw usage('name at least one leg, e.g. --long BTC=500 --short ETH=500');
  const seen = new Set<string>();
  for (const leg of legs) {
    if (seen.has(leg.symbol)) throw usage(`${leg.symbol} is named twice`);
    seen.add(leg.symbol);
  }
  return legs;
}

function parseLeg(
  word: string,
  side: OrderLeg['side'],
  flag: string,
  mode: OrderLeg['mode'],
  idByTicker: Readonly<Record<string, string>>,
): OrderLeg {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const amount = equals < 0 ? '' : word.slice(equals + 1);
  if (name === '' || !isAmount(amount)) {
    throw usage(`${flag} wants a ticker and an amount such as BTC=500, not '${word}'`);
  }
  return { symbol: instrumentOf(name, flag, idByTicker), side, mode, amount };
}

/** The instrument of a ticker or an instrument id, whatever its case. Throws CliError (exit code 2). */
export function instrumentOf(
  name: string,
  flag: string,
  idByTicker: Readonly<Record<string, string>>,
): string {
  const ids = Object.values(idByTicker);
  if (ids.includes(name)) return name;
  const exact = Object.hasOwn(idByTicker, name) ? idByTicker[name] : undefined;
  if (exact !== undefined) return exact;
  const tickers = Object.keys(idByTicker);
  const folded = tickers.find((ticker) => ticker.toLowerCase() === name.toLowerCase());
  const id = folded === undefined ? undefined : idByTicker[folded];
  if (id !== undefined) return id;
  const close = nearest(name.toUpperCase(), tickers);
  throw usage(
    `${flag}: no instrument '${name}' on this venue${close === null ? '; see tandem markets' : ` (did you mean ${close}?)`}`,
  );
}
