/** Finds an instrument by ticker or id and passes its id on; the field is then empty for the next instrument. */
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Instrument } from '../../api/market.ts';
import popup from '../../components/popup.module.css';
import { SearchList } from '../../components/search-list.tsx';
import css from './instrument-picker.module.css';
import { searchInstruments } from './search.ts';

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
  /** Ids of the instruments that are chosen already. */
  readonly taken: readonly string[];
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
      line={({ id, symbol, tradeability }) => (
        <>
          <span className={popup['text']}>{symbol}</span>
          <span className={popup['hint']}>{STATUS[tradeability.status] ?? id}</span>
        </>
      )}
      before={<Plus className={css['plus']} aria-hidden />}
    />
  );
}
