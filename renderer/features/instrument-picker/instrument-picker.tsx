/** Finds an instrument by ticker or id and passes its id on; the field is then empty for the next instrument. */
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Instrument } from '../../api/market.ts';
import { SearchList } from '../../components/search-list.tsx';
import css from './instrument-picker.module.css';
import { PickerHead, PickerLine } from './picker-line.tsx';
import { searchInstruments } from './search.ts';

export function InstrumentPicker({
  instruments,
  taken,
  side,
  label,
  disabled = false,
  onPick,
}: {
  readonly instruments: readonly Instrument[];
  /** Ids of the instruments that are chosen already. */
  readonly taken: readonly string[];
  /** Side that the instrument is for. */
  readonly side: 'BUY' | 'SELL';
  /** Name and placeholder of the field. */
  readonly label: string;
  readonly disabled?: boolean;
  readonly onPick: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const matches = useMemo(() => {
    const free = instruments.filter(({ id }) => !taken.includes(id));
    return searchInstruments(free, text);
  }, [instruments, taken, text]);
  return (
    <SearchList
      className={css['box']}
      inputClassName={css['input']}
      label={label}
      placeholder={label}
      emptyText="No instrument matches"
      disabled={disabled}
      matches={matches}
      keyOf={({ id }) => id}
      typed={text}
      onType={setText}
      onTake={({ id }) => {
        setText('');
        onPick(id);
      }}
      head={<PickerHead />}
      line={(instrument) => <PickerLine instrument={instrument} side={side} />}
      before={<Plus className={css['plus']} aria-hidden />}
    />
  );
}
