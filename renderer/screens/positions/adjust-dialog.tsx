/** Enlarges or reduces a position: by an amount, by a share of every leg, or leg by leg. */
import { useState } from 'react';
import { planAdjust } from '../../../gateway/contract/position-plans.ts';
import { adjustPosition } from '../../../gateway/contract/positions.ts';
import { useTicker } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Quantity, Side } from '../../components/amount.tsx';
import { FieldGroup } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { useChangePlan } from '../../features/change-plan/use-change-plan.ts';
import { draftFields, type FormPart } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { CLOSING_FAILURES, LEG_FAILURES } from '../../features/leg-failure/leg-failure.ts';
import { useHasOwnLimits, useOwnLimits } from '../../features/own-limits/own-limits.ts';
import { AdjustPreview, OverLimit } from './adjust-preview.tsx';
import { type AdjustDraft, adjustBody, adjustFailure, adjustment, NO_ADJUSTMENT } from './close-draft.ts';
import css from './positions.module.css';
import { SlippageField } from './slippage-field.tsx';
import { useMarketOrder } from './use-market-order.ts';
import type { Position, PositionDialogProps } from './use-position-data.ts';

const INTENTS = [
  { value: 'INCREASE', label: 'Increase' },
  { value: 'REDUCE', label: 'Reduce' },
] as const;
const MEASURES = [
  { value: 'usd', label: 'Amount' },
  { value: 'fraction', label: 'Share' },
  { value: 'targets', label: 'Leg by leg' },
] as const;
const FIELDS = /^(usd|fraction|slippage|targets(\..*)?)$/;

export function AdjustDialog({
  position,
  onClose,
  start = NO_ADJUSTMENT,
}: PositionDialogProps & { readonly start?: AdjustDraft }) {
  const account = useAccount();
  const [draft, setDraft] = useState(start);
  const sending = useFormSend(FIELDS);
  const { choice, percent } = draftFields(draft, setDraft, sending.errors);
  const verb = draft.intent === 'INCREASE' ? 'Increase' : 'Reduce';
  const order = useMarketOrder(position, verb);
  const planned = adjustment(draft);
  const isComplete = planAdjust.body.safeParse(planned).success;
  const preview = useChangePlan('POST /positions/{id}/adjust/plan', position.id, isComplete ? planned : null);
  const opens = preview.plan?.open ?? null;
  const ownLimit = useOwnLimits();
  const limit = opens === null ? null : ownLimit({ totalUsd: opens.grossNotional, legs: opens.legs });
  // The preview has the order's amount. If the user has set limits, sending waits for it.
  const isUnknown =
    useHasOwnLimits() && draft.intent === 'INCREASE' && isComplete && (opens === null || preview.isOld);
  const submit = () =>
    sending.send(adjustPosition.body, adjustBody(draft), (body) =>
      order('POST /positions/{id}/adjust', { params: { id: position.id }, body }),
    );
  return (
    <FormDialog
      account={account}
      title={`Adjust ${useBasketText(position.legs)}`}
      sending={sending}
      confirm={`${verb} position`}
      canSend={(limit === null && !isUnknown) || sending.step !== 'idle'}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segmented options={INTENTS} {...choice('intent')} label="Direction" wide />
      <Segmented options={MEASURES} {...choice('by')} label="By how much" wide />
      <Measure
        value={draft}
        onChange={setDraft}
        errors={sending.errors}
        position={position}
        size={(preview.plan?.position ?? position).grossNotional}
      />
      <SlippageField {...percent('slippage')} />
      <SelectField
        label="If a leg fails"
        options={draft.intent === 'REDUCE' ? CLOSING_FAILURES : LEG_FAILURES}
        {...choice('onLegFailure')}
        value={adjustFailure(draft)}
      />
      <AdjustPreview read={preview} position={position} />
      <OverLimit>{limit}</OverLimit>
    </FormDialog>
  );
}

function Measure({
  value: draft,
  onChange,
  errors,
  position,
  size,
}: FormPart<AdjustDraft> & {
  readonly position: Position;
  /** Size at the mark, USD, as of the preview if there is one. */
  readonly size: string;
}) {
  const tickerOf = useTicker();
  const { number, percent } = draftFields(draft, onChange, errors);
  if (draft.by === 'usd')
    return (
      <TextField
        label="Gross amount"
        help={
          <>
            Spread over the legs by weight. The position is <Amount value={size} /> now.
          </>
        }
        after="USD"
        {...number('usd')}
      />
    );
  if (draft.by === 'fraction')
    return <TextField label="Share of every leg" {...percent('share', 'fraction')} />;
  return (
    <FieldGroup legend="New quantity of each leg">
      <p className={layout['quiet']}>
        An empty leg stays as it is.{' '}
        {draft.intent === 'INCREASE' ? 'To increase, type more than now.' : 'To reduce, type less than now.'}
      </p>
      {errors('targets') !== undefined && (
        <p role="alert" className={layout['problem']}>
          {errors('targets')}
        </p>
      )}
      {position.legs.map((leg) => (
        <TextField
          key={leg.symbol}
          inline
          label={
            <>
              <Side side={leg.side}>{tickerOf(leg.symbol)}</Side>, now <Quantity value={leg.quantity} />
            </>
          }
          numeric
          className={css['narrow']}
          placeholder="unchanged"
          value={draft.targets[leg.symbol] ?? ''}
          onChange={(typed) => onChange({ ...draft, targets: { ...draft.targets, [leg.symbol]: typed } })}
        />
      ))}
    </FieldGroup>
  );
}
