/** Fee of a fill: in dollars as every other amount where it was paid in a dollar coin, else in its own coin. */
import { Amount, Quantity } from '../../components/amount.tsx';
import { signOf } from '../../components/format.ts';

const DOLLARS = new Set(['USD', 'USDC', 'USDT']);
/** Four decimals, because fees of small fills are below a cent; two for zero, where more would suggest a fee. */
export function DollarFee({ fee }: { readonly fee: string | null | undefined }) {
  return <Amount value={fee} digits={fee != null && signOf(fee) === 0 ? 2 : 4} />;
}

export function FillFee({ fee, feeAsset }: { readonly fee: string; readonly feeAsset: string }) {
  if (DOLLARS.has(feeAsset)) return <DollarFee fee={fee} />;
  return (
    <>
      <Quantity value={fee} /> {feeAsset}
    </>
  );
}
