/** Each rule of the checks in `build/` fails on a bad sample and passes on a good one. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { functionFaults, longFunctions, vagueComments } from '../../../build/check-code.mjs';
import { newCommits, subjectFaults } from '../../../build/check-commits.mjs';
import { lengthFaults, lineCount, realTimeUses } from '../../../build/check-files.mjs';
import { circlesOf, valueImports } from '../../../build/import-circles.mjs';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the check of commit subjects', () => {
  for (const subject of [
    'engine: pause a TWAP when one leg falls behind',
    'ci: embed the version',
    'http api: feed prices to pages',
    'build: remove swipe',
    `docs: ${'x'.repeat(66)}`,
  ])
    it(`passes "${subject}"`, () => expect(subjectFaults(subject)).to.deep.equal([]));

  for (const [subject, fault] of [
    [`docs: ${'x'.repeat(67)}`, '73 characters'],
    ['pause a TWAP when one leg falls behind', 'no area'],
    ['Engine: pause a TWAP', 'no area'],
    ['engine:pause a TWAP', 'no area'],
    ['engine: ', 'no area'],
    ['engine: paused a TWAP', 'not imperative: paused'],
    ['engine: pausing a TWAP', 'not imperative: pausing'],
    ['engine: the TWAP pauses', 'not imperative: the'],
    ['Added a TWAP', 'not imperative: Added'],
    ['engine: pause a TWAP; ci: check commits', 'semicolon'],
    ['engine: WIP on TWAPs', 'work in progress'],
  ] as const)
    it(`refuses "${subject}"`, () => expect(subjectFaults(subject).join()).to.include(fault));

  /** A repository whose refs point at commits; its log holds one commit of each range. */
  const repository =
    ({ main, tag }: { main: string | null; tag: string | null }) =>
    (...args: readonly string[]) => {
      if (args[0] === 'rev-parse') return args.at(-1) === 'HEAD' ? 'aaa' : main;
      if (args[0] === 'describe') return tag;
      if (args.includes('--diff-filter=A')) return 'c0ffee1';
      expect(args).to.include('--no-merges');
      return `abc1234 ci: check ${args.at(-1)}`;
    };

  it('takes commits since origin/main', () => {
    const { since, commits } = newCommits(repository({ main: 'bbb', tag: 'v1' }));
    expect(since).to.equal('origin/main');
    expect(commits).to.deep.equal([
      { line: 'abc1234 ci: check origin/main..HEAD', subject: 'ci: check origin/main..HEAD' },
    ]);
  });

  it('takes commits since the last tag where origin/main is HEAD or missing', () => {
    for (const main of ['aaa', null]) {
      const { since, commits } = newCommits(repository({ main, tag: 'v1' }));
      expect(since).to.equal('v1');
      expect(commits).to.have.length(1);
    }
  });

  it('takes those since the check itself where there is no tag', () => {
    expect(newCommits(repository({ main: 'aaa', tag: null })).since).to.equal('c0ffee1');
  });

  it('takes no commits where git fails', () => {
    expect(newCommits(() => null)).to.deep.equal({ since: null, commits: [] });
  });
});

describe('the check of functions and comments', () => {
  const ofLines = (count: number) => `export function long() {\n${'  step();\n'.repeat(count - 2)}}\n`;

  it('finds functions of more than 100 lines, by name', () => {
    expect([...longFunctions('a.ts', ofLines(100))]).to.deep.equal([]);
    expect([...longFunctions('a.ts', ofLines(101))]).to.deep.equal([['long', 101]]);
    const method = `class A {\n  go() {\n${'    step();\n'.repeat(99)}  }\n}\n`;
    expect([...longFunctions('a.ts', method)]).to.deep.equal([['go', 101]]);
    const assigned = ofLines(102).replace('function long()', 'const short = () =>');
    expect([...longFunctions('a.ts', assigned)]).to.deep.equal([['short', 102]]);
  });

  it('passes a listed function that has not grown, and refuses others', () => {
    const faults = (lines: number | null, ceiling: number | null) =>
      functionFaults(
        new Map(lines === null ? [] : [['a.ts#long', lines]]),
        new Map(ceiling === null ? [] : [['a.ts#long', ceiling]]),
      ).join();
    expect([faults(150, 150), faults(120, 150)]).to.deep.equal(['', '']);
    expect(faults(101, null)).to.include('at most 100');
    expect(faults(151, 150)).to.include('at most 150');
    expect(faults(null, 150)).to.include('remove it');
  });

  it('finds comments that begin with a vague word', () => {
    const text = [
      '/** What waits. */',
      '// Whether it is open',
      '/**',
      ' * Those of an account.',
      ' */',
      '/** Orders that wait. What is open stays. */',
      "const text = '/** That is text */';",
    ].join('\n');
    expect(vagueComments('a.ts', text)).to.deep.equal([1, 2, 3]);
  });
});

describe('the check of file lengths', () => {
  const faults = (lines: number | null, ceiling: number | null) =>
    lengthFaults(
      new Map(lines === null ? [] : [['gateway/a.ts', lines]]),
      new Map(ceiling === null ? [] : [['gateway/a.ts', ceiling]]),
    ).join();

  it('counts lines with and without a line break at the end', () => {
    expect(['', 'a', 'a\n', 'a\nb', 'a\n\n'].map(lineCount)).to.deep.equal([0, 1, 1, 2, 2]);
  });

  it('passes 400 lines, and a listed file that has not grown', () => {
    expect(faults(400, null)).to.equal('');
    expect(faults(450, 450)).to.equal('');
    expect(faults(401, 450)).to.equal('');
  });

  it('refuses 401 lines, and a listed file that has grown', () => {
    expect(faults(401, null)).to.include('gateway/a.ts: 401 lines, at most 400');
    expect(faults(451, 450)).to.include('gateway/a.ts: grew to 451 lines from 450');
  });

  it('refuses an entry of a file that is short or gone', () => {
    expect(faults(400, 450)).to.include('gateway/a.ts: 400 lines: remove it');
    expect(faults(null, 450)).to.include('gateway/a.ts: gone: remove it');
  });
});

describe('the check of real time in tests', () => {
  /** A word of real time; `~` keeps the check from finding it in this file. */
  const real = (text: string) => text.replaceAll('~', '');
  const uses = (text: string, path = 'test/unit/a.test.ts') => realTimeUses(path, real(text));

  for (const word of [
    'node:~timers',
    'set~Timeout',
    'set~Interval',
    'Date.~now',
    'performance.~now',
    'waitFor~Timeout',
    'AbortSignal.~timeout',
    'Atomics.~wait',
    'new Date~()',
  ])
    it(`refuses ${real(word)} in a string, and passes it in comments`, () => {
      const text = `const a = 1;\n// ${word}\n/* ${word}\n${word} */\nconst b = "${word}";\n`;
      expect(uses(text)).to.deep.equal([{ line: 5, word: real(word) }]);
    });

  it('refuses code, also in TSX and in programs for other processes', () => {
    expect(uses('const a = <b>{Date.~now()}</b>;', 'test/unit/a.tsx')).to.have.length(1);
    expect(
      uses('const program = `\n  // in a page\n  set~Timeout(run, 5)`;', 'test/support/a.mjs'),
    ).to.deep.equal([{ line: 3, word: real('set~Timeout') }]);
  });

  it('passes a given time, the next turn of the event loop and the patience of mocha', () => {
    expect(
      uses('const a = new Date(0); setImmediate(run); this.timeout(5); clock.setTimer(5);'),
    ).to.deep.equal([]);
  });

  it('passes real time in recovery tests, real-time tests and benchmarks, and outside tests', () => {
    for (const path of ['test/recovery/a.ts', 'test/real-time/a.ts', 'test/bench/a.ts', 'gateway/a.ts'])
      expect(uses('Date.~now()', path), path).to.deep.equal([]);
    expect(uses('Date.~now()', 'test/long/recovery/a.ts')).to.have.length(1);
  });
});

describe('the check of import circles', () => {
  const circles = (...edges: readonly (readonly [string, readonly string[]])[]) => circlesOf(new Map(edges));

  it('refuses circles, also one of a module with itself', () => {
    expect(circles(['a', ['b']], ['b', ['c']], ['c', ['a']])).to.deep.equal([['a', 'b', 'c']]);
    expect(circles(['a', ['b']], ['b', ['c']], ['c', ['b']])).to.deep.equal([['b', 'c']]);
    expect(circles(['a', ['a']])).to.deep.equal([['a']]);
  });

  it('passes two ways to one module', () => {
    expect(circles(['a', ['b', 'c']], ['b', ['d']], ['c', ['d']], ['d', []])).to.deep.equal([]);
  });

  it('counts imports of values, and not of types or packages', () => {
    const imports = valueImports(
      'renderer/a.tsx',
      `import { b } from './b.ts';
      import { type B, c } from './c.ts';
      import './d.ts';
      export * from './e.ts';
      export { f } from './f.ts';
      const g = lazy(() => import('./g.tsx'));
      import type { H } from './h.ts';
      import { type I } from './i.ts';
      export type { J } from './j.ts';
      export type * from './k.ts';
      type L = typeof import('./l.ts');
      import { useState } from 'react';
      export const m = <p>{b}</p>;`,
    );
    expect(imports).to.have.members(['./b.ts', './c.ts', './d.ts', './e.ts', './f.ts', './g.tsx']);
  });
});

describe('the arrow between live venues', () => {
  /** Names of the rules that an import in `from` breaks. */
  async function broken(from: string, target: string): Promise<readonly string[]> {
    const config: IConfiguration = createRequire(resolve('package.json'))('./.dependency-cruiser.cjs');
    const baseDir = await temporaryFolder();
    const live = join(baseDir, 'gateway', 'venues', 'live');
    for (const [path, text] of [
      [target, 'export const b = 1;\n'],
      [from, `export * from '../${target}';\n`],
    ] as const) {
      await mkdir(dirname(join(live, path)), { recursive: true });
      await writeFile(join(live, path), text);
    }
    const { output } = await cruise(['gateway'], {
      baseDir,
      validate: true,
      ruleSet: { forbidden: config.forbidden ?? [] },
    });
    return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
  }

  it('refuses an import from one live venue into another, and from shared code into a venue', async () => {
    expect(await broken('lighter/a.mjs', 'hyperliquid/b.mjs')).to.deep.equal(['live-venues-are-separate']);
    expect(await broken('kit/a.mjs', 'hyperliquid/b.mjs')).to.deep.equal(['live-venues-are-separate']);
  });

  it('passes an import from a live venue into itself and into shared code', async () => {
    expect(await broken('lighter/a.mjs', 'lighter/b.mjs')).to.deep.equal([]);
    expect(await broken('lighter/a.mjs', 'kit/b.mjs')).to.deep.equal([]);
  });
});
