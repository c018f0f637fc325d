/** Confirmation of an account's first order with real money: its possible cost, confirmed once by the owner. */
import Big from 'big.js';
import { useState } from 'react';
import { readAnew, useGet } from '../../api/queries.ts';
import { type TradeAccount, useClient } from '../../api/session.ts';
import { Amount } from '../../components/amount.tsx';
import { ModeBadge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Facts } from '../../components/facts.tsx';
import { DollarFee } from '../../features/fill-fee/fill-fee.tsx';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import type { Plan } from './chart-lines.ts';
import css from './review-sheet.module.css';

export interface FirstLiveOrder {
  /** True: nothing is sent before the summary is confirmed. */
  readonly isBlocked: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** The summary; null: there is nothing to confirm. */
  readonly summary: { readonly isSeen: boolean; readonly onSeen: (isSeen: boolean) => void } | null;
  /** Stores the confirmation, then sends. */
  readonly place: () => void;
}

export function useFirstLiveOrder(account: TradeAccount, onPlace: () => void): FirstLiveOrder {
  const client = useClient();
  const isLive = account.mode === 'LIVE';
  const params = { id: account.id };
  const arming = useGet(
    'GET /trade-accounts/{id}/arming',
    { params },
    { shared: true, enabled: isLive, freshForMs: 0 },
  );
  const [isSeen, setSeen] = useState(false);
  const known = arming.data;
  const isFirst = isLive && known?.firstOrderConfirmedAt === null;
  const confirm = useAction(async () => {
    if (known === undefined) return;
    const { armed, perOrderUsd, totalUsd } = known;
    const body = { alias: account.alias, armed, perOrderUsd, totalUsd, firstOrderConfirmed: true as const };
    await client.call('PUT /trade-accounts/{id}/arming', { params, body });
    await readAnew('GET /trade-accounts/{id}/arming');
    onPlace();
  });
  return {
    isBlocked: isLive && (known === undefined || (isFirst && !isSeen)),
    isBusy: confirm.busy,
    error: confirm.error ?? arming.error,
    summary: isFirst ? { isSeen, onSeen: setSeen } : null,
    place: () => (isFirst ? void confirm.run() : onPlace()),
  };
}

export function FirstLiveSummary({
  account,
  plan,
  isSeen,
  onSeen,
}: {
  readonly account: TradeAccount;
  readonly plan: Plan | null;
  readonly isSeen: boolean;
  readonly onSeen: (isSeen: boolean) => void;
}) {
  const isTestnet = account.network === 'testnet';
  return (
    <section className={css['first']} aria-label="First live order of this account">
      <p>
        <ModeBadge mode={account.mode} network={account.network} />{' '}
        <strong>
          {isTestnet
            ? "This is the account's first order, with play money of the test network."
            : "This is the account's first order with real money."}
        </strong>
      </p>
      <Facts
        label="What it can cost"
        of={{
          'Opens, USD': <Amount value={plan?.grossNotional} />,
          'Fee, USD': <DollarFee fee={plan?.totalFee} />,
          'Lost at once at the worst price, USD': (
            <Amount value={plan === null ? undefined : slippageOf(plan)} />
          ),
        }}
      />
      <Checkbox checked={isSeen} onChange={onSeen}>
        I have read it: {isTestnet ? 'send it to the test network' : 'send it with real money'}
      </Checkbox>
    </section>
  );
}

/** Sum over the legs of quantity × distance between mark price and limit price. */
function slippageOf({ legs }: Plan): string {
  return legs
    .reduce(
      (sum, { price, limitPrice, quantity }) =>
        sum.plus(new Big(limitPrice).minus(price).abs().times(quantity)),
      new Big(0),
    )
    .toFixed(2);
}
