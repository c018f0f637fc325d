/** The form behind a leg's leverage, beside the button that opened it. */
import { Popover } from '@base-ui/react/popover';
import { type FormEvent, type RefObject, useState } from 'react';
import { putLeverage } from '../../../gateway/contract/trading.ts';
import type { Instrument } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { useSettings } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import popup from '../../components/popup.module.css';
import { Segmented } from '../../components/radio.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormProblems } from '../../features/form-dialog/form-problems.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import css from './basket-builder.module.css';

type MarginMode = Instrument['marginModes'][number];

const MODE_NAMES: Readonly<Record<MarginMode, string>> = { cross: 'Cross', isolated: 'Isolated' };

interface Setting {
  readonly instrument: Instrument;
  readonly leverage: number;
  readonly mode: MarginMode;
  readonly hasMode: boolean;
}

export function LeveragePopup({
  anchor,
  onClose,
  ...setting
}: Setting & {
  /** The button that opened it: it has the focus again afterwards. */
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}) {
  return (
    <Popover.Root
      open
      onOpenChange={(_, { event }) => {
        // The button itself closes it.
        const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target) === true;
        if (!isOnButton || event.type === 'keydown') onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          className={popup['positioner']}
          positionMethod="fixed"
          sideOffset={4}
        >
          <Popover.Popup className={`${popup['popup']} ${css['leveragePopup']}`} finalFocus={anchor}>
            <Popover.Title className={css['popupTitle']}>
              Leverage of {setting.instrument.symbol}
            </Popover.Title>
            <LeverageForm {...setting} onDone={onClose} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function LeverageForm({
  instrument,
  leverage,
  mode,
  hasMode,
  onDone,
}: Setting & { readonly onDone: () => void }) {
  const [draft, setDraft] = useState({ leverage: String(leverage), marginMode: mode });
  const limit = useSettings((settings) => settings.limits.highestLeverage);
  const most = Math.min(instrument.maxLeverage, limit ?? instrument.maxLeverage);
  const save = useSend('PUT /leverage', { changes: ['GET /leverage'], onDone });
  const sending = useFormSend(/^leverage$/, { settles: false });
  const { choice, number } = draftFields(draft, setDraft, sending.errors);
  const typed = /^\d{1,4}$/.test(draft.leverage.trim()) ? Number(draft.leverage) : Number.NaN;
  const isAbove = typed > most;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isAbove) return;
    const asked = {
      symbol: instrument.id,
      leverage: typed,
      ...(hasMode ? { marginMode: draft.marginMode } : {}),
    };
    void sending.send(putLeverage.body, asked, (body) => save.mutateAsync({ body }));
  };
  return (
    <form className={layout['stack']} onSubmit={submit} noValidate>
      <TextField
        label="Leverage"
        help={limit !== null && limit < instrument.maxLeverage ? `Your limit: ${limit}` : `At most ${most}`}
        inputMode="numeric"
        after="×"
        {...number('leverage')}
        error={isAbove ? `At most ${most}` : sending.errors('leverage')}
      />
      {hasMode && instrument.marginModes.length > 1 && (
        <Segmented
          wide
          label="Margin mode"
          options={instrument.marginModes.map((value) => ({ value, label: MODE_NAMES[value] }))}
          {...choice('marginMode')}
        />
      )}
      <p className={css['popupNote']}>
        A setting of the account: every order has it, and the margin of what is open in {instrument.symbol}{' '}
        can change with it.
      </p>
      <FormProblems sending={sending} />
      <Button type="submit" kind="primary" busy={sending.step !== 'idle'} wide>
        Set
      </Button>
    </form>
  );
}
