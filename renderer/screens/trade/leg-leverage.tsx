/**
 * Leverage and margin mode of an instrument on the account, beside its leg. Both are settings of the account: a
 * change here applies to every order. The margin mode is hidden where the venue does not take one.
 */
import { Suspense, useRef, useState } from 'react';
import type { Instrument } from '../../api/market.ts';
import { ahead } from '../../components/ahead.tsx';
import css from './basket-builder.module.css';
import { useLeverages } from './leverages.ts';

// Not needed for the first view of the screen: it loads right after, before somebody asks for it.
const popup = ahead(async () => (await import('./leverage-popup.tsx')).LeveragePopup);

export function LegLeverage({ instrument }: { readonly instrument: Instrument }) {
  popup.useFetched();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { of, hasMode } = useLeverages();
  const { leverage, mode } = of(instrument);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css['leverage']}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="visually-hidden">
          Leverage of {instrument.symbol}: {leverage} times{hasMode && `, ${mode}`}
        </span>
        <span aria-hidden="true">
          {leverage}×{hasMode && mode === 'isolated' ? ' iso' : ''}
        </span>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <popup.View
            anchor={button}
            instrument={instrument}
            leverage={leverage}
            mode={mode}
            hasMode={hasMode}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
