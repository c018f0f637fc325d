/** README and the pages of `docs/`, taken apart for tests: blocks of code, headings, links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Block {
  /** `docs/orders.md`, from the root of the project. */
  readonly page: string;
  readonly line: number;
  /** Text after the opening fence; '' for none. */
  readonly language: string;
  readonly code: string;
}

export interface Link {
  readonly page: string;
  readonly line: number;
  readonly target: string;
}

export interface Document {
  readonly page: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  /** Names by which a link's `#…` finds a heading, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
  /** Texts between backquotes outside of blocks. */
  readonly words: readonly string[];
}

/** README.md and everything below `docs/`. */
export function userDocuments(): readonly Document[] {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'))
    .sort();
  return ['README.md', ...pages].map(readDocument);
}

/** @param page from the root of the project */
export function readDocument(page: string): Document {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { line: number; language: string; lines: string[] } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (fence === null) (open?.lines ?? prose).push(line);
    else if (open === null) open = { line: index + 1, language: (fence[1] ?? '').trim(), lines: [] };
    else {
      blocks.push({ page, line: open.line, language: open.language, code: open.lines.join('\n') });
      // Lines of prose keep their numbers.
      prose.push(...Array.from({ length: open.lines.length + 2 }, () => ''));
      open = null;
    }
  }
  if (open !== null) throw new Error(`${page}:${open.line}: a block without an end`);
  return {
    page,
    text,
    blocks,
    links: prose.flatMap((line, index) => linksOf(line).map((target) => ({ page, line: index + 1, target }))),
    anchors: anchorsOf(prose),
    words: prose.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)),
  };
}

function linksOf(line: string): readonly string[] {
  const plain = line.replaceAll(/`[^`]*`/g, (code) => '`'.repeat(code.length));
  const bracketed = [...plain.matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)];
  const angled = [...plain.matchAll(/<([a-z][a-z0-9+.-]*:[^>\s]+)>/g)];
  return [...bracketed, ...angled].map(([, target = '']) => target);
}

function anchorsOf(prose: readonly string[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of prose) {
    const [, heading] = /^#{1,6} +(.*?) *#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
    const anchor = plain.replaceAll(' ', '-');
    let name = anchor;
    for (let again = 1; anchors.has(name); again += 1) name = `${anchor}-${again}`;
    anchors.add(name);
  }
  return anchors;
}
