/**
 * Parses legs with words, signs and weights, and binds each of these to its leg. A side bound to the wrong leg would
 * trade the opposite of the intention, so ambiguous text is refused.
 */
import type { Side } from '../basket/basket.ts';
import { partsOf, type SideToken, type Token, type WeightToken } from './worded-tokens.ts';
import { FaultyText, type WrittenLeg } from './written-leg.ts';

interface Leg {
  readonly name: string;
  /** Side from the leg's place before or after a slash; null: there is no slash. */
  readonly pair: Side | null;
  readonly sign: Side | null;
  word: SideToken | null;
  weight: WeightToken | null;
}

interface Part {
  readonly tokens: readonly Token[];
  readonly pair: Side | null;
}

export function wordedLegs(text: string): readonly WrittenLeg[] {
  const parts = pairedParts(partsOf(text));
  const tokens = parts.flatMap((part) => part.tokens);
  const units = tokens.flatMap((token) => (token.is === 'weight' ? [token] : []));
  const mixed = units.find(({ isPercent }) => isPercent !== units[0]?.isPercent);
  if (mixed !== undefined)
    throw new FaultyText(`“${mixed.text}”: write all weights with a percent sign, or none of them.`);
  const words = tokens.flatMap((token) => (token.is === 'side' ? [token] : []));
  if (!wordsFollow(parts)) return legsAfterWords(parts).map((leg) => written(leg, words, false));
  return legsBeforeWords(parts).map((leg) => written(leg, words, true));
}

/** Splits the parts at the slash: longs before it, shorts after it. */
function pairedParts(parts: readonly (readonly Token[])[]): readonly Part[] {
  const count = parts.flat().filter(({ is }) => is === 'pair').length;
  if (count > 1) throw new FaultyText('“/” stands there twice: longs before it, shorts after it.');
  let pair: Side | null = count === 0 ? null : 'BUY';
  return parts.flatMap((tokens) => {
    const at = tokens.findIndex(({ is }) => is === 'pair');
    if (at === -1) return [{ tokens, pair }];
    pair = 'SELL';
    return [
      { tokens: tokens.slice(0, at), pair: 'BUY' as const },
      { tokens: tokens.slice(at + 1), pair },
    ];
  });
}

/** True: sides are written after their legs. A text must have all sides before their legs, or all after them. */
function wordsFollow(parts: readonly Part[]): boolean {
  const ways = parts.flatMap(({ tokens }) => {
    const word = tokens.find(({ is }) => is === 'side');
    const first = tokens.find(({ is }) => is === 'side' || is === 'name');
    return word?.is === 'side' ? [{ word, follows: first !== word }] : [];
  });
  const other = ways.find(({ follows }) => follows !== ways[0]?.follows);
  if (other !== undefined)
    throw new FaultyText(
      `“${other.word.text}”: write each side before its legs, or each after its leg, not both.`,
    );
  return ways[0]?.follows === true;
}

/** `BTC long, ETH short`: each word belongs to the one leg before it. */
function legsBeforeWords(parts: readonly Part[]): readonly Leg[] {
  return parts.flatMap((part) => {
    const reader = new PartReader(part);
    for (const token of part.tokens) {
      if (token.is !== 'side') reader.take(token, null);
      else if (reader.open === null || reader.open.word !== null) throw lone(token.text);
      else reader.word(token);
    }
    return reader.end();
  });
}

/** `long BTC SOL, short ETH`: a word applies to all following legs, up to the next word or a slash. */
function legsAfterWords(parts: readonly Part[]): readonly Leg[] {
  let word: SideToken | null = null;
  /** True: no leg has used the word yet. */
  let isIdle = false;
  let pair: Side | null = null;
  const end = () => {
    if (word !== null && isIdle) throw lone(word.text);
  };
  const legs: Leg[] = [];
  for (const part of parts) {
    if (part.pair !== pair) {
      end();
      word = null;
    }
    pair = part.pair;
    const reader = new PartReader(part);
    for (const token of part.tokens) {
      if (token.is === 'side') {
        end();
        word = token;
        isIdle = true;
        reader.close();
        continue;
      }
      reader.take(token, word);
      if (token.is === 'name') isIdle = false;
    }
    const own = reader.end();
    // A word alone in its line is a heading for the lines below.
    if (own.length > 0) end();
    legs.push(...own);
  }
  end();
  return legs;
}

/** Legs and weights of one part: no weight belongs to a leg of another. */
class PartReader {
  /** The leg that a weight may still belong to. */
  open: Leg | null = null;
  readonly #part: Part;
  readonly #legs: Leg[] = [];
  #sign: Side | null = null;
  #weight: WeightToken | null = null;

  constructor(part: Part) {
    this.#part = part;
  }

  take(token: Exclude<Token, SideToken>, word: SideToken | null): void {
    switch (token.is) {
      case 'sign':
        if (this.#sign !== null) throw lone('-');
        this.#sign = token.side;
        break;
      case 'weight':
        if (this.#sign !== null)
          throw new FaultyText(
            `“- ${token.text}”: is it a dash, or a minus? Leave it out, or write it without the space.`,
          );
        if (this.open?.weight === null) this.open.weight = token;
        else if (this.#weight === null) this.#weight = token;
        else throw lone(token.text);
        break;
      case 'name':
        this.open = {
          name: token.text,
          pair: this.#part.pair,
          sign: token.side ?? this.#sign,
          word,
          weight: this.#weight,
        };
        this.#legs.push(this.open);
        this.#sign = null;
        this.#weight = null;
        break;
    }
  }

  /** Sets the side of the open leg. A dash before the word was only a separator. */
  word(word: SideToken): void {
    if (this.open !== null) this.open.word = word;
    this.#sign = null;
  }

  /** A side word for the following legs completes the leg before it. */
  close(): void {
    this.open = null;
    this.#sign = null;
  }

  end(): readonly Leg[] {
    if (this.#weight !== null) throw lone(this.#weight.text);
    if (this.#sign !== null) throw lone('-');
    return this.#legs;
  }
}

const lone = (text: string) => new FaultyText(`“${text}” belongs to no leg.`);

/**
 * @param words all side words of the text
 * @param follow true: words come after their legs, so one at the end of a pair may belong to the whole pair
 */
function written(
  { name, pair, sign, word, weight }: Leg,
  words: readonly SideToken[],
  follow: boolean,
): WrittenLeg {
  const [any] = words;
  if (pair !== null && any !== undefined && (word === null ? follow : word.side !== pair))
    throw unfit(word ?? any);
  if (any !== undefined && word === null && pair === null)
    throw new FaultyText(`“${name}” has no side, others have: write one for each leg.`);
  const told = word?.side ?? pair ?? sign;
  if (told !== null && sign !== null && sign !== told)
    throw new FaultyText(`“${name}” is ${nameOf(told)}, but its sign is that of a ${nameOf(sign)}.`);
  if (told !== null && weight !== null && weight.side !== null && weight.side !== told)
    throw new FaultyText(
      `“${name}” is ${nameOf(told)}, but its weight “${weight.text}” is ${told === 'BUY' ? 'below' : 'above'} 0.`,
    );
  return {
    name,
    side: told ?? weight?.side ?? null,
    weight: weight?.value ?? null,
    isUsd: weight?.isUsd === true,
  };
}

const nameOf = (side: Side) => (side === 'BUY' ? 'long' : 'short');

const unfit = ({ text }: SideToken) =>
  new FaultyText(
    `“${text}” does not go with “/”: longs stand before it, shorts after it. Turn a pair round to sell it.`,
  );
