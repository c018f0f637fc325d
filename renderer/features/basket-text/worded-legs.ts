/** Legs in words, signs and weights: what belongs to what. */
import type { Side } from '../basket/basket.ts';
import { FaultyText, type WrittenLeg } from './written-leg.ts';

const SIDES: Readonly<Record<string, Side>> = { long: 'BUY', buy: 'BUY', short: 'SELL', sell: 'SELL' };
const WEIGHT = /^([+-]?)\$?(\d{1,15}(?:\.\d{1,18})?|\.\d{1,18})(%?)$/;

type Token =
  | { readonly is: 'pair' }
  | { readonly is: 'side'; readonly side: Side }
  | { readonly is: 'sign'; readonly side: Side }
  | {
      readonly is: 'weight';
      readonly text: string;
      readonly side: Side | null;
      readonly value: number;
      readonly isPercent: boolean;
    }
  | { readonly is: 'name'; readonly text: string; readonly side: Side | null };

type Weight = Extract<Token, { readonly is: 'weight' }>;

interface Leg {
  readonly name: string;
  side: Side | null;
  weight: number | null;
}

export function wordedLegs(text: string): readonly WrittenLeg[] {
  const tokens = tokensOf(text);
  const units = tokens.flatMap((token) => (token.is === 'weight' ? [token] : []));
  const mixed = units.find(({ isPercent }) => isPercent !== units[0]?.isPercent);
  if (mixed !== undefined)
    throw new FaultyText(`“${mixed.text}”: write all weights with a percent sign, or none of them.`);
  return legsOf(tokens);
}

function legsOf(tokens: readonly Token[]): readonly WrittenLeg[] {
  const legs: Leg[] = [];
  /** By a word or a slash, for all that follows. */
  let side: Side | null = null;
  /** By a sign that stands alone, for what is next. */
  let sign: Side | null = null;
  let isPair = false;
  let weight: Weight | null = null;
  /** The leg that a weight may still belong to. */
  let open: Leg | null = null;
  const weigh = (leg: Leg, one: Weight) => {
    leg.weight = one.value;
    if (one.side === 'SELL' && leg.side === 'BUY')
      throw new FaultyText(`“${leg.name}” is long, but its weight “${one.text}” is below 0.`);
    leg.side ??= one.side;
  };
  for (const token of tokens) {
    switch (token.is) {
      case 'side':
        side = token.side;
        open = null;
        break;
      case 'pair':
        if (isPair) throw new FaultyText('“/” stands there twice: longs before it, shorts after it.');
        isPair = true;
        for (const leg of legs) leg.side ??= 'BUY';
        side = 'SELL';
        open = null;
        break;
      case 'sign':
        sign = token.side;
        break;
      case 'weight': {
        const one = sign === null ? token : { ...token, side: sign };
        sign = null;
        if (open?.weight === null) weigh(open, one);
        else if (weight === null) weight = one;
        else throw new FaultyText(`“${one.text}” belongs to no leg.`);
        break;
      }
      case 'name': {
        open = { name: token.text, side: token.side ?? sign ?? side, weight: null };
        sign = null;
        legs.push(open);
        if (weight !== null) weigh(open, weight);
        weight = null;
        break;
      }
    }
  }
  if (weight !== null) throw new FaultyText(`“${weight.text}” belongs to no leg.`);
  return legs;
}

function tokensOf(text: string): readonly Token[] {
  const comma = /\d,\d+/.exec(text);
  if (comma !== null)
    throw new FaultyText(`“${comma[0]}”: write weights with a point, and none with groups.`);
  return (
    text
      .replace(/[−–—]/g, '-')
      .replace(/[()=*@|,;]|:(?=\s|\d)/g, ' ')
      .replace(/(\d)\s+%/g, '$1%')
      .replace(/\//g, ' / ')
      // Between two legs a plus joins them, as in the names of baskets; before one it is a sign.
      .replace(/(\S)\+(?=[a-z])/gi, '$1 + ')
      .split(/\s+/)
      .filter((part) => part !== '' && part !== '+')
      .map(tokenOf)
  );
}

function tokenOf(part: string): Token {
  if (part === '/' || /^vs\.?$/i.test(part)) return { is: 'pair' };
  const side = SIDES[part.toLowerCase()];
  if (side !== undefined) return { is: 'side', side };
  if (part === '-') return { is: 'sign', side: 'SELL' };
  const weight = WEIGHT.exec(part);
  if (weight !== null) {
    const [, sign = '', digits = '', percent = ''] = weight;
    const value = Number(digits) / (percent === '' ? 1 : 100);
    if (!(value > 0)) throw new FaultyText(`“${part}”: a weight is above 0, or below it for a short.`);
    return { is: 'weight', text: part, side: sideOf(sign), value, isPercent: percent !== '' };
  }
  const [, sign = '', name = ''] = /^([+-]?)(.*)$/.exec(part) ?? [];
  return { is: 'name', text: name, side: sideOf(sign) };
}

const sideOf = (sign: string): Side | null => (sign === '' ? null : sign === '-' ? 'SELL' : 'BUY');
