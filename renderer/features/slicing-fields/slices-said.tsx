/** `10 slices of about $100.00, the last after 9 min`: a TWAP before it is sent. */
import { Amount } from '../../components/amount.tsx';
import { delayText, type PlannedSlice } from './slicing.ts';

export function SlicesSaid({ slices }: { readonly slices: readonly PlannedSlice[] }) {
  const [first, last] = [slices[0], slices.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <>
      {slices.length} {slices.length === 1 ? 'slice' : 'slices'}
      {first.usd !== null && (
        <>
          {' '}
          of {slices.length > 1 && 'about '}
          <Amount value={first.usd} />
        </>
      )}
      {slices.length > 1 && `, the last after ${delayText(last.atSeconds)}`}
    </>
  );
}
