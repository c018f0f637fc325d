/** Banner of one account: by instrument, holdings at the venue that no basket explains, and possible actions. */

import Big from 'big.js';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Quantity } from '../../components/amount.tsx';
import { AccountMark, markOf, type NamedAccount } from '../../components/badge.tsx';
import { Age } from '../../components/time.tsx';
import type { AccountDifferences, Difference } from './use-differences.ts';
import css from './venue-differences.module.css';

export function DifferencesBanner({
  of: { differences, checkedAt },
  account,
  actions,
}: {
  readonly of: AccountDifferences;
  /** Named where the screen covers several accounts. */
  readonly account?: NamedAccount | undefined;
  readonly actions: ReactNode;
}) {
  return (
    <section className={css['banner']} aria-label="The venue and your baskets differ">
      <TriangleAlert aria-hidden="true" />
      <div className={css['words']}>
        <p role="status">
          <strong>The venue and your baskets differ</strong>
          {account !== undefined && <AccountMark {...markOf(account)} />}
        </p>
        <ul>
          {differences.map((one) => (
            <li key={one.symbol}>
              <DifferenceWords of={one} checkedAt={checkedAt} />
            </li>
          ))}
        </ul>
      </div>
      <div className={css['actions']}>{actions}</div>
    </section>
  );
}

/** `+0.05` or `−0.05`: holdings of the account beyond its baskets. */
function DifferenceWords({
  of: { ticker, baskets, unassigned, outside, venue },
  checkedAt,
}: {
  readonly of: Difference;
  readonly checkedAt: string | null;
}) {
  const unexplained = venue === null ? null : new Big(venue).minus(baskets).minus(unassigned);
  return (
    <>
      <strong>{ticker}</strong>
      {!new Big(outside).eq(0) && (
        <span>
          <Signed value={outside} /> traded outside Tandem
        </span>
      )}
      {unexplained !== null && !unexplained.eq(0) && (
        <span>
          <Signed value={unexplained.toFixed()} /> at the venue that no trade explains (venue{' '}
          <Quantity value={venue} />, baskets <Quantity value={baskets} />, compared <Age since={checkedAt} />{' '}
          ago)
        </span>
      )}
    </>
  );
}

export function Signed({ value }: { readonly value: string }) {
  const isLong = new Big(value).gt(0);
  return (
    <>
      {isLong ? '+' : '−'}
      <Quantity value={new Big(value).abs().toFixed()} />
    </>
  );
}
