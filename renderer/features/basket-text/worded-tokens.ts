/** Splits a text of legs into tokens, and these into parts: tokens bind only within their part. */
import type { Side } from '../basket/basket.ts';
import { FaultyText } from './written-leg.ts';

const SIDES: Readonly<Record<string, Side>> = { long: 'BUY', buy: 'BUY', short: 'SELL', sell: 'SELL' };
const WEIGHT = /^([+-]?)(\$?)(\d{1,15}(?:\.\d{1,18})?|\.\d{1,18})(%?)$/;

export type Token =
  | { readonly is: 'pair' }
  | { readonly is: 'side'; readonly text: string; readonly side: Side }
  /** A sign that stands alone and applies to the next token. */
  | { readonly is: 'sign'; readonly side: Side }
  | {
      readonly is: 'weight';
      readonly text: string;
      readonly side: Side | null;
      readonly value: number;
      readonly isPercent: boolean;
      readonly isUsd: boolean;
    }
  | { readonly is: 'name'; readonly text: string; readonly side: Side | null };

export type SideToken = Extract<Token, { readonly is: 'side' }>;
export type WeightToken = Extract<Token, { readonly is: 'weight' }>;

/**
 * Each line is a part. Text between commas is one too, if there is a leg in each piece; otherwise commas separate the
 * cells of a row. Lines of weights alone are pasted cells, so the whole text is one part.
 */
export function partsOf(text: string): readonly (readonly Token[])[] {
  const comma = /\d,\d+/.exec(text);
  if (comma !== null)
    throw new FaultyText(`“${comma[0]}”: write weights with a point, and none with groups.`);
  const rows = rowsOf(text).map((row) => row.split(',').map(tokensOf));
  const isTable = rows.every((cells) => cells.flat().some(({ is }) => is !== 'weight' && is !== 'sign'));
  if (!isTable) return [rows.flat(2)];
  return rows.flatMap((cells) => {
    const full = cells.filter((tokens) => tokens.length > 0);
    return full.every((tokens) => tokens.some(({ is }) => is === 'name')) ? full : [full.flat()];
  });
}

const DASH = /^[-–—]\s+/;
const HEADING = /^(?:long|buy|short|sell)\W*$/i;
const SIDE_NEXT = /^[-–—]\s+(?:long|buy|short|sell)\b/i;

/** Lines without their bullets. Refuses a dash that only some lines begin with, because it may be a minus. */
function rowsOf(text: string): readonly string[] {
  const rows = text
    .split(/[\n\r;]+/)
    .map((row) => row.replace(/^[\s•*]+/, '').trimEnd())
    .filter((row) => row !== '');
  const listed = rows.filter((row) => !HEADING.test(row));
  const dashed = rows.find((row) => DASH.test(row));
  if (dashed === undefined) return rows;
  const isList = rows.length > 1 && listed.every((row) => DASH.test(row));
  if (!isList && !rows.every((row) => !DASH.test(row) || SIDE_NEXT.test(row)))
    throw new FaultyText(
      `“${dashed}”: is the dash a bullet, or a short? Leave it out, or write it without the space.`,
    );
  return rows.map((row) => row.replace(DASH, ''));
}

function tokensOf(text: string): readonly Token[] {
  return (
    text
      .replace(/[−–—]/g, '-')
      .replace(/[()=*@|]|:(?=\s|\d|$)/g, ' ')
      .replace(/(\d)\s+%/g, '$1%')
      .replace(/\//g, ' / ')
      // Between two legs a plus joins them, as in the names of baskets; before one leg it is a sign.
      .replace(/(\S)\+(?=[a-z])/gi, '$1 + ')
      .split(/\s+/)
      .filter((part) => part !== '' && part !== '+')
      .map(tokenOf)
  );
}

function tokenOf(part: string): Token {
  if (part === '/' || /^vs\.?$/i.test(part)) return { is: 'pair' };
  const side = SIDES[part.toLowerCase()];
  if (side !== undefined) return { is: 'side', text: part, side };
  if (part === '-') return { is: 'sign', side: 'SELL' };
  const weight = WEIGHT.exec(part);
  if (weight !== null) {
    const [, sign = '', dollar = '', digits = '', percent = ''] = weight;
    const isPercent = percent !== '';
    const value = Number(digits) / (isPercent ? 100 : 1);
    if (!(value > 0)) throw new FaultyText(`“${part}”: a weight is above 0, or below it for a short.`);
    return { is: 'weight', text: part, side: sideOf(sign), value, isPercent, isUsd: dollar !== '' };
  }
  const [, sign = '', name = ''] = /^([+-]?)(.*)$/.exec(part) ?? [];
  return { is: 'name', text: name, side: sideOf(sign) };
}

const sideOf = (sign: string): Side | null => (sign === '' ? null : sign === '-' ? 'SELL' : 'BUY');
