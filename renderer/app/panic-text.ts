/** Progress of closing everything, in words: open positions, and why they are still open. */
import type { Answer } from '../../gateway/client/client.ts';
import { signOf } from '../components/format.ts';

export type Safety = Answer<'GET /safety'>;
type LeftOpen = NonNullable<Safety['panic']>['left'][number];

export interface PanicWords {
  readonly isFlat: boolean;
  readonly title: string;
  readonly detail: string;
}

export interface PanicNames {
  /** Shows an unsigned decimal string. */
  readonly quantity: (value: string) => string;
  /** Trade account id → its name; null: the user has only one account. */
  readonly account: (id: string) => string | null;
}

/** Maximum number of positions that are named; the Positions screen shows all. */
const MOST_NAMED = 3;

/** null: there is no panic, or trading was resumed since. */
export function panicWords(
  { paused, panic }: Pick<Safety, 'paused' | 'panic'>,
  names: PanicNames,
): PanicWords | null {
  if (!paused || panic === null || panic.status === 'ENDED') return null;
  // Positions from trades outside Tandem are left open unless the user asked to close them too.
  const isStaying = ({ source }: LeftOpen) => source === 'OUTSIDE' && !panic.includeOutside;
  const staying = panic.left.filter(isStaying);
  const stays =
    staying.length === 0 ? '' : ` Traded outside Tandem and left as it is: ${listed(staying, names, false)}.`;
  if (panic.status === 'FLAT')
    return {
      isFlat: true,
      title: 'Everything is closed.',
      detail: `New orders stay paused until you accept them again.${stays}`,
    };
  const open = panic.left.filter((one) => !isStaying(one));
  return {
    isFlat: false,
    title: 'Closing everything.',
    detail:
      (open.length === 0
        ? 'It goes on until nothing is left, or until you accept new orders again.'
        : `Still open, and tried again: ${listed(open, names, true)}.`) + stays,
  };
}

/** Accepting new orders ends a panic that is still closing positions, so the command's name says so. */
export function resumeName(safety: Pick<Safety, 'panic'> | undefined): string {
  return safety?.panic?.status === 'CLOSING'
    ? 'Stop closing, accept new orders again'
    : 'Accept new orders again';
}

function listed(left: readonly LeftOpen[], names: PanicNames, withReason: boolean): string {
  const named = left.slice(0, MOST_NAMED).map((one) => {
    const isShort = signOf(one.quantity) < 0;
    const account = names.account(one.tradeAccountId);
    const what = [
      one.symbol,
      isShort ? 'short' : 'long',
      names.quantity(isShort ? one.quantity.slice(1) : one.quantity),
      ...(account === null ? [] : [`on ${account}`]),
    ].join(' ');
    return withReason ? `${what} (${one.reason})` : what;
  });
  const more = left.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
