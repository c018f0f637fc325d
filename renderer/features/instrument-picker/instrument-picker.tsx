/**
 * Finds an instrument by ticker or id and passes its id on; the field is then empty for the next instrument. Text of a
 * whole basket, pasted or entered, is passed on as text.
 */
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Instrument } from '../../api/market.ts';
import layout from '../../components/layout.module.css';
import { SearchList } from '../../components/search-list.tsx';
import { isBasketText } from '../basket-text/is-basket-text.ts';
import css from './instrument-picker.module.css';
import { PickerHead, PickerLine } from './picker-line.tsx';
import { searchInstruments } from './search.ts';

/** The text in one line for a field. Line breaks become separators, because they tell which words belong together. */
function oneLine(text: string): string {
  const isJson = /^\s*[[{]/.test(text);
  const flat = text
    .trim()
    .replace(/([,;:]?)\s*[\n\r]\s*/g, (_, mark: string) => `${mark === '' && !isJson ? ';' : mark} `);
  return flat.replace(/\s+/g, ' ');
}

export function InstrumentPicker({
  instruments,
  taken,
  side,
  label,
  disabled = false,
  onPick,
  onBasketText,
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
  /** Resolves to an error message for the text; null: it was taken. */
  readonly onBasketText: (text: string) => Promise<string | null>;
}) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const isBasket = isBasketText(text);
  const takeText = (whole: string): boolean => {
    if (!isBasketText(whole)) return false;
    const answer = (wrong: string | null) => {
      setFault(wrong);
      // A faulty text stays in the field for correction.
      setText(wrong === null ? '' : oneLine(whole));
    };
    void onBasketText(whole).then(answer, () =>
      answer('The text was not read: part of the page did not load. Enter tries again.'),
    );
    return true;
  };
  const matches = useMemo(() => {
    const free = instruments.filter(({ id }) => !taken.includes(id));
    return searchInstruments(free, text);
  }, [instruments, taken, text]);
  return (
    <>
      <SearchList
        className={css['box']}
        inputClassName={css['input']}
        label={label}
        placeholder={label}
        emptyText={isBasket ? 'Enter takes it as a basket' : 'No instrument matches'}
        disabled={disabled}
        matches={matches}
        keyOf={({ id }) => id}
        typed={text}
        onType={(typed) => {
          setFault(null);
          setText(typed);
        }}
        onText={takeText}
        onTake={({ id }) => {
          setFault(null);
          setText('');
          onPick(id);
        }}
        head={<PickerHead />}
        line={(instrument) => <PickerLine instrument={instrument} side={side} />}
        before={<Plus className={css['plus']} aria-hidden />}
      />
      {fault !== null && (
        <p role="alert" className={layout['problem']}>
          {fault}
        </p>
      )}
    </>
  );
}
