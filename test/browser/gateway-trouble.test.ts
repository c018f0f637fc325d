/** A gateway that is down, slow or without its stream: the page says so, recovers by itself and loses nothing. */
import { expect } from 'chai';
import { firstSeen } from '../support/browser.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { holdAnswers, switchableStream } from '../support/dashboard-states.ts';
import { DOWN, gone, isLive, restartingSuite } from '../support/restarting-suite.ts';

const INTERRUPTED = 'The live stream is interrupted.';
const SLOW = 'The gateway is slow.';
/** Texts of the places that tell the age, each with the others of its frame, over 150 frames: 2.5 s at least. */
const AGES = `(async () => {
  const seen = new Set();
  for (let frames = 0; frames < 150; frames += 1) {
    const said = [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent);
    seen.add(said.filter((text) => /^Stale \\d+ s$/.test(text)).join());
    await new Promise(requestAnimationFrame);
  }
  return [...seen];
})()`;

describe('a gateway in trouble', function () {
  this.timeout(120_000);
  const suite = restartingSuite();

  it('that is down is said to be, and the page goes on when it is back, with what was typed', async () => {
    const { page, goTo } = suite.tab;
    await goTo('/developers/keys');
    await isLive(page);
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Label').fill('Night shift');
    await suite.stop();
    await page.getByText(DOWN).waitFor();
    await page.getByText('Reconnecting').waitFor();
    await firstSeen(page.getByText(/^Stale \d+ s$/));
    expect(await page.getByText(INTERRUPTED).count()).to.equal(0);
    // One age for the whole page, and older with each tick.
    const ages = await page.evaluate<readonly string[]>(AGES);
    expect(ages.length).to.be.greaterThan(1);
    for (const age of ages) expect(age).to.match(/^(Stale \d+ s)(,\1)+$/);
    await expectAccessible(page, 'down');
    // Sent into nothing: the form says so and keeps everything.
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('The gateway does not answer', { exact: true }).waitFor();
    expect(await dialog.getByLabel('Label').inputValue()).to.equal('Night shift');
    await expectAccessibleWhenLong(page, 'down, with a form');

    await suite.startAgain();
    await isLive(page);
    await gone(page, DOWN);
    await gone(page, /^Stale \d+ s$/);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'API key “Night shift”' }).waitFor();
  });

  it('whose stream alone is lost is not called down: it answers, and is said to watch on @long', async () => {
    const { page, goTo } = suite.tab;
    const stream = await switchableStream(page);
    await goTo('/portfolio');
    await isLive(page);
    await stream.cut();
    await page.getByText(INTERRUPTED).waitFor();
    expect(await page.getByText(DOWN).count()).to.equal(0);
    await expectAccessible(page, 'interrupted');
    // As it says.
    await page.waitForResponse(
      (response) => new URL(response.url()).pathname === '/portfolio' && response.ok(),
    );
    stream.mend();
    await isLive(page);
    await gone(page, INTERRUPTED);
  });

  it('that is down at the start is waited for @long', async () => {
    const { page, goTo } = suite.tab;
    // The page itself has come; what it asks first has not.
    let isDown = true;
    await page.route('**/app/start', (route) => (isDown ? route.abort() : route.continue()));
    await goTo('/settings');
    await page.getByText('The gateway does not answer', { exact: true }).waitFor();
    await expectAccessible(page, 'down at the start');
    isDown = false;
    await isLive(page);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  it('that is slow is said to be, until it has answered @long', async () => {
    const { page, goTo } = suite.tab;
    await goTo('/agents');
    await isLive(page);
    const answer = await holdAnswers(page, ({ pathname }) =>
      ['/oauth2/grants', '/safety/pause'].includes(pathname),
    );
    await page.getByText(SLOW).waitFor();
    await page.getByText(/No answer for \d+ s/).waitFor();
    await expectAccessible(page, 'slow');
    const once = page.getByText('Nothing is sent twice meanwhile.');
    expect(await once.count(), 'only reads wait').to.equal(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('menuitem', { name: 'Pause new orders' }).click();
    await once.waitFor();
    answer();
    await gone(page, SLOW);
    await page.getByText('No agent is connected').waitFor();
  });
});
