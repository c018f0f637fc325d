/** The end of a transaction, as the venue reports it. */
import type { z } from 'zod';
import { read } from '../kit/wire.ts';
import { wordsOf } from '../kit/words.ts';
import { type Refusal, refusalOf } from './refusals.ts';
import * as wire from './wire.ts';

export type TxEnd = { readonly kind: 'executed' } | { readonly kind: 'refused'; readonly refusal: Refusal };

/** null: the transaction waits. */
export function endOf({ status, event_info }: wire.WireTx): TxEnd | null {
  if (status === 1) return null;
  if (status !== 0) return { kind: 'executed' };
  const event = parsed(event_info ?? '', wire.txEvent);
  const told = parsed(event?.ae ?? '', wire.txRefusal);
  return { kind: 'refused', refusal: refusalOf(told?.code ?? 0, wordsOf(told?.message ?? event?.ae ?? '')) };
}

function parsed<S extends z.ZodType>(text: string, schema: S): z.output<S> | null {
  const told = read(schema, text);
  return told.ok ? told.value : null;
}
