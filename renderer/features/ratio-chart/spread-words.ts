/**
 * What a pair's spread and its z-score are called where they stand, and what they are: triggers have others of the same words,
 * of the ratio itself.
 */
export const SPREAD = 'Spread %';
export const SPREAD_Z = 'Spread z';

export const WHY_SPREAD =
  'Long price against short price by their hedge ratio, in percent from the mean. A trigger’s spread is of the ratio itself';
export const WHY_SPREAD_Z =
  'The spread by the hedge ratio, in its standard deviations from the mean. A trigger’s z-score is of the ratio itself';
