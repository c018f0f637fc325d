/** Turning a position over: what was long becomes short, in the same quantities. */
import { useState } from 'react';
import { reversePosition } from '../../../gateway/contract/position-actions.ts';
import { useTicker } from '../../api/market.ts';
import { Pnl, Side } from '../../components/amount.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { bracketText, carriesOver } from '../../features/brackets-form/bracket-text.ts';
import { inPercent } from '../../features/field-errors/field-errors.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { FAILURE_POLICIES } from './adjust-dialog.tsx';
import { SlippageField } from './close-dialog.tsx';
import { fractionOfPercent } from './close-draft.ts';
import css from './positions.module.css';
import { useBasketText, useMarketOrder } from './use-market-order.ts';
import type { Position } from './use-position-data.ts';

type Policy = (typeof FAILURE_POLICIES)[number]['value'];

export function ReverseDialog({
  position,
  onClose,
}: {
  readonly position: Position;
  readonly onClose: () => void;
}) {
  const [slippage, setSlippage] = useState('');
  const [onLegFailure, setPolicy] = useState<Policy>('KEEP');
  const [carries, setCarries] = useState(true);
  const tickerOf = useTicker();
  const sending = useFormSend((path) => path === 'slippage');
  const order = useMarketOrder(position, 'Reverse');
  const submit = async () => {
    const given = slippage.trim() === '' ? {} : { slippage: fractionOfPercent(slippage) ?? slippage };
    const asked = { ...given, onLegFailure, brackets: carries ? 'CARRY' : 'DROP' } as const;
    const went = await sending.send(reversePosition.body, asked, (body) =>
      order('POST /positions/{id}/reverse', { params: { id: position.id }, body }),
    );
    if (went) onClose();
  };
  return (
    <FormDialog
      title={`Reverse ${useBasketText(position)}`}
      description="The position is closed at market; once that has filled, its opposite is opened in the same quantities."
      sending={sending}
      confirm="Reverse position"
      danger
      onSubmit={() => void submit()}
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
      <dl className={css['facts']}>
        <div>
          <dt>PnL at mark, before fees</dt>
          <dd>
            <Pnl value={position.unrealizedPnl} />
          </dd>
        </div>
      </dl>
      <Brackets position={position} carries={carries} onChange={setCarries} />
      <SlippageField value={slippage} onChange={setSlippage} error={inPercent(sending.errors('slippage'))} />
      <Field label="If a leg of the opening fails">
        <Select options={FAILURE_POLICIES} value={onLegFailure} onChange={setPolicy} />
      </Field>
    </FormDialog>
  );
}

/** What becomes of take-profit and stop-loss. */
function Brackets({
  position,
  carries,
  onChange,
}: {
  readonly position: Position;
  readonly carries: boolean;
  readonly onChange: (carries: boolean) => void;
}) {
  const all = (['takeProfit', 'stopLoss'] as const).flatMap((side) => {
    const bracket = position[side];
    return bracket === null ? [] : [{ side, bracket, goesOver: carriesOver(side, bracket) }];
  });
  if (all.length === 0) return null;
  return (
    <>
      <dl className={css['facts']}>
        {all.map(({ side, bracket, goesOver }) => (
          <div key={side}>
            <dt>
              {side === 'takeProfit' ? 'Take-profit' : 'Stop-loss'} {bracketText(side, bracket)}
            </dt>
            <dd>
              {goesOver && carries
                ? 'Goes over to the opposite position'
                : goesOver
                  ? 'Ends'
                  : 'Ends: its level means something else on the other side'}
            </dd>
          </div>
        ))}
      </dl>
      {all.some(({ goesOver }) => goesOver) && (
        <Checkbox checked={carries} onChange={onChange}>
          Carry take-profit and stop-loss over
        </Checkbox>
      )}
    </>
  );
}
