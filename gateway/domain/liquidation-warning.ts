/**
 * Warnings of a near liquidation: below 10 % of distance, and again below 5 %. A warning is repeated only after the
 * distance has been two points above its threshold.
 */

/** Latest warning of a possible liquidation that is still in effect. */
export type Warned = 'NOTHING' | 'BELOW_10' | 'BELOW_5';

type Band = 'below5' | 'from5' | 'from7' | 'from10' | 'from12';

interface Step {
  readonly next: Warned;
  readonly tells: boolean;
}

/** Distance beyond which nothing is reported and no warning stays in effect: larger distances need not be known. */
export const SAFE_DISTANCE = 0.12;

const stays = (next: Warned): Step => ({ next, tells: false });
const tells = (next: Warned): Step => ({ next, tells: true });

// biome-ignore format: a table is read by its columns
const STEPS: Readonly<Record<Warned, Readonly<Record<Band, Step>>>> = {
  NOTHING:  { below5: tells('BELOW_5'), from5: tells('BELOW_10'), from7: tells('BELOW_10'), from10: stays('NOTHING'),  from12: stays('NOTHING') },
  BELOW_10: { below5: tells('BELOW_5'), from5: stays('BELOW_10'), from7: stays('BELOW_10'), from10: stays('BELOW_10'), from12: stays('NOTHING') },
  BELOW_5:  { below5: stays('BELOW_5'), from5: stays('BELOW_5'),  from7: stays('BELOW_10'), from10: stays('BELOW_10'), from12: stays('NOTHING') },
};

/**
 * Next state of a warning, from two successive readings. Both have to agree, because between them a basket may have
 * some legs filled and others not.
 * @param last distance from liquidation, a positive fraction; infinite: farther than anybody has looked
 */
export function warningStep(warned: Warned, last: number, now: number): Step {
  const nearer = STEPS[warned][bandOf(Math.max(last, now))];
  if (nearer.tells) return nearer;
  const farther = STEPS[warned][bandOf(Math.min(last, now))];
  return farther.tells ? stays(warned) : farther;
}

function bandOf(distance: number): Band {
  if (distance < 0.05) return 'below5';
  // Exactly two points above a threshold is not above them yet.
  if (distance <= 0.07) return 'from5';
  if (distance < 0.1) return 'from7';
  return distance <= SAFE_DISTANCE ? 'from10' : 'from12';
}
