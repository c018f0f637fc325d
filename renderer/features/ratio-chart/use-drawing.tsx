/** Drawing on a chart: the button that opens its menu, and the chart's drawing tools. */
import { PencilLine } from 'lucide-react';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { useAccount } from '../../api/session.ts';
import { ahead } from '../../components/ahead.tsx';
import { IconButton } from '../../components/button.tsx';
import type { Drawing } from '../../components/chart-drawing-places.ts';
import type { DrawingTools } from '../../components/chart-drawings.tsx';
import { changeDrawings, drawnOn, useDrawings } from './drawings.ts';
import type { ChartSubject, WeighedLeg } from './subject.ts';

// Not needed for the first render: loaded right after it, so that it is ready when somebody opens it.
const popup = ahead(async () => (await import('./drawing-popup.tsx')).DrawingPopup);

export interface ChartDrawing {
  readonly tools: DrawingTools;
  readonly button: ReactNode;
}

export function useDrawing(subject: ChartSubject, legs: readonly WeighedLeg[]): ChartDrawing {
  popup.useFetched();
  const { connector } = useAccount();
  const key = drawnOn(connector, subject, legs);
  const drawings = useDrawings(key);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [placing, setPlacing] = useState<{ readonly on: string; readonly kind: Drawing['kind'] } | null>(
    null,
  );
  const change = (next: readonly Drawing[]) => changeDrawings(key, next);
  const remove = (id: string) => change(drawings.filter((one) => one.id !== id));
  // A drawing that was started on one basket does not continue on another.
  const kind = placing?.on === key ? placing.kind : null;
  return {
    tools: {
      drawings,
      placing: kind,
      onPlaced(points) {
        if (kind !== null) change([...drawings, { id: crypto.randomUUID(), kind, points }]);
        setPlacing(null);
      },
      onStop() {
        setPlacing(null);
        button.current?.focus();
      },
      onChange: (next) => change(drawings.map((one) => (one.id === next.id ? next : one))),
      onRemove(id) {
        remove(id);
        button.current?.focus();
      },
    },
    button: (
      <>
        <IconButton
          ref={button}
          label="Draw"
          icon={<PencilLine />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        {isOpen && (
          <Suspense fallback={null}>
            <popup.View
              anchor={button}
              drawings={drawings}
              onDraw={(next) => {
                setOpen(false);
                setPlacing({ on: key, kind: next });
              }}
              onRemove={remove}
              onClear={() => change([])}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        )}
      </>
    ),
  };
}
