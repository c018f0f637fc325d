/**
 * Pictures of every state of every screen, to be looked at: `npm run shots -- [screen…] [--state=<name>,…] [--out=<folder>]
 * [--widths=400,900,…] [--height=2400] [--quick]`. Each state is taken at 1280 × 800 and 1920 × 1080, or at the given widths ×
 * 800 (a larger height shows what lies below the fold of a narrow window), dark and light (`--quick`: the first size, dark
 * only), and examined:
 * that it shows what it is named after, what is cut off, what sticks out, what axe-core finds, what the
 * page says to the console. Ends with 1 when something is
 * found or a state cannot be reached. `--docs`: takes the pictures of the documentation anew, and nothing else.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { chromiumPath } from '../support/browser.ts';
import { openDashboard } from '../support/dashboard.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { framesPass } from '../support/page-time.ts';
import { startSeededGateway } from '../support/seeded-gateway.ts';
import { trader } from '../support/trader.ts';
import { accountsShots } from './shots/accounts.ts';
import { agentsShots } from './shots/agents.ts';
import { approvalsShots } from './shots/approvals.ts';
import { consentShots } from './shots/consent.ts';
import { deskShots } from './shots/desk.ts';
import { developersShots } from './shots/developers.ts';
import { DOCS_PICTURES } from './shots/docs-pictures.ts';
import { entryShots } from './shots/entry.ts';
import { frameShots } from './shots/frame.ts';
import { historyShots } from './shots/history.ts';
import { marketsShots } from './shots/markets.ts';
import { notificationsShots } from './shots/notifications.ts';
import { ordersShots } from './shots/orders.ts';
import { portfolioShots } from './shots/portfolio.ts';
import { positionsShots } from './shots/positions.ts';
import { screenerShots } from './shots/screener.ts';
import { settingsShots } from './shots/settings.ts';
import type { ScreenShots, Shot } from './shots/shot.ts';
import { tradeShots } from './shots/trade.ts';

const ALL: readonly ScreenShots[] = [
  tradeShots,
  positionsShots,
  ordersShots,
  historyShots,
  portfolioShots,
  marketsShots,
  screenerShots,
  notificationsShots,
  approvalsShots,
  agentsShots,
  developersShots,
  accountsShots,
  settingsShots,
  frameShots,
  entryShots,
  consentShots,
  deskShots,
];
const EMAIL = 'ada@example.test';
const USUAL_SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const THEMES = ['dark', 'light'] as const;
/** For what proves a state, once it has been reached. */
const PROOF_MS = 15_000;
const MOST_TRIES = 5;

const words = process.argv.slice(2);
const option = (name: string) =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null;
const SIZES =
  option('widths')
    ?.split(',')
    .map((width) => ({ width: Number(width), height: Number(option('height') ?? 800) })) ?? USUAL_SIZES;
const isQuick = words.includes('--quick');
const isForDocs = words.includes('--docs');
const wanted = words.filter((word) => !word.startsWith('--'));
const states = option('state')?.split(',') ?? null;
const out = option('out') ?? (await mkdtemp(join(tmpdir(), 'tandem-shots-')));

const unknown = words.filter(
  (word) =>
    !/^--(state|out|widths|height)=.|^--(quick|docs)$/.test(word) &&
    !ALL.some(({ screen }) => screen === word),
);
if (unknown.length > 0) {
  console.error(
    `Not known: ${unknown.join(' ')}. Screens: ${ALL.map(({ screen }) => screen).join(' ')}. Options: --state=<name>,… --out=<folder> --widths=400,… --height=<px> --quick --docs`,
  );
  process.exit(2);
}

let found = 0;

function tell(...findings: readonly string[]): void {
  found += findings.length;
  for (const finding of findings) console.log(finding);
}

/** Started again where it has crashed: what was taken before stays, and the states to come are taken. */
const running: { browser: Browser | null } = { browser: null };

async function browserNow(): Promise<Browser> {
  if (running.browser?.isConnected() === true) return running.browser;
  running.browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  return running.browser;
}

async function takeScreen({ screen, isRealistic = false, shots }: ScreenShots): Promise<void> {
  const gateway = await startSeededGateway({
    clock: null,
    ...(isRealistic ? { settings: { paperProfile: 'realistic' } } : {}),
  });
  try {
    const bot = await trader(gateway, { email: EMAIL });
    for (const shot of shots)
      if (isForDocs ? docsOf(screen, shot.name).length > 0 : states === null || states.includes(shot.name))
        await takeState(gateway, bot, screen, shot).catch((error: unknown) =>
          tell(`${screen}-${shot.name}: ${String(error)}`),
        );
  } finally {
    await gateway.close();
  }
}

async function takeState(
  gateway: Awaited<ReturnType<typeof startSeededGateway>>,
  bot: Awaited<ReturnType<typeof trader>>,
  screen: string,
  { name, proof, show, stands, from: least = 0, clear }: Shot,
): Promise<void> {
  const tab = await openDashboard(await browserNow(), gateway, { email: EMAIL, isExpected: () => true });
  const stage = { gateway, bot, page: tab.page, goTo: tab.goTo };
  try {
    const standing = async () => {
      await stands?.(stage);
      const seen = proof(tab.page);
      await seen.waitFor({ timeout: PROOF_MS });
      // Not what is seen in part: it may be higher than the window.
      if (!(await isInView(tab.page, seen))) await seen.scrollIntoViewIfNeeded({ timeout: PROOF_MS });
      // Elements that follow a position in the window are updated with the next frame.
      await tab.page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))',
      );
    };
    const sizes = (isForDocs ? [] : isQuick ? SIZES.slice(0, 1) : SIZES).filter(
      ({ width }) => width >= least,
    );
    await show(stage);
    if (isForDocs) for (const picture of docsOf(screen, name)) await takeForDocs(tab.page, picture, standing);
    for (const size of sizes)
      for (const theme of isQuick ? THEMES.slice(0, 1) : THEMES)
        await takePicture(tab.page, `${screen}-${name}`, size, theme, standing, () =>
          proof(tab.page).isVisible(),
        );
  } catch (error) {
    tell(`${screen}-${name}: not reached: ${String(error).split('\n').slice(0, 12).join(' ')}`);
    // None of a tab that has crashed.
    await tab.page.screenshot({ path: join(out, `${screen}-${name}-FAILED.png`) }).catch(() => undefined);
  }
  // After a failure too: the next state has no part in it.
  await clear?.(stage);
  tell(...tab.offences.map((offence) => `${screen}-${name}: ${offence}`));
  await tab.close();
}

async function isInView(page: Page, seen: Locator): Promise<boolean> {
  const [box, size] = [await seen.boundingBox(), page.viewportSize()];
  if (box === null || size === null) return false;
  return box.y + box.height > 0 && box.y < size.height && box.x + box.width > 0 && box.x < size.width;
}

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

const isOfDocs = ({ screen }: ScreenShots) =>
  (wanted.length === 0 || wanted.includes(screen)) && DOCS_PICTURES.some((one) => one.screen === screen);
const docsOf = (screen: string, state: string) =>
  DOCS_PICTURES.filter((one) => one.screen === screen && one.state === state);

/**
 * A file of the documentation; those named `.webp` lose nothing. An encoder that takes its time makes them a third
 * (`cwebp -lossless -z 9`): no picture that is kept weighs more than 120 kB.
 */
async function takeForDocs(
  page: Page,
  { file, theme }: (typeof DOCS_PICTURES)[number],
  standing: () => Promise<void>,
): Promise<void> {
  await dress(page, { width: 1280, height: 800 }, theme);
  await standing();
  const taken = await page.screenshot();
  const bytes = file.endsWith('.webp') ? await asWebp(page, taken) : taken;
  const path = join(DOCS, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** A canvas of another page encodes it: at quality 1 without loss. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const other = await page.context().newPage();
  try {
    const encoded = await other.evaluate<string>(`(async () => {
      const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (one) => one.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext('2d').drawImage(picture, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 1 });
      const out = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(out, (one) => String.fromCharCode(one)).join(''));
    })()`);
    return Buffer.from(encoded, 'base64');
  } finally {
    await other.close();
  }
}

/** The page in this size and theme, drawn to the end. */
async function dress(
  page: Page,
  size: (typeof USUAL_SIZES)[number],
  theme: (typeof THEMES)[number],
): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(themeChange(theme));
  // Pages without a theme setting follow the system.
  await page.emulateMedia({ colorScheme: theme });
  // Charts draw at 4 Hz.
  await framesPass(page, 500);
}

async function takePicture(
  page: Page,
  name: string,
  size: (typeof USUAL_SIZES)[number],
  theme: (typeof THEMES)[number],
  standing: () => Promise<void>,
  isSeen: () => Promise<boolean>,
): Promise<void> {
  await dress(page, size, theme);
  await standing();
  const file = `${name}-${size.width}-${theme}`;
  await page.screenshot({ path: join(out, `${file}.png`) });
  // The proof may have gone meanwhile: it must stand after the picture too.
  for (let tries = 1; !(await isSeen()); tries += 1) {
    if (tries === MOST_TRIES) throw new Error('what proves it is gone before the picture is taken');
    await standing();
    await page.screenshot({ path: join(out, `${file}.png`) });
  }
  const cut = await page.evaluate<readonly string[]>(CUT_OFF);
  tell(...cut.map((text) => `${file}: ${text}`));
  if (size !== SIZES[0]) return;
  await page.evaluate(axe.source);
  const broken = await page.evaluate<readonly string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 160)))`,
  );
  tell(...broken.map((text) => `${file}: axe ${text}`));
}

/** As another tab of the same browser would change it. */
function themeChange(theme: string): string {
  return `(() => {
    const kept = { ...JSON.parse(localStorage.getItem('tandem.settings') ?? '{}'), theme: '${theme}' };
    const newValue = JSON.stringify(kept);
    localStorage.setItem('tandem.settings', newValue);
    dispatchEvent(new StorageEvent('storage', { key: 'tandem.settings', newValue }));
  })()`;
}

/** Text that is cut off without being told elsewhere, and what makes the page itself scroll. */
const CUT_OFF = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth + 1) found.push('the page scrolls sideways');
  for (const one of document.querySelectorAll('body *')) {
    if (one.children.length > 0 && ![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
    const text = (one.textContent ?? '').trim();
    if (text === '' || one.closest('.visually-hidden, [aria-hidden=true], svg, script, style') !== null) continue;
    const box = one.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const style = getComputedStyle(one);
    if (style.clipPath !== 'none' || style.visibility === 'hidden') continue;
    const isCut = one.scrollWidth > one.clientWidth + 1 && style.overflowX !== 'visible' && style.overflowX !== 'auto';
    if (isCut && one.closest('[title]') === null) found.push('cut: ' + text.slice(0, 60));
    // Sticks out of something that hides what sticks out.
    for (let above = one.parentElement; above !== null; above = above.parentElement) {
      const over = getComputedStyle(above).overflowX;
      if (over === 'visible') continue;
      const frame = above.getBoundingClientRect();
      // The screen's own frame clips.
      if ((over === 'hidden' || above.id === 'main') && box.right > frame.right + 1 && above.closest('[title]') === null)
        found.push('sticks out: ' + text.slice(0, 60));
      break;
    }
  }
  return [...new Set(found)];
})()`;

await mkdir(out, { recursive: true });
buildGateway();
for (const screen of ALL)
  if (isForDocs ? isOfDocs(screen) : wanted.length === 0 || wanted.includes(screen.screen))
    await takeScreen(screen).catch((error: unknown) => tell(`${screen.screen}: ${String(error)}`));
await running.browser?.close();
console.log(`${out}: ${found} findings`);
process.exitCode = found === 0 ? 0 : 1;
