/** Margin of an isolated leg: added, or taken out. */
import { useState } from 'react';
import { changeMargin } from '../../../gateway/contract/position-actions.ts';
import { useTicker } from '../../api/market.ts';
import { usePlace } from '../../api/queries.ts';
import { Amount, Ratio } from '../../components/amount.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { say } from '../../components/toast.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

const WAYS = [
  { value: 'add', label: 'Add' },
  { value: 'take', label: 'Take out' },
] as const;

export const isolatedLegs = ({ legs }: Pick<Position, 'legs'>) =>
  legs.filter(({ marginMode }) => marginMode === 'isolated');

export function MarginDialog({
  position,
  onClose,
}: {
  readonly position: Position;
  readonly onClose: () => void;
}) {
  const legs = isolatedLegs(position);
  const [symbol, setSymbol] = useState(legs[0]?.symbol ?? '');
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('add');
  const [amount, setAmount] = useState('');
  const tickerOf = useTicker();
  const sending = useFormSend((path) => path === 'amount' || path === 'symbol');
  const place = usePlace('POST /positions/{id}/margin');
  const leg = legs.find((one) => one.symbol === symbol);
  const submit = async () => {
    const typed = amount.trim();
    const body = { symbol, amount: way === 'take' && typed !== '' ? `-${typed}` : typed };
    const went = await sending.send(changeMargin.body, body, (checked) =>
      place.mutateAsync({ params: { id: position.id }, body: checked } as never),
    );
    if (!went) return;
    say(way === 'add' ? 'Margin added' : 'Margin taken out', { kind: 'success' });
    onClose();
  };
  return (
    <FormDialog
      title="Margin of an isolated leg"
      sending={sending}
      confirm={way === 'add' ? 'Add margin' : 'Take margin out'}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label="Leg" error={sending.errors('symbol')}>
        <Select
          options={legs.map((one) => ({ value: one.symbol, label: tickerOf(one.symbol) }))}
          value={symbol}
          onChange={setSymbol}
        />
      </Field>
      {leg !== undefined && (
        <dl className={css['facts']}>
          <div>
            <dt>Notional</dt>
            <dd>
              <Amount value={leg.notional} />
            </dd>
          </div>
          <div>
            <dt>Leverage</dt>
            <dd>{leg.leverage}x isolated</dd>
          </div>
          <div>
            <dt>Liquidation price</dt>
            <dd>
              <Ratio value={leg.liquidationPrice} figures={8} />
            </dd>
          </div>
        </dl>
      )}
      <Segmented options={WAYS} value={way} onChange={setWay} label="Add or take out" wide />
      <Field label="Amount" error={sending.errors('amount')}>
        <Input
          numeric
          after="USD"
          value={amount}
          invalid={sending.errors('amount') !== undefined}
          onChange={(event) => setAmount(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
