/** Fee of a fill: in dollars as every other amount where it was paid in a dollar coin, else in its own coin. */
import { Amount, Quantity } from '../../components/amount.tsx';

const DOLLARS = new Set(['USD', 'USDC', 'USDT']);
/** Fees of small fills are below a cent. */
const DIGITS = 4;

export function FillFee({ fee, feeAsset }: { readonly fee: string; readonly feeAsset: string }) {
  if (DOLLARS.has(feeAsset)) return <Amount value={fee} digits={DIGITS} />;
  return (
    <>
      <Quantity value={fee} /> {feeAsset}
    </>
  );
}
