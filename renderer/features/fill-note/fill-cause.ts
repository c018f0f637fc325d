/** Names and explanations of fills that are not trades at the venue. */
import type { Row } from '../../../gateway/client/client.ts';

type FillCause = Row<'GET /fills'>['cause'];

export interface CauseText {
  readonly name: string;
  readonly meaning: string;
}

const CAUSES: Readonly<Record<FillCause, CauseText | null>> = {
  TRADE: null,
  INTERNAL: {
    name: 'Internal',
    meaning:
      'Booked between two baskets that closed against each other, or between a basket and what is left over. Nothing was traded at the venue.',
  },
  CLOSED_OUTSIDE: {
    name: 'Closed outside Tandem',
    meaning: 'Traded outside Tandem against this basket, which took it over as it closed.',
  },
  ADL: {
    name: 'Auto-deleveraged',
    meaning: 'The venue closed it to cover the loss of another trader.',
  },
  SETTLEMENT: { name: 'Settled', meaning: 'The instrument expired, and the venue settled it.' },
  DELISTING: { name: 'Delisted', meaning: 'The venue ended the instrument and closed what was held of it.' },
  BASELINE: {
    name: 'Held before',
    meaning: 'The account held it when it was connected. Nothing was traded by Tandem.',
  },
  ADJUSTMENT: {
    name: 'Adjustment',
    meaning: 'The venue no longer holds it, and its history does not say why.',
  },
};

/** null: the fill is an ordinary trade. */
export function causeText(cause: FillCause): CauseText | null {
  return CAUSES[cause];
}
