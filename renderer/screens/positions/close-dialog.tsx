/** Closes a position, or a share of it: now, in slices, or when a condition is met. */
import { useState } from 'react';
import { planClose } from '../../../gateway/contract/position-plans.ts';
import { closePosition } from '../../../gateway/contract/positions.ts';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import { usePlace } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Field, Input } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { say } from '../../components/toast.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { useChangePlan } from '../../features/change-plan/use-change-plan.ts';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { CLOSING_FAILURES } from '../../features/leg-failure/leg-failure.ts';
import { enteredLegs, heldLegs } from '../../features/leg-weights/leg-weights.ts';
import { SlicesSaid } from '../../features/slicing-fields/slices-said.tsx';
import {
  NEW_SLICING,
  plannedSlices,
  type SlicingDraft,
  slicingInput,
} from '../../features/slicing-fields/slicing.ts';
import { SlicingFields } from '../../features/slicing-fields/slicing-fields.tsx';
import { NEW_WATCH, type WatchDraft, watchInput } from '../../features/watch-fields/watch.ts';
import { WatchFields } from '../../features/watch-fields/watch-fields.tsx';
import {
  CLOSE_ALL_OF_IT,
  type CloseBody,
  type CloseDraft,
  type CloseType,
  closeCommon,
} from './close-draft.ts';
import { ClosePreview } from './close-preview.tsx';
import css from './positions.module.css';
import { SlippageField } from './slippage-field.tsx';
import { useMarketOrder } from './use-market-order.ts';
import type { PositionDialogProps } from './use-position-data.ts';

const KINDS: readonly { readonly value: CloseType; readonly label: string }[] = [
  { value: 'MARKET', label: 'Market' },
  { value: 'TWAP', label: 'TWAP' },
  { value: 'TRIGGER', label: 'Trigger' },
];
const SHARES = ['25', '50', '75', '100'] as const;
const FIELDS =
  /^(fraction|slippage|durationSeconds|intervalSeconds|limitRatio|expiresAt|condition\.(type|value|symbol|marketKey))$/;

export function CloseDialog({
  position,
  onClose,
  share: first = '100',
}: PositionDialogProps & { readonly share?: CloseDraft['share'] }) {
  const account = useAccount();
  const [draft, setDraft] = useState({ ...CLOSE_ALL_OF_IT, share: first });
  const [slicing, setSlicing] = useState(NEW_SLICING);
  const [watch, setWatch] = useState<WatchDraft>({
    ...NEW_WATCH,
    type: isPair(position.legs) ? 'PRICE_RATIO' : NEW_WATCH.type,
    direction: 'MORE_THAN',
  });
  const sending = useFormSend(FIELDS);
  const { choice, percent } = draftFields(draft, setDraft, sending.errors);
  const order = useMarketOrder(position, 'Close');
  const rest = usePlace('POST /positions/{id}/close');
  const basket = useBasketText(position.legs);
  const legs = enteredLegs(position);
  const isWhole = Number(draft.share) === 100;
  const asked = planClose.body.safeParse(closeCommon(draft));
  const preview = useChangePlan(
    'POST /positions/{id}/close/plan',
    position.id,
    asked.success ? closeCommon(draft) : null,
  );

  // Position at the time of the figures below, which update less often than the row.
  const head = preview.plan?.position ?? position;

  const submit = () => {
    const common = { ...closeCommon(draft), onLegFailure: draft.onLegFailure };
    const params = { id: position.id };
    const body: CloseBody =
      draft.type === 'MARKET'
        ? { type: 'MARKET', ...common }
        : draft.type === 'TWAP'
          ? { type: 'TWAP', ...common, ...slicingInput(slicing) }
          : ({ type: 'TRIGGER', ...common, ...watchInput(watch, legs) } as CloseBody);
    return sending.send(closePosition.body, body, async (checked) => {
      if (checked.type === 'MARKET') return order('POST /positions/{id}/close', { params, body: checked });
      await rest.mutateAsync({ params, body: checked } as never);
      say(checked.type === 'TWAP' ? 'TWAP began' : 'Trigger set', {
        kind: 'success',
        account,
        detail: 'It stands under Orders.',
      });
    });
  };

  const { errors } = sending;
  const share = percent('share', 'fraction');
  return (
    <FormDialog
      account={account}
      title={`Close ${basket}`}
      sending={sending}
      confirm={confirmText(draft.type, isWhole, draft.share)}
      danger={draft.type === 'MARKET'}
      onSubmit={submit}
      onClose={onClose}
    >
      <Facts
        className={css['facts']}
        of={{
          Size: <Amount value={head.grossNotional} />,
          'Unrealised, at mark': <Pnl value={head.unrealizedPnl} />,
        }}
      />
      <Segmented options={KINDS} {...choice('type')} label="How to close" wide />
      <Field label="Share of the position" error={share.error}>
        <div className={css['share']}>
          <Input
            numeric
            after="%"
            name={share.name}
            value={share.value}
            onChange={({ target }) => share.onChange(target.value)}
          />
          {SHARES.map((one) => (
            <Button key={one} aria-pressed={draft.share === one} onClick={() => share.onChange(one)}>
              {one} %
            </Button>
          ))}
        </div>
      </Field>
      {draft.type === 'TWAP' && (
        <div className={layout['stack']}>
          <SlicingFields
            value={slicing}
            onChange={setSlicing}
            errors={errors}
            legs={heldLegs(position)}
            kind="CLOSE"
          />
          <Slices slicing={slicing} usd={preview.plan?.grossNotional} />
        </div>
      )}
      {draft.type === 'TRIGGER' && (
        <div className={layout['stack']}>
          <WatchFields value={watch} onChange={setWatch} errors={errors} legs={legs} />
        </div>
      )}
      <SlippageField {...percent('slippage')} />
      {position.legs.length > 1 && (
        <SelectField label="If a leg fails" options={CLOSING_FAILURES} {...choice('onLegFailure')} />
      )}
      <ClosePreview read={preview} position={position} waits={draft.type !== 'MARKET'} />
    </FormDialog>
  );
}

function Slices({ slicing, usd }: { readonly slicing: SlicingDraft; readonly usd: string | undefined }) {
  const slices = plannedSlices(slicing, usd === undefined ? null : [usd]);
  if (slices === null) return null;
  return (
    <p className={layout['quiet']}>
      <SlicesSaid slices={slices} />
    </p>
  );
}

function confirmText(type: CloseType, isWhole: boolean, share: string): string {
  if (type === 'TWAP') return 'Start closing';
  if (type === 'TRIGGER') return 'Set trigger';
  return isWhole ? 'Close position' : `Close ${share} %`;
}
