/** Field above the rows that filters them; `/` focuses it. */
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Input } from '../../components/field.tsx';
import { isAnythingOpen, isTyping } from '../../components/is-typing.ts';
import css from './positions.module.css';

const MOST = 64;

export function FilterField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (typed: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTyping(event.target) || isAnythingOpen()) return;
      event.preventDefault();
      input.current?.select();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <Input
      ref={input}
      type="search"
      aria-label="Filter"
      title="By instrument, basket or who opened it: /"
      placeholder="Filter"
      maxLength={MOST}
      before={<Search size={13} />}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      className={css['filter']}
    />
  );
}
