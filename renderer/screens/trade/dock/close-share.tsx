/** Review before half or all of a position closes at market: closed amounts, realised PnL, effect on its brackets. */
import Big from 'big.js';
import { readAnew } from '../../../api/queries.ts';
import { useAccount, useClient } from '../../../api/session.ts';
import { Amount, Pnl } from '../../../components/amount.tsx';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Facts } from '../../../components/facts.tsx';
import { useBasketText } from '../../../features/basket-name/use-basket-text.ts';
import { BRACKET_SIDES } from '../../../features/brackets-form/bracket-text.ts';
import { useChangePlan } from '../../../features/change-plan/use-change-plan.ts';
import { useAction } from '../../../features/one-at-a-time/use-action.ts';
import { protectionFacts } from '../../../features/protection/protection.tsx';
import { sendOrder } from '../../../features/sent-orders/sent-orders.ts';
import type { Position } from './use-dock.ts';

export function CloseShare({
  position,
  share,
  onClose,
}: {
  readonly position: Position;
  /** Share to close, a decimal fraction. */
  readonly share: '0.5' | '1';
  readonly onClose: () => void;
}) {
  const account = useAccount();
  const client = useClient();
  const name = useBasketText(position.legs);
  const isWhole = share === '1';
  const verb = isWhole ? 'Close' : 'Close half of';
  const { plan } = useChangePlan('POST /positions/{id}/close/plan', position.id, { fraction: share });
  const action = useAction(async () => {
    await sendOrder({
      client,
      accountId: account.id,
      route: 'POST /positions/{id}/close',
      title: `${verb} ${name}`,
      request: { params: { id: position.id }, body: { type: 'MARKET', fraction: share } },
    });
    onClose();
    void readAnew('GET /executions', 'GET /positions');
  });
  const brackets = BRACKET_SIDES.filter((side) => position[side] !== null).length;
  return (
    <ConfirmDialog
      open
      danger
      account={account}
      title={`${verb} ${name}`}
      confirm={isWhole ? 'Close position' : 'Close half'}
      busy={action.busy}
      error={action.error}
      onConfirm={() => void action.run()}
      onClose={onClose}
    >
      <Facts
        of={{
          Closes: <Amount value={part(position.grossNotional, share)} />,
          'Realises about': <Pnl value={part(position.unrealizedPnl, share)} />,
          ...(brackets === 0
            ? {}
            : { 'TP and SL': isWhole ? 'End with the position' : 'Stay, for what is left' }),
          ...protectionFacts(plan?.protection ?? [], 'after'),
        }}
      />
      <p>At market, before fees.</p>
    </ConfirmDialog>
  );
}

function part(value: string | null, share: string): string | null {
  return value === null ? null : new Big(value).times(share).toFixed();
}
