/** Search and filters of the screener. In a narrow window the filters are folded: the pairs come first. */
import { ListFilter, Search } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Input } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import css from './screener.module.css';
import { type Filter, filterWords, MILDEST, P_VALUES, Z_SCORES } from './screener-filter.ts';

const MAX_SEARCH = 64;

export function FilterBar({
  filter,
  onChange,
  children,
}: {
  readonly filter: Filter;
  readonly onChange: (next: Partial<Filter>) => void;
  /** Shown at the end of the bar. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const on = filterWords(filter).length;
  return (
    <div className={css['tools']}>
      <Input
        type="search"
        aria-label="Search"
        placeholder="SOL or SOL/ETH"
        maxLength={MAX_SEARCH}
        before={<Search size={13} />}
        value={filter.search}
        onChange={(event) => onChange({ search: event.currentTarget.value })}
        className={css['search']}
      />
      <Button
        icon={<ListFilter />}
        className={css['fold']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {on === 0 ? 'Filters' : `Filters: ${on} on`}
      </Button>
      <div id={id} className={css['filters']} data-open={isOpen}>
        <Select
          label="Cointegration"
          options={P_VALUES}
          value={filter.maxPValue}
          onChange={(maxPValue) => onChange({ maxPValue })}
          className={css['choice'] ?? ''}
        />
        <Select
          label="z-score"
          options={Z_SCORES}
          value={filter.minAbsZScore}
          onChange={(minAbsZScore) => onChange({ minAbsZScore })}
          className={css['choice'] ?? ''}
        />
        <Checkbox
          checked={filter.maxPValue !== ''}
          onChange={(isOn) => onChange({ maxPValue: isOn ? MILDEST : '' })}
        >
          Only cointegrated
        </Checkbox>
      </div>
      {children}
    </div>
  );
}
