/** Settings and the page of the design; sessions: `desk`. */
import { heading, text } from './proofs.ts';
import { at, type ScreenShots } from './shot.ts';

export const settingsShots: ScreenShots = {
  screen: 'settings',
  shots: [
    at('/settings', 'below', heading('About')),
    at('/settings', 'wrong-limits', text(/Until then: no limit/), async ({ page }) => {
      await page.getByLabel('Largest order').fill('much');
      await page.getByLabel('Highest leverage').fill('0');
    }),
    at('/showcase', 'showcase', text('No positions')),
  ],
};
