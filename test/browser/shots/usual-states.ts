/** States that every screen has: it loads, it is refused, its data are old. */
import { holdAnswers, pathIs, refuseAnswers, switchableStream } from '../../support/dashboard-states.ts';
import type { Shot, Stage } from './shot.ts';

export interface UsualStates {
  /** `/portfolio` */
  readonly screen: string;
  /** Path of the request that it reads: `/portfolio/analytics`. */
  readonly reads: string;
  /** True once it shows its data. */
  readonly shown: (stage: Stage) => Promise<unknown>;
}

export function usualStates({ screen, reads, shown }: UsualStates): readonly Shot[] {
  return [
    {
      name: 'loading',
      async show({ page, goTo }) {
        await holdAnswers(page, pathIs(reads));
        await goTo(screen);
        await page.locator('main [role=status] [class*=bar]').first().waitFor();
      },
    },
    {
      name: 'error',
      async show({ page, goTo }) {
        await refuseAnswers(page, pathIs(reads));
        await goTo(screen);
        await page.getByText('The account may not be read').first().waitFor();
      },
    },
    {
      name: 'stale',
      async show(stage) {
        const stream = await switchableStream(stage.page);
        await stage.goTo(screen);
        await shown(stage);
        await stream.cut();
        await stage.page
          .getByText(/^Stale \d+ s$/)
          .first()
          .waitFor();
      },
    },
  ];
}
