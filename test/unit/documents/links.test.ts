/** Nothing that README, `docs/` or the README of a folder names is missing: links, headings, files, scripts, commands. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect } from 'chai';
import { tandem } from '../../support/command-line.ts';
import { type Document, type Link, ROOT, readDocument, userDocuments } from '../../support/documents.ts';

const PAGES = userDocuments();
const CODE_FOLDERS = ['gateway', 'renderer', 'main', 'test'];
/** Names what is gone. */
const OF_THE_PAST = 'docs/contributing/moved.md';

const folderPages: readonly Document[] = CODE_FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules/'))
    .map(readDocument),
);

function deadLink({ page, target }: Link): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) {
    const url = URL.canParse(target) ? new URL(target) : null;
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? null : 'no address';
  }
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : posix.normalize(posix.join(dirname(page), decodeURIComponent(path)));
  if (file.startsWith('../') || !existsSync(join(ROOT, file))) return 'no such file';
  if (anchor === undefined) return null;
  return readDocument(file).anchors.has(anchor) ? null : 'no such heading';
}

describe('README and docs', () => {
  it('link to what is there', () => {
    const dead = [...PAGES, ...folderPages].flatMap(({ links }) =>
      links.flatMap((link) => {
        const why = deadLink(link);
        return why === null ? [] : [`${link.page}:${link.line}: ${link.target}: ${why}`];
      }),
    );
    expect(dead).to.deep.equal([]);
  });

  it('are all found from the README', () => {
    const found = new Set(['README.md']);
    // A set that grows while it is walked is walked to its end.
    for (const page of found)
      for (const { target } of readDocument(page).links) {
        const file = posix.normalize(posix.join(dirname(page), target.split('#')[0] ?? ''));
        if (PAGES.some((one) => one.page === file)) found.add(file);
      }
    expect(PAGES.map(({ page }) => page).filter((page) => !found.has(page))).to.deep.equal([]);
  });

  /** A name with `<…>` or `…` is one that the reader makes. */
  it('name files and folders that exist', () => {
    const wrong = PAGES.filter(({ page }) => page !== OF_THE_PAST).flatMap(({ page, words }) =>
      words
        .filter((word) => /^(gateway|renderer|main|build|test|docs|\.ci)\/[\w./-]*$/.test(word))
        .filter((word) => !existsSync(join(ROOT, word)))
        .map((word) => `${page}: ${word}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('name scripts of npm and commands of tandem that exist', async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const help = (await tandem(['--help'])).out;
    const commands = new Set([...help.matchAll(/^ {2}([a-z]+)\b.* {2}\S/gm)].map(([, name]) => name));
    const wrong = PAGES.flatMap(({ page, blocks, words }) => {
      const said = [...words, ...blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)];
      const npm = said.flatMap((text) => [
        ...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(start|test)\b)/g),
      ]);
      const missing = npm
        .flatMap(([, script, short]) => [script ?? short ?? ''])
        .filter((name) => !(name in scripts));
      const asked = said.flatMap((text) => [...text.matchAll(/(?:^|[\n`])tandem ([a-z]+)/g)]);
      const unknown = asked.flatMap(([, name = '']) => (commands.has(name) ? [] : [`tandem ${name}`]));
      return [...missing.map((name) => `npm run ${name}`), ...unknown].map((name) => `${page}: ${name}`);
    });
    expect(wrong).to.deep.equal([]);
  });
});
