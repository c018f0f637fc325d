/** Directions of conditions, in words. */
type Direction = 'MORE_THAN' | 'LESS_THAN';

/** `price ratio above 3` */
export const sideWord = (direction: Direction): string => (direction === 'MORE_THAN' ? 'above' : 'below');

/** `when the price rises above 3` */
export const crossingWords = (direction: Direction): string =>
  direction === 'MORE_THAN' ? 'rises above' : 'falls below';
