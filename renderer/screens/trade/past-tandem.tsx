/** Notice that Tandem and the venue differ on holdings of the basket's legs. The order leaves the difference. */
import Big from 'big.js';
import { Link } from 'wouter';
import { useAccount } from '../../api/session.ts';
import type { Basket } from '../../features/basket/basket.ts';
import { Signed } from '../../features/venue-differences/differences-banner.tsx';
import { useDifferences } from '../../features/venue-differences/use-differences.ts';
import css from './ticket-panel.module.css';

export function PastTandem({ basket }: { readonly basket: Basket }) {
  const { id } = useAccount();
  const found = useDifferences().find(({ tradeAccountId }) => tradeAccountId === id);
  const own = (found?.differences ?? []).filter(({ symbol }) => basket.legs.some((leg) => leg.id === symbol));
  if (own.length === 0) return null;
  const isTraded = own.some(({ outside }) => !new Big(outside).eq(0));
  return (
    <p className={css['opposite']} role="status">
      {own.map(({ symbol, ticker, outside }) => (
        <span key={symbol}>
          <strong>{ticker}</strong>{' '}
          {new Big(outside).eq(0) ? (
            'differs at the venue'
          ) : (
            <>
              <Signed value={outside} /> traded outside Tandem
            </>
          )}
        </span>
      ))}
      <Link href={isTraded ? '/positions/past-tandem' : '/positions'}>Show on Positions</Link>
    </p>
  );
}
