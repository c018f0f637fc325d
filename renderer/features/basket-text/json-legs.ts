/** Legs in the API's JSON: an order's (`mode`, `amount`), a saved basket's (`weight`), or an answer's with `legs`. */
import { FaultyText, type WrittenLeg } from './written-leg.ts';

const SIDES = { BUY: 'BUY', LONG: 'BUY', SELL: 'SELL', SHORT: 'SELL' } as const;

export function jsonLegs(text: string): readonly WrittenLeg[] {
  const legs = legsOf(parsed(text));
  const modes = new Set(legs.map((leg) => leg['mode']).filter((mode) => mode !== undefined));
  if (modes.size > 1) throw new FaultyText('“mode” has to be the same for all legs.');
  return legs.map(legOf);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FaultyText('It begins like JSON, but is none.');
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function legsOf(value: unknown): readonly Fields[] {
  const legs = Array.isArray(value) ? value : isObject(value) ? value['legs'] : undefined;
  if (!Array.isArray(legs)) throw new FaultyText('The JSON has no “legs”.');
  return legs.map((leg, index) => {
    if (!isObject(leg)) throw new FaultyText(`“legs[${index}]” is no leg.`);
    return leg;
  });
}

function legOf(leg: Fields, index: number): WrittenLeg {
  const at = (field: string) => `“legs[${index}].${field}”`;
  const { id, side, mode } = leg;
  // If a leg has both, `id` wins: its symbol is then the ticker, which several instruments may share.
  const symbol = typeof id === 'string' && id.trim() !== '' ? id : leg['symbol'];
  if (typeof symbol !== 'string' || symbol.trim() === '')
    throw new FaultyText(`${at('symbol')} has to be an instrument.`);
  const sides: Readonly<Record<string, 'BUY' | 'SELL' | undefined>> = SIDES;
  const own = typeof side === 'string' ? sides[side.toUpperCase()] : undefined;
  if (own === undefined) throw new FaultyText(`${at('side')} has to be BUY or SELL.`);
  if (mode === 'BASE')
    throw new FaultyText(`${at('mode')} is BASE: the basket takes shares or dollars, no quantities.`);
  const field =
    leg['amount'] === undefined ? (leg['weight'] === undefined ? 'targetWeight' : 'weight') : 'amount';
  const amount = leg[field];
  if (amount === undefined) return { name: symbol.trim(), side: own, weight: null, isUsd: false };
  const weight = Number(amount);
  if (
    !(typeof amount === 'string' || typeof amount === 'number') ||
    !(weight > 0) ||
    !Number.isFinite(weight)
  )
    throw new FaultyText(`${at(field)} has to be a number above 0.`);
  return { name: symbol.trim(), side: own, weight, isUsd: field === 'amount' && mode === 'USD' };
}
