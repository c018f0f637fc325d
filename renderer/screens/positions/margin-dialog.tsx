/** Adds margin to an isolated leg, or takes it out. */
import Big from 'big.js';
import { useState } from 'react';
import { changeMargin } from '../../../gateway/contract/position-actions.ts';
import { useTicker } from '../../api/market.ts';
import { usePlace } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount } from '../../components/amount.tsx';
import { Facts } from '../../components/facts.tsx';
import { Segmented } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { Price } from '../../features/instrument-figure/instrument-figure.tsx';
import { useRisk } from '../../features/position-columns/use-risk.ts';
import css from './positions.module.css';
import type { Position, PositionDialogProps } from './use-position-data.ts';

const WAYS = [
  { value: 'add', label: 'Add' },
  { value: 'take', label: 'Take out' },
] as const;

interface MarginDraft {
  readonly symbol: string;
  readonly way: (typeof WAYS)[number]['value'];
  /** Amount of margin, USD. */
  readonly amount: string;
}

export const isolatedLegs = ({ legs }: Pick<Position, 'legs'>) =>
  legs.filter(({ marginMode }) => marginMode === 'isolated');

/** Margin above the leverage's requirement at the mark, USD: the venue can return it. */
function spareOf({ marginUsed, notional, leverage }: Position['legs'][number]): string {
  const spare = new Big(marginUsed).minus(new Big(notional).div(leverage));
  return spare.lt(0) ? '0' : spare.round(2, Big.roundDown).toFixed();
}

export function MarginDialog({ position, onClose }: PositionDialogProps) {
  const account = useAccount();
  const legs = isolatedLegs(position);
  const [draft, setDraft] = useState<MarginDraft>({ symbol: legs[0]?.symbol ?? '', way: 'add', amount: '' });
  const { symbol, way, amount } = draft;
  const tickerOf = useTicker();
  const sending = useFormSend(/^(amount|symbol)$/);
  const { choice, number } = draftFields(draft, setDraft, sending.errors);
  const place = usePlace('POST /positions/{id}/margin');
  const leg = legs.find((one) => one.symbol === symbol);
  const risk = useRisk().data;
  const submit = () => {
    const typed = amount.trim();
    const body = { symbol, amount: way === 'take' && typed !== '' ? `-${typed}` : typed };
    return sending.send(changeMargin.body, body, async (checked) => {
      await place.mutateAsync({ params: { id: position.id }, body: checked } as never);
      say(way === 'add' ? 'Margin added' : 'Margin taken out', { kind: 'success', account });
    });
  };
  return (
    <FormDialog
      account={account}
      title="Margin of an isolated leg"
      sending={sending}
      confirm={way === 'add' ? 'Add margin' : 'Take margin out'}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Leg"
        options={legs.map((one) => ({ value: one.symbol, label: tickerOf(one.symbol) }))}
        {...choice('symbol')}
        error={sending.errors('symbol')}
      />
      {leg !== undefined && (
        <Facts
          className={css['facts']}
          of={{
            Margin: <Amount value={leg.marginUsed} />,
            Notional: <Amount value={leg.notional} />,
            Leverage: `${leg.leverage}× isolated`,
            'Mark price': <Price symbol={leg.symbol} value={leg.markPrice} />,
            'Liquidation price': <Price isRounded symbol={leg.symbol} value={leg.liquidationPrice} />,
          }}
        />
      )}
      <Segmented options={WAYS} {...choice('way')} label="Add or take out" wide />
      <TextField
        label="Amount"
        after="USD"
        help={
          way === 'add' ? (
            <>
              <Amount value={risk?.freeMargin} /> of the account is free
            </>
          ) : (
            leg !== undefined && (
              <>
                About <Amount value={spareOf(leg)} /> at most: {leg.leverage}× needs the rest
              </>
            )
          )
        }
        {...number('amount')}
      />
    </FormDialog>
  );
}
