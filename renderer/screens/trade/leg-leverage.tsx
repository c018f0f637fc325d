/**
 * Leverage and margin mode of an instrument on the account, beside its leg. Both are settings of the account: a
 * change here applies to every order. The margin mode is hidden where the venue does not take one.
 */
import { Suspense, useRef, useState } from 'react';
import { type Instrument, useConnector } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { ahead } from '../../components/ahead.tsx';
import css from './basket-builder.module.css';

const DEFAULT_LEVERAGE = 5;

// Not needed before the screen stands: it comes right after, and is there when somebody asks for it.
const popup = ahead(async () => (await import('./leverage-popup.tsx')).LeveragePopup);

export function LegLeverage({ instrument }: { readonly instrument: Instrument }) {
  popup.useFetched();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { data } = useGet('GET /leverage', {});
  const setting = data?.leverage.find(({ symbol }) => symbol === instrument.id);
  const leverage = setting?.leverage ?? Math.min(DEFAULT_LEVERAGE, instrument.maxLeverage);
  const mode = setting?.marginMode ?? 'cross';
  const hasMode = useConnector()?.marginMode !== 'rejected';
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css['leverage']}
        aria-label={`Leverage of ${instrument.symbol}: ${leverage} times${hasMode ? `, ${mode}` : ''}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {leverage}×{hasMode && mode === 'isolated' ? ' iso' : ''}
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
