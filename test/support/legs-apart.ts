/** Independent model of how far the legs of a TWAP may be apart, in shares of what each was to trade. */
import { expect } from 'chai';
import type { ScriptedVenue } from './scripted-venue.ts';

/** Mark and quantity step of every instrument of the desk. */
const MARK = 100;
const STEP = 0.001;

export interface LegsApart {
  /** Share of each leg that is traded, 0 to 1. */
  shares(): readonly number[];
  /** Base units of a leg that are traded. */
  traded(symbol: string): number;
  /** Largest difference between level legs by rounding to steps, as a share. */
  readonly rounding: number;
  /** How far the legs are apart; fails if it is more than one slice, as it was sent while they were level. */
  check(): number;
}

/** Begins with what is held now. @param sizes USD that each leg is to trade, by name */
export function legsApart(
  venue: ScriptedVenue,
  sizes: Readonly<Record<string, number>>,
  slices: number,
): LegsApart {
  const symbols = Object.keys(sizes).map((name) => `${name}-PERP`);
  const usd = Object.values(sizes);
  const opening = symbols.map((symbol) => Number(venue.held(symbol)));
  const rounding = (2 * STEP * MARK) / Math.min(...usd);
  const traded = (symbol: string) =>
    Math.abs(Number(venue.held(symbol)) - (opening[symbols.indexOf(symbol)] ?? 0));
  const share = (symbol: string, quantity: number) => (quantity * MARK) / (usd[symbols.indexOf(symbol)] ?? 1);
  const shares = () => symbols.map((symbol) => share(symbol, traded(symbol)));
  const apart = () => Math.max(...shares()) - Math.min(...shares());
  let slice = 1 / slices;
  venue.onArrival((orders) => {
    if (apart() > rounding) return;
    slice = Math.max(slice, ...orders.map(({ symbol, quantity }) => share(symbol, Number(quantity))));
  });
  return {
    shares,
    traded,
    rounding,
    check() {
      expect(apart(), `apart: ${shares()}`).to.be.at.most(slice + 2 * rounding);
      expect(Math.max(...shares())).to.be.at.most(1 + rounding);
      return apart();
    },
  };
}
