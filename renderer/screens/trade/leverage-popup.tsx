/** Form for a leg's leverage, beside the button that opened it. */
import { type FormEvent, useState } from 'react';
import { putLeverage } from '../../../gateway/contract/trading.ts';
import type { Instrument } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { useSettings } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import { ButtonPopup, type ButtonPopupProps } from '../../components/button-popup.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormProblems } from '../../features/form-dialog/form-problems.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import css from './basket-builder.module.css';
import type { MarginMode } from './leverages.ts';
import { LeveragesRead } from './leverages-read.tsx';

const MODE_NAMES: Readonly<Record<MarginMode, string>> = { cross: 'Cross', isolated: 'Isolated' };

interface Setting {
  readonly instrument: Instrument;
  readonly leverage: number;
  readonly mode: MarginMode;
  readonly hasMode: boolean;
}

export function LeveragePopup({ anchor, onClose, ...setting }: Setting & ButtonPopupProps) {
  return (
    <ButtonPopup
      anchor={anchor}
      className={css['leveragePopup']}
      title={`Leverage of ${setting.instrument.symbol}`}
      onClose={onClose}
    >
      <LeveragesRead>
        <LeverageForm {...setting} onDone={onClose} />
      </LeveragesRead>
    </ButtonPopup>
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
