/** Tells that something is under way once it takes longer than a second: redrawn on a terminal, one plain line elsewhere. */
import type { Clock } from '../engine/ports/system.ts';
import type { Terminal } from './terminal.ts';

export interface Progress {
  /** Sets the text of the current step. */
  update(text: string): void;
  done(): void;
}

const PATIENCE_MS = 1_000;
const REDRAW_MS = 200;

export function startProgress(terminal: Terminal, clock: Clock, text: string): Progress {
  const startedAt = clock.now();
  let current = text;
  let shown = false;
  let cancel = clock.after(PATIENCE_MS, tick);

  function tick(): void {
    const seconds = Math.floor((clock.now() - startedAt) / 1000);
    if (!terminal.interactive) {
      // A log or a pipe gets the line only once.
      terminal.err(`${current} …`);
      return;
    }
    shown = true;
    terminal.redraw(`${current} … ${seconds} s`);
    cancel = clock.after(REDRAW_MS, tick);
  }

  return {
    update(next) {
      current = next;
    },
    done() {
      cancel();
      if (shown) terminal.redraw('');
    },
  };
}
