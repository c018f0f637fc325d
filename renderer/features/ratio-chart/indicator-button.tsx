/** The button over a chart that opens its indicators. */
import { ChartSpline } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { ahead } from '../../components/ahead.tsx';
import { IconButton } from '../../components/button.tsx';

// Not needed before the screen stands: it comes right after, and is there when somebody asks for it.
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
