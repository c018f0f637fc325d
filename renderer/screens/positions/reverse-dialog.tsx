/** Reverses a position: long legs become short and short legs long, in the same quantities. */
import { useState } from 'react';
import { reversePosition } from '../../../gateway/contract/position-actions.ts';
import { useTicker } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { Pnl, Side } from '../../components/amount.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Facts } from '../../components/facts.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { bracketText, carriesOver } from '../../features/brackets-form/bracket-text.ts';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { slippageInput } from '../../features/percent/percent.ts';
import css from './positions.module.css';
import { FAILURE_POLICIES, SlippageField } from './slippage-field.tsx';
import { useMarketOrder } from './use-market-order.ts';
import type { Position, PositionDialogProps } from './use-position-data.ts';

interface ReverseDraft {
  /** Slippage in percent, as typed. */
  readonly slippage: string;
  readonly onLegFailure: (typeof FAILURE_POLICIES)[number]['value'];
  /** Whether take-profit and stop-loss are carried over to the opposite position. */
  readonly carries: boolean;
}

export function ReverseDialog({ position, onClose }: PositionDialogProps) {
  const account = useAccount();
  const [draft, setDraft] = useState<ReverseDraft>({ slippage: '', onLegFailure: 'KEEP', carries: true });
  const tickerOf = useTicker();
  const sending = useFormSend(/^slippage$/);
  const { choice, flag, percent } = draftFields(draft, setDraft, sending.errors);
  const order = useMarketOrder(position, 'Reverse');
  const submit = () => {
    const { slippage, onLegFailure, carries } = draft;
    const asked = { ...slippageInput(slippage), onLegFailure, brackets: carries ? 'CARRY' : 'DROP' } as const;
    return sending.send(reversePosition.body, asked, (body) =>
      order('POST /positions/{id}/reverse', { params: { id: position.id }, body }),
    );
  };
  return (
    <FormDialog
      account={account}
      title={`Reverse ${useBasketText(position.legs)}`}
      description="The position is closed at market; once that has filled, its opposite is opened in the same quantities."
      sending={sending}
      confirm="Reverse position"
      danger
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className={css['turns']}>
        {position.legs.map((leg) => (
          <li key={leg.symbol}>
            <span>{leg.quantity}</span>
            <Side side={leg.side}>{tickerOf(leg.symbol)}</Side>
            <span aria-hidden="true">→</span>
            <span className="visually-hidden">becomes</span>
            <Side side={leg.side === 'BUY' ? 'SELL' : 'BUY'}>{tickerOf(leg.symbol)}</Side>
          </li>
        ))}
      </ul>
      <Facts
        className={css['facts']}
        of={{ 'PnL at mark, before fees': <Pnl value={position.unrealizedPnl} /> }}
      />
      <Brackets position={position} carries={flag('carries')} />
      <SlippageField {...percent('slippage')} />
      <SelectField
        label="If a leg of the opening fails"
        options={FAILURE_POLICIES}
        {...choice('onLegFailure')}
      />
    </FormDialog>
  );
}

/** What happens to take-profit and stop-loss in the reversal. */
function Brackets({
  position,
  carries,
}: {
  readonly position: Position;
  readonly carries: { readonly checked: boolean; readonly onChange: (carries: boolean) => void };
}) {
  const all = (['takeProfit', 'stopLoss'] as const).flatMap((side) => {
    const bracket = position[side];
    return bracket === null ? [] : [{ side, bracket, goesOver: carriesOver(side, bracket) }];
  });
  if (all.length === 0) return null;
  return (
    <>
      <Facts
        className={css['facts']}
        of={Object.fromEntries(
          all.map(({ side, bracket, goesOver }) => [
            `${side === 'takeProfit' ? 'Take-profit' : 'Stop-loss'} ${bracketText(side, bracket)}`,
            goesOver
              ? carries.checked
                ? 'Goes over to the opposite position'
                : 'Ends'
              : 'Ends: its level means something else on the other side',
          ]),
        )}
      />
      {all.some(({ goesOver }) => goesOver) && (
        <Checkbox {...carries}>Carry take-profit and stop-loss over</Checkbox>
      )}
    </>
  );
}
