/** Closing a position, or a share of it: now, in slices, or when a condition is met. */
import { useState } from 'react';
import { closePosition } from '../../../gateway/contract/positions.ts';
import { usePlace } from '../../api/queries.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { say } from '../../components/toast.tsx';
import { inPercent } from '../../features/field-errors/field-errors.ts';
import form from '../../features/form.module.css';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { NEW_SLICING, slicingInput } from '../../features/slicing-fields/slicing.ts';
import { SlicingFields } from '../../features/slicing-fields/slicing-fields.tsx';
import { NEW_WATCH, type WatchDraft, watchInput } from '../../features/watch-fields/watch.ts';
import { WatchFields } from '../../features/watch-fields/watch-fields.tsx';
import { CLOSE_ALL_OF_IT, type CloseBody, type CloseType, closeCommon } from './close-draft.ts';
import css from './positions.module.css';
import { useBasketText, useMarketOrder } from './use-market-order.ts';
import type { Position } from './use-position-data.ts';
import { isPair, weighedLegs } from './weighed-legs.ts';

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
}: {
  readonly position: Position;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState(CLOSE_ALL_OF_IT);
  const [slicing, setSlicing] = useState(NEW_SLICING);
  const [watch, setWatch] = useState<WatchDraft>({
    ...NEW_WATCH,
    type: isPair(position) ? 'PRICE_RATIO' : NEW_WATCH.type,
    direction: 'MORE_THAN',
  });
  const sending = useFormSend((path) => FIELDS.test(path));
  const order = useMarketOrder(position, 'Close');
  const rest = usePlace('POST /positions/{id}/close');
  const basket = useBasketText(position);
  const legs = weighedLegs(position);
  const isWhole = Number(draft.share) === 100;
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });

  const submit = async () => {
    const common = closeCommon(draft);
    const params = { id: position.id };
    const body: CloseBody =
      draft.type === 'MARKET'
        ? { type: 'MARKET', ...common }
        : draft.type === 'TWAP'
          ? { type: 'TWAP', ...common, ...slicingInput(slicing) }
          : ({ type: 'TRIGGER', ...common, ...watchInput(watch, legs) } as CloseBody);
    const went = await sending.send(closePosition.body, body, async (checked) => {
      if (checked.type === 'MARKET') return order('POST /positions/{id}/close', { params, body: checked });
      await rest.mutateAsync({ params, body: checked } as never);
      say(checked.type === 'TWAP' ? 'TWAP began' : 'Trigger set', {
        kind: 'success',
        detail: 'It stands under Orders.',
      });
    });
    if (went) onClose();
  };

  const { errors } = sending;
  return (
    <FormDialog
      title={`Close ${basket}`}
      sending={sending}
      confirm={confirmText(draft.type, isWhole, draft.share)}
      danger={draft.type === 'MARKET'}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <dl className={css['facts']}>
        <div>
          <dt>Size</dt>
          <dd>
            <Amount value={position.grossNotional} />
          </dd>
        </div>
        <div>
          <dt>Unrealised PnL</dt>
          <dd>
            <Pnl value={position.unrealizedPnl} />
          </dd>
        </div>
      </dl>
      <Segmented
        options={KINDS}
        value={draft.type}
        onChange={(type) => set({ type })}
        label="How to close"
        wide
      />
      <Field label="Share of the position" error={inPercent(errors('fraction'))}>
        <div className={css['share']}>
          <Input
            numeric
            after="%"
            value={draft.share}
            invalid={errors('fraction') !== undefined}
            onChange={(event) => set({ share: event.target.value })}
          />
          {SHARES.map((share) => (
            <Button key={share} aria-pressed={draft.share === share} onClick={() => set({ share })}>
              {share} %
            </Button>
          ))}
        </div>
      </Field>
      {draft.type === 'TWAP' && (
        <div className={form['stack']}>
          <SlicingFields value={slicing} onChange={setSlicing} errors={errors} kind="CLOSE" />
        </div>
      )}
      {draft.type === 'TRIGGER' && (
        <div className={form['stack']}>
          <WatchFields value={watch} onChange={setWatch} errors={errors} legs={legs} />
        </div>
      )}
      <SlippageField
        value={draft.slippage}
        onChange={(slippage) => set({ slippage })}
        error={inPercent(errors('slippage'))}
      />
    </FormDialog>
  );
}

function confirmText(type: CloseType, isWhole: boolean, share: string): string {
  if (type === 'TWAP') return 'Start closing';
  if (type === 'TRIGGER') return 'Set trigger';
  return isWhole ? 'Close position' : `Close ${share} %`;
}

export function SlippageField({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}) {
  return (
    <Field label="Slippage" help="Furthest from the mark price. Empty: 1 %" error={error}>
      <Input
        numeric
        after="%"
        placeholder="1"
        value={value}
        invalid={error !== undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
