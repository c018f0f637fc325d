/** Finds an instrument by ticker or id and hands over its id; the field is empty again for the next one. */
import { Combobox as Base } from '@base-ui/react/combobox';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Instrument } from '../../api/market.ts';
import popup from '../../components/popup.module.css';
import css from './instrument-picker.module.css';
import { searchInstruments } from './search.ts';

/** Long lists are drawn up to here; typing finds the rest. */
const DRAWN = 100;

const STATUS: Readonly<Record<Instrument['tradeability']['status'], string | null>> = {
  tradable: null,
  reduce_only: 'Reduce only',
  not_tradable: 'Not tradable',
};

export function InstrumentPicker({
  instruments,
  taken,
  label,
  disabled = false,
  onPick,
}: {
  readonly instruments: readonly Instrument[];
  /** Ids that are chosen already. */
  readonly taken: readonly string[];
  /** Its name and its placeholder. */
  readonly label: string;
  readonly disabled?: boolean;
  readonly onPick: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const matches = useMemo(() => {
    const free = instruments.filter(({ id }) => !taken.includes(id));
    return searchInstruments(free, text).slice(0, DRAWN);
  }, [instruments, taken, text]);
  return (
    <Base.Root
      items={matches}
      filter={null}
      value={null}
      onValueChange={(chosen: Instrument | null) => {
        if (chosen !== null) onPick(chosen.id);
        setText('');
      }}
      inputValue={text}
      onInputValueChange={(next, details) => {
        // The list writes the chosen name into the field; it is to be empty for the next search.
        if (details.reason === 'input-change' || details.reason === 'input-clear') setText(next);
      }}
      itemToStringLabel={({ symbol }: Instrument) => symbol}
      itemToStringValue={({ id }: Instrument) => id}
      disabled={disabled}
      autoHighlight
    >
      <Base.InputGroup className={css['box']}>
        <Plus className={css['plus']} aria-hidden />
        <Base.Input className={css['input']} placeholder={label} aria-label={label} spellCheck={false} />
      </Base.InputGroup>
      <Base.Portal>
        <Base.Positioner className={popup['positioner']} sideOffset={4} align="start">
          <Base.Popup className={`${popup['popup']} ${css['popup']}`}>
            <Base.Empty className={popup['empty']}>No instrument matches</Base.Empty>
            <Base.List>
              {(instrument: Instrument) => (
                <Base.Item key={instrument.id} value={instrument} className={popup['item']}>
                  <span className={popup['text']}>{instrument.symbol}</span>
                  <span className={popup['hint']}>
                    {STATUS[instrument.tradeability.status] ?? instrument.id}
                  </span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
