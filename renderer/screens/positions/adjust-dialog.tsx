/** Making a position larger or smaller: by an amount, by a share of every leg, or leg by leg. */
import { useState } from 'react';
import { adjustPosition } from '../../../gateway/contract/positions.ts';
import { useTicker } from '../../api/market.ts';
import { Amount, Quantity, Side } from '../../components/amount.tsx';
import { Field, FieldGroup, Input } from '../../components/field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { type FieldErrors, inPercent } from '../../features/field-errors/field-errors.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { SlippageField } from './close-dialog.tsx';
import { type AdjustDraft, adjustBody, NO_ADJUSTMENT } from './close-draft.ts';
import css from './positions.module.css';
import { useBasketText, useMarketOrder } from './use-market-order.ts';
import type { Position } from './use-position-data.ts';

const INTENTS = [
  { value: 'INCREASE', label: 'Increase' },
  { value: 'REDUCE', label: 'Reduce' },
] as const;
const MEASURES = [
  { value: 'usd', label: 'Amount' },
  { value: 'fraction', label: 'Share' },
  { value: 'targets', label: 'Leg by leg' },
] as const;
export const FAILURE_POLICIES = [
  { value: 'KEEP', label: 'Keep what filled' },
  { value: 'UNWIND', label: 'Unwind what filled' },
  { value: 'RETRY', label: 'Retry, then keep' },
] as const;
const FIELDS = /^(usd|fraction|slippage|targets(\..*)?)$/;

export function AdjustDialog({
  position,
  onClose,
}: {
  readonly position: Position;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState(NO_ADJUSTMENT);
  const sending = useFormSend((path) => FIELDS.test(path));
  const order = useMarketOrder(position, draft.intent === 'INCREASE' ? 'Increase' : 'Reduce');
  const set = (change: Partial<AdjustDraft>) => setDraft({ ...draft, ...change });
  const submit = async () => {
    const went = await sending.send(adjustPosition.body, adjustBody(draft), (body) =>
      order('POST /positions/{id}/adjust', { params: { id: position.id }, body }),
    );
    if (went) onClose();
  };
  const verb = draft.intent === 'INCREASE' ? 'Increase' : 'Reduce';
  return (
    <FormDialog
      title={`Adjust ${useBasketText(position)}`}
      sending={sending}
      confirm={`${verb} position`}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Segmented
        options={INTENTS}
        value={draft.intent}
        onChange={(intent) => set({ intent })}
        label="Direction"
        wide
      />
      <Segmented
        options={MEASURES}
        value={draft.by}
        onChange={(by) => set({ by })}
        label="By how much"
        wide
      />
      <Measure draft={draft} set={set} errors={sending.errors} position={position} />
      <SlippageField
        value={draft.slippage}
        onChange={(slippage) => set({ slippage })}
        error={inPercent(sending.errors('slippage'))}
      />
      <Field label="If a leg fails">
        <Select
          options={FAILURE_POLICIES}
          value={draft.onLegFailure}
          onChange={(onLegFailure) => set({ onLegFailure })}
        />
      </Field>
    </FormDialog>
  );
}

function Measure({
  draft,
  set,
  errors,
  position,
}: {
  readonly draft: AdjustDraft;
  readonly set: (change: Partial<AdjustDraft>) => void;
  readonly errors: FieldErrors;
  readonly position: Position;
}) {
  const tickerOf = useTicker();
  if (draft.by === 'usd')
    return (
      <Field
        label="Gross amount"
        help={
          <>
            Spread over the legs by weight. The position is <Amount value={position.grossNotional} /> now.
          </>
        }
        error={errors('usd')}
      >
        <Input
          numeric
          after="USD"
          value={draft.usd}
          invalid={errors('usd') !== undefined}
          onChange={(event) => set({ usd: event.target.value })}
        />
      </Field>
    );
  if (draft.by === 'fraction')
    return (
      <Field label="Share of every leg" error={inPercent(errors('fraction'))}>
        <Input
          numeric
          after="%"
          value={draft.share}
          invalid={errors('fraction') !== undefined}
          onChange={(event) => set({ share: event.target.value })}
        />
      </Field>
    );
  return (
    <FieldGroup legend="New quantity of each leg">
      <p className={css['hint']}>An empty leg stays as it is.</p>
      {errors('targets') !== undefined && (
        <p role="alert" className={css['problem']}>
          {errors('targets')}
        </p>
      )}
      {position.legs.map((leg) => (
        <Field
          key={leg.symbol}
          inline
          label={
            <>
              <Side side={leg.side}>{tickerOf(leg.symbol)}</Side>, now <Quantity value={leg.quantity} />
            </>
          }
        >
          <Input
            numeric
            className={css['narrow']}
            placeholder={leg.quantity}
            value={draft.targets[leg.symbol] ?? ''}
            onChange={(event) => set({ targets: { ...draft.targets, [leg.symbol]: event.target.value } })}
          />
        </Field>
      ))}
    </FieldGroup>
  );
}
