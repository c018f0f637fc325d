/** Sets one leverage for all legs of the basket. A leg whose instrument allows less gets its highest. */
import { type FormEvent, useRef, useState } from 'react';
import { putLeverage } from '../../../gateway/contract/trading.ts';
import { type Instrument, useInstruments } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { useSettings } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import { ButtonPopup, type ButtonPopupProps } from '../../components/button-popup.tsx';
import { describeError } from '../../components/describe-error.ts';
import layout from '../../components/layout.module.css';
import { TextField } from '../../components/text-field.tsx';
import type { BasketLeg } from '../../features/basket/basket.ts';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormProblems } from '../../features/form-dialog/form-problems.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import css from './basket-builder.module.css';
import { type LeverageOf, useLeverages } from './leverages.ts';
import { LeveragesRead } from './leverages-read.tsx';

export function BasketLeverage({ legs }: { readonly legs: readonly BasketLeg[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { of, isRead } = useLeverages();
  const all = useInstruments();
  const instruments = legs.flatMap(({ id }) => all.filter((one) => one.id === id));
  const leverages = instruments.map((one) => of(one).leverage);
  const [least, most] = [Math.min(...leverages), Math.max(...leverages)];
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css['leverage']}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title="Set the leverage of all legs"
        onClick={() => setOpen(!isOpen)}
      >
        All legs{isRead && (least === most ? ` ${most}×` : ` ${least}–${most}×`)}
      </button>
      {isOpen && (
        <AllLegsPopup
          anchor={button}
          instruments={instruments}
          leverage={most}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface AllLegs {
  readonly instruments: readonly Instrument[];
  /** Highest leverage of the legs now. */
  readonly leverage: number;
}

function AllLegsPopup({ anchor, onClose, ...legs }: AllLegs & ButtonPopupProps) {
  return (
    <ButtonPopup
      anchor={anchor}
      className={css['leveragePopup']}
      title="Leverage of all legs"
      onClose={onClose}
    >
      <LeveragesRead>
        <AllLegsForm {...legs} onDone={onClose} />
      </LeveragesRead>
    </ButtonPopup>
  );
}

/** Changes each leg by itself, so that a refused change does not hold up the others. */
function AllLegsForm({ instruments, leverage, onDone }: AllLegs & { readonly onDone: () => void }) {
  const [draft, setDraft] = useState({ leverage: String(leverage) });
  const [failed, setFailed] = useState<readonly string[]>([]);
  const { of, hasMode, readNow } = useLeverages();
  const limit = useSettings((settings) => settings.limits.highestLeverage);
  const highest = Math.max(...instruments.map(({ maxLeverage }) => maxLeverage));
  const most = Math.min(highest, limit ?? highest);
  const put = useSend('PUT /leverage', { changes: ['GET /leverage'] });
  const sending = useFormSend(/^leverage$/, { settles: false });
  const { number } = draftFields(draft, setDraft, sending.errors);
  const typed = /^\d{1,4}$/.test(draft.leverage.trim()) ? Number(draft.leverage) : Number.NaN;
  const isAbove = typed > most;
  const bounded = instruments.filter(({ maxLeverage }) => typed > maxLeverage);

  const bodyOf = (instrument: Instrument, now: LeverageOf) => ({
    symbol: instrument.id,
    leverage: Math.min(typed, instrument.maxLeverage),
    ...(hasMode ? { marginMode: now(instrument).mode } : {}),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const [first] = instruments;
    if (isAbove || first === undefined) return;
    const refusals: string[] = [];
    const isSent = await sending.send(putLeverage.body, bodyOf(first, of), async () => {
      // Keeps a margin mode that was set elsewhere meanwhile.
      const now = await readNow();
      // Sets also legs that seem to have it: where nothing was set, the venue's default may differ.
      for (const instrument of instruments)
        await put.mutateAsync({ body: bodyOf(instrument, now) }).catch((error: unknown) => {
          refusals.push(`${instrument.symbol}: ${describeError(error).text}`);
        });
    });
    setFailed(refusals);
    if (isSent && refusals.length === 0) onDone();
  };
  return (
    <form className={layout['stack']} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="Leverage"
        help={limit !== null && limit < highest ? `Your limit: ${limit}` : `At most ${most}`}
        inputMode="numeric"
        after="×"
        {...number('leverage')}
        error={isAbove ? `At most ${most}` : sending.errors('leverage')}
      />
      <p className={css['popupNote']} role="status">
        {!isAbove &&
          bounded.map(({ id, symbol, maxLeverage }) => (
            <span key={id} className={css['bounded']}>
              {symbol} gets {maxLeverage}×, its maximum
            </span>
          ))}
      </p>
      <p className={css['popupNote']}>
        A setting of the account: every order has it, and the margin of what is open in these instruments can
        change with it.
        {hasMode &&
          ' Margin modes stay as set here; what was not set becomes cross, or isolated where that is all there is.'}
      </p>
      {failed.length > 0 && (
        <p className={layout['problem']} role="alert">
          {failed.join(' ')}
        </p>
      )}
      <FormProblems sending={sending} />
      <Button type="submit" kind="primary" busy={sending.step !== 'idle'} wide>
        Set for all legs
      </Button>
    </form>
  );
}
