/** States that every screen has: it loads, it is refused, its data are old. */
import { holdAnswers, pathIs, refuseAnswers, switchableStream } from '../../support/dashboard-states.ts';
import { loading, refused, stale } from './proofs.ts';
import { after, at, type Shot, type Step } from './shot.ts';

export interface UsualStates {
  /** `/portfolio` */
  readonly screen: string;
  /** Path of the request that it reads: `/portfolio/analytics`. */
  readonly reads: string;
  /** Resolves once it shows its data. */
  readonly shown: Step;
}

export const loadingState = (screen: string, reads: string | RegExp, name = 'loading'): Shot =>
  after(({ page }) => holdAnswers(page, whoseIs(reads)), at(screen, name, loading));

export const refusedState = (screen: string, reads: string | RegExp, name = 'error'): Shot =>
  after(({ page }) => refuseAnswers(page, whoseIs(reads)), at(screen, name, refused));

export const staleState = (screen: string, shown: Step): Shot => ({
  name: 'stale',
  proof: stale,
  async show(stage) {
    const stream = await switchableStream(stage.page);
    await stage.goTo(screen);
    await shown(stage);
    await stream.cut();
    await stale(stage.page).waitFor();
  },
});

export function usualStates({ screen, reads, shown }: UsualStates): readonly Shot[] {
  return [loadingState(screen, reads), refusedState(screen, reads), staleState(screen, shown)];
}

const whoseIs = (reads: string | RegExp) =>
  typeof reads === 'string' ? pathIs(reads) : ({ pathname }: URL) => reads.test(pathname);
