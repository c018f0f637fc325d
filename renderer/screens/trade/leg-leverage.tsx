/**
 * Leverage and margin mode of an instrument on the account, beside its leg. Both are settings of the account: a
 * change here applies to every order. The margin mode is hidden where the venue does not take one.
 */
import { Popover } from '@base-ui/react/popover';
import { type FormEvent, useState } from 'react';
import { putLeverage } from '../../../gateway/contract/trading.ts';
import { type Instrument, useConnector } from '../../api/market.ts';
import { useGet, useSend } from '../../api/queries.ts';
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

const DEFAULT_LEVERAGE = 5;
const MODE_NAMES: Readonly<Record<MarginMode, string>> = { cross: 'Cross', isolated: 'Isolated' };

export function LegLeverage({ instrument }: { readonly instrument: Instrument }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useGet('GET /leverage', {});
  const setting = data?.leverage.find(({ symbol }) => symbol === instrument.id);
  const leverage = setting?.leverage ?? Math.min(DEFAULT_LEVERAGE, instrument.maxLeverage);
  const mode = setting?.marginMode ?? 'cross';
  const hasMode = useConnector()?.marginMode !== 'rejected';
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        className={css['leverage']}
        aria-label={`Leverage of ${instrument.symbol}: ${leverage} times${hasMode ? `, ${mode}` : ''}`}
      >
        {leverage}×{hasMode && mode === 'isolated' ? ' iso' : ''}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={popup['positioner']} sideOffset={4}>
          <Popover.Popup className={`${popup['popup']} ${css['leveragePopup']}`}>
            <Popover.Title className={css['popupTitle']}>Leverage of {instrument.symbol}</Popover.Title>
            <LeverageForm
              instrument={instrument}
              leverage={leverage}
              mode={mode}
              hasMode={hasMode}
              onDone={() => setOpen(false)}
            />
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
}: {
  readonly instrument: Instrument;
  readonly leverage: number;
  readonly mode: MarginMode;
  readonly hasMode: boolean;
  readonly onDone: () => void;
}) {
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
        label="Times"
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
      <p className={css['popupNote']}>A setting of the account: it holds for every order.</p>
      <FormProblems sending={sending} />
      <Button type="submit" kind="primary" busy={sending.step !== 'idle'} wide>
        Set
      </Button>
    </form>
  );
}
