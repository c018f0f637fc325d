/**
 * A venue's names and units to ours: `kPEPE`, `1000PEPEUSDT` and `PEPE-USDT-SWAP` in contracts of ten million are all
 * `PEPE-PERP`, counted in single PEPE. Prices are divided by what one unit of the venue holds, quantities multiplied.
 */
import { canonical, type Decimal, type DecimalString, dec, text } from '../../../domain/decimal.ts';

/** An instrument as the venue lists it. */
export interface Listing {
  /** Lasting identity at the venue; the same key is the same instrument. */
  readonly key: string;
  /** The coin as the venue writes it: `BTC`, `kPEPE`, `1000PEPE`. */
  readonly coin: string;
  /** Currency of quotes and settlement: `USDT`. */
  readonly quote: string;
  /** Coins (as the venue writes them) in one unit of its quantities. Missing: 1. */
  readonly contractSize?: DecimalString;
}

export interface SymbolRules {
  /** Prefixes of coins that count many as one, with the number: `{ k: '1000', '1000': '1000' }`. Powers of ten. */
  readonly prefixes: Readonly<Record<string, DecimalString>>;
  /** Coins that begin like that and are called so: `1000X`. */
  readonly notPrefixed?: readonly string[];
  /** Coins that the venue writes differently, after the prefix is off: `{ XBT: 'BTC' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Quote currency whose instruments are called `<coin>-PERP`; others are `<coin>-<quote>-PERP`. */
  readonly defaultQuote: string;
}

export interface Listed {
  readonly key: string;
  /** `BTC-PERP`. */
  readonly symbol: string;
  /** `BTC`. */
  readonly ticker: string;
  /** Base units in one unit of the venue's quantities. */
  readonly multiplier: DecimalString;
  readonly units: Units;
}

/** Exact conversions between the venue's units and ours; the tick converts like a price, the step like a quantity. */
export interface Units {
  priceToOurs(price: DecimalString): DecimalString;
  priceToVenue(price: DecimalString): DecimalString;
  quantityToOurs(quantity: DecimalString): DecimalString;
  /** null: the venue has no exact decimal for it, as with contracts of three. */
  quantityToVenue(quantity: DecimalString): DecimalString | null;
}

export interface Symbols {
  bySymbol(symbol: string): Listed | undefined;
  byKey(key: string): Listed | undefined;
  all(): readonly Listed[];
}

/**
 * Names every listing. No two get the same symbol. If several claim one, a `known` one keeps it, else the one without a
 * prefix gets it, else the first of the list. The others get the venue's own name, counted as the venue counts. A
 * listing whose own name is taken too is left out.
 * @param known former symbols by key: positions are stored under them, so they never move
 */
export function nameListings(
  listings: readonly Listing[],
  rules: SymbolRules,
  known: ReadonlyMap<string, string> = new Map(),
): Symbols {
  const bySymbol = new Map<string, Listed>();
  const byKey = new Map<string, Listed>();
  const taken = new Set(known.values());

  function add(listing: Listing, name: Name): boolean {
    const before = known.get(listing.key);
    const mine = before === undefined ? !taken.has(name.symbol) : before === name.symbol;
    if (!mine || bySymbol.has(name.symbol)) return false;
    const contractSize = listing.contractSize ?? '1';
    const multiplier = text(dec(name.multiplier).mul(contractSize));
    const units = unitsOf(name.multiplier, contractSize);
    const listed = { key: listing.key, symbol: name.symbol, ticker: name.ticker, multiplier, units };
    bySymbol.set(name.symbol, listed);
    byKey.set(listing.key, listed);
    return true;
  }

  const seen = new Set<string>();
  const once = listings.filter(({ key }) => !seen.has(key) && seen.add(key));
  const prefixed = (listing: Listing) => nameOf(listing, rules).multiplier !== '1';
  for (const listing of [...once.filter((one) => !prefixed(one)), ...once.filter(prefixed)]) {
    if (!add(listing, nameOf(listing, rules))) add(listing, rawName(listing, rules));
  }
  return {
    bySymbol: (symbol) => bySymbol.get(symbol),
    byKey: (key) => byKey.get(key),
    all: () => [...bySymbol.values()],
  };
}

interface Name {
  readonly symbol: string;
  readonly ticker: string;
  readonly multiplier: DecimalString;
}

function nameOf(listing: Listing, rules: SymbolRules): Name {
  const { coin, multiplier } = withoutPrefix(listing.coin, rules);
  const alias = Object.hasOwn(rules.aliases ?? {}, coin) ? rules.aliases?.[coin] : undefined;
  return named((alias ?? coin).toUpperCase(), multiplier, listing.quote, rules);
}

/** Venue's own name, letter by letter: `kPEPE` beside a `KPEPE` must not become the same. */
function rawName(listing: Listing, rules: SymbolRules): Name {
  return named(listing.coin, '1', listing.quote, rules);
}

function named(ticker: string, multiplier: DecimalString, quote: string, rules: SymbolRules): Name {
  const symbol = quote === rules.defaultQuote ? `${ticker}-PERP` : `${ticker}-${quote}-PERP`;
  return { symbol, ticker, multiplier };
}

/** The longest prefix counts: `1000000MOG` is a million MOG, not a thousand of `000MOG`. */
function withoutPrefix(coin: string, rules: SymbolRules): { coin: string; multiplier: DecimalString } {
  if (rules.notPrefixed?.includes(coin)) return { coin, multiplier: '1' };
  const longestFirst = Object.entries(rules.prefixes).sort(([a], [b]) => b.length - a.length);
  for (const [prefix, multiplier] of longestFirst) {
    // A coin's own name begins with a capital: `kPEPE` has a prefix, `1000` and `KAITO` have none.
    const rest = coin.slice(prefix.length);
    if (coin.startsWith(prefix) && /^[A-Z]/.test(rest)) return { coin: rest, multiplier };
  }
  return { coin, multiplier: '1' };
}

function unitsOf(multiplier: DecimalString, contractSize: DecimalString): Units {
  const perPrice = dec(multiplier);
  const perQuantity = perPrice.mul(contractSize);
  // Most instruments count as we do. Every price of a stream and every order comes by here.
  if (perPrice.eq(1) && perQuantity.eq(1))
    return {
      priceToOurs: canonical,
      priceToVenue: canonical,
      quantityToOurs: canonical,
      quantityToVenue: canonical,
    };
  return {
    priceToOurs: (price) => exact(dec(price).div(perPrice), perPrice, price),
    priceToVenue: (price) => text(dec(price).mul(perPrice)),
    quantityToOurs: (quantity) => text(dec(quantity).mul(perQuantity)),
    quantityToVenue(quantity) {
      const venues = dec(quantity).div(perQuantity);
      return venues.mul(perQuantity).eq(quantity) ? text(venues) : null;
    },
  };
}

/** @throws when the quotient is not exact, which a multiplier that is a power of ten rules out */
function exact(quotient: Decimal, divisor: Decimal, dividend: DecimalString): DecimalString {
  if (!quotient.mul(divisor).eq(dividend)) throw new Error('the multiplier is not a power of ten');
  return text(quotient);
}
