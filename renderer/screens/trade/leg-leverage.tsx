/**
 * Leverage and margin mode of an instrument on the account, beside its leg. They are settings of the account: changing them
 * here changes them for every order. The margin mode is not shown where the venue does not take one.
 */
import { Popover } from '@base-ui/react/popover';
import { type FormEvent, useState } from 'react';
import { ValidationFailed } from '../../../gateway/client/client.ts';
import { putLeverage } from '../../../gateway/contract/trading.ts';
import { type Instrument, useConnector } from '../../api/market.ts';
import { useGet, useSend } from '../../api/queries.ts';
import { useSettings } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import { Field, Input } from '../../components/field.tsx';
import popup from '../../components/popup.module.css';
import { Segmented } from '../../components/radio.tsx';
import { ErrorState } from '../../components/states.tsx';
import { errorsOf, schemaIssues } from '../../features/field-errors/field-errors.ts';
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
  const [typed, setTyped] = useState(String(leverage));
  const [marginMode, setMarginMode] = useState(mode);
  const [isTried, setTried] = useState(false);
  const limit = useSettings((settings) => settings.limits.highestLeverage);
  const most = Math.min(instrument.maxLeverage, limit ?? instrument.maxLeverage);
  const save = useSend('PUT /leverage', { changes: ['GET /leverage'], onDone });

  const asked = {
    symbol: instrument.id,
    leverage: /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : Number.NaN,
    ...(hasMode ? { marginMode } : {}),
  };
  const parsed = putLeverage.body.safeParse(asked);
  const own = parsed.success ? [] : schemaIssues(parsed.error.issues);
  const theirs = save.error instanceof ValidationFailed ? save.error.fields : [];
  const errors = errorsOf(isTried ? [...own, ...theirs] : theirs);
  const isAbove = parsed.success && parsed.data.leverage > most;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setTried(true);
    if (parsed.success && !isAbove) save.mutate({ body: parsed.data });
  };
  return (
    <form className={css['popupForm']} onSubmit={submit} noValidate>
      <Field
        label="Times"
        help={limit !== null && limit < instrument.maxLeverage ? `Your limit: ${limit}` : `At most ${most}`}
        error={isAbove ? `At most ${most}` : leverageWords(errors('leverage'))}
      >
        <Input
          numeric
          inputMode="numeric"
          after="×"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {hasMode && instrument.marginModes.length > 1 && (
        <Segmented
          wide
          label="Margin mode"
          options={instrument.marginModes.map((value) => ({ value, label: MODE_NAMES[value] }))}
          value={marginMode}
          onChange={setMarginMode}
        />
      )}
      <p className={css['popupNote']}>A setting of the account: it holds for every order.</p>
      {save.error !== null && theirs.length === 0 && <ErrorState compact error={save.error} />}
      <Button type="submit" kind="primary" busy={save.isPending} wide>
        Set
      </Button>
    </form>
  );
}

function leverageWords(message: string | undefined): string | undefined {
  return message?.startsWith('Invalid input') === true ? 'Expected a whole number' : message;
}
