/** The button over a chart that opens its indicators. */
import { ChartSpline } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { ahead } from '../../components/ahead.tsx';
import { IconButton } from '../../components/button.tsx';

// Not needed for the first render: loaded right after it, so that it is ready when somebody opens it.
const popup = ahead(async () => (await import('./indicator-popup.tsx')).IndicatorPopup);

export function IndicatorButton() {
  popup.useFetched();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        ref={button}
        label="Indicators"
        icon={<ChartSpline />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <popup.View anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
