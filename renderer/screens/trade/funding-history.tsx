/** Name of the head's funding figure, which opens the funding over 7 and 30 days. */
import { Suspense, useRef, useState } from 'react';
import { ahead } from '../../components/ahead.tsx';
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';
import css from './funding-history.module.css';

const popup = ahead(async () => (await import('./funding-history-popup.tsx')).FundingHistoryPopup);

/** @param legs with the weights of the figure */
export function FundingHistory({ legs }: { readonly legs: readonly WeighedLeg[] }) {
  popup.useFetched();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css['name']}
        aria-label="Funding APR, its history"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Funding APR
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <popup.View anchor={button} legs={legs} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
