import type { z } from 'zod';
import { unassignedHolding } from '../../contract/sync.ts';
import type { Instrument } from '../../domain/model.ts';
import { type HeldLot, unrealizedOfLot } from '../../domain/unassigned.ts';
import { wireForm } from './wire-form.ts';

/** @param mark undefined: none is known */
export function presentUnassigned(
  lot: HeldLot,
  instrument: Instrument | undefined,
  mark: string | undefined,
): z.input<typeof unassignedHolding> {
  return wireForm(unassignedHolding, lot, {
    ticker: instrument?.symbol ?? lot.symbol,
    markPrice: mark ?? null,
    unrealizedPnl: mark === undefined ? null : unrealizedOfLot(lot, mark),
  });
}
