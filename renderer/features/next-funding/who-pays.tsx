/** Funding in the words of its holder. */
import Big from 'big.js';
import { Amount } from '../../components/amount.tsx';

/** Half of the smallest shown amount: below it four decimals would show zero. */
export const LEAST_PAID = '0.00005';

/** `You pay $0.12`, `You receive less than $0.0001`, `none`. @param received USD; negative: the holder pays */
export function WhoPays({ received }: { readonly received: string }) {
  const usd = new Big(received);
  if (usd.eq(0)) return <>none</>;
  const size = usd.abs();
  return (
    <>
      {usd.lt(0) ? 'You pay' : 'You receive'}{' '}
      {size.lt(LEAST_PAID) ? (
        'less than $0.0001'
      ) : (
        <Amount value={size.toFixed()} digits={size.lt(1) ? 4 : 2} />
      )}
    </>
  );
}
