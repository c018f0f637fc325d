/** The mutants of `npm run test:mutants`: what each operator edits, and that a seed gives the same list each time. */
import { expect } from 'chai';
import { mutated, mutationsOf, OPERATORS } from '../../mutants/operators.mjs';
import { findMutation, mulberry32, selectMutants } from '../../mutants/selection.mjs';

/** Each text that the operator makes of a text. */
const edited = (operator: string, text: string): string[] =>
  mutationsOf(text)
    .filter((mutation) => mutation.operator === operator)
    .map((mutation) => mutated(text, mutation));

const inFunction = (body: string) => `async function f() { ${body} }`;

describe('mutation operators', () => {
  const cases: readonly [operator: string, text: string, results: readonly string[]][] = [
    ['comparison', 'a < b;', ['a <= b;']],
    ['comparison', 'a >= b;', ['a > b;']],
    ['comparison', 'a === b;', ['a !== b;']],
    ['comparison', 'a.lt(b);', ['a.lte(b);']],
    ['comparison', 'a?.gte(b);', ['a?.gt(b);']],
    ['comparison', 'a /* < é */ < b;', ['a /* < é */ <= b;']],
    ['guard', inFunction('if (a) return 1; b();'), [inFunction('; b();')]],
    ['guard', inFunction('if (a) { c(); throw d; }'), [inFunction(';')]],
    ['guard', 'for (const a of b) if (a) continue; else c();', []],
    ['guard', 'for (const a of b) if (a) break;', ['for (const a of b) ;']],
    ['guard', inFunction('if (a) b();'), []],
    ['sign', 'a + 1;', ['a - 1;']],
    ['sign', 'a -= 1;', ['a += 1;']],
    ['sign', 'a.plus(b);', ['a.minus(b);']],
    ['sign', 'a = -b;', ['a = b;']],
    ['sign', "a + 'é' + b;", []],
    ['condition', inFunction('if (a) b();'), [inFunction('if (!(a)) b();')]],
    ['condition', "const a = b ? 'é' : c;", ["const a = !(b) ? 'é' : c;"]],
    ['logic', 'a && (b || c);', ['a || (b || c);', 'a && (b && c);']],
    ['await', inFunction('return await a(b);'), [inFunction('return a(b);')]],
    ['min-max', 'Math.max(0, a);', ['Math.min(0, a);']],
    ['min-max', 'Decimal.min(a, b);', ['Decimal.max(a, b);']],
    ['call', 'a.push(b);', [';']],
    ['call', 'a?.push(b);', [';']],
    ['call', inFunction('await a.stop();'), [inFunction(';')]],
    ['call', 'void a.stop();', [';']],
    ['call', 'class A extends B { constructor() { super(); } }', []],
  ];
  for (const [operator, text, results] of cases)
    it(`${operator}: ${text} becomes ${results.length === 0 ? 'nothing else' : results.join(' and ')}`, () => {
      expect(edited(operator, text)).to.deep.equal(results);
    });

  it('have a case each', () => {
    expect(new Set(cases.map(([operator]) => operator))).to.deep.equal(new Set(OPERATORS));
  });

  it('leave types, imports, exports, comments, strings and log messages alone', () => {
    const text = `
      import { a } from './a-b.ts';
      export * from './c-d.ts';
      // a < b
      type Small<T> = T extends string ? 'a < b' : \`\${'a' & 'b'} - c\`;
      interface Ports { stop(): void }
      const text = 'a && b';
      logger.warn({ size: a + 1 }, 'late');
      this.#deps.logger?.error({ late: a < b });
      console.log(a ? 'a' : 'b');
    `;
    expect(mutationsOf(text)).to.deep.equal([]);
  });

  it('find code inside casts, and say where it is', () => {
    const text = 'const é = 1;\n  const b = (a < c) as boolean;';
    expect(mutationsOf(text)).to.deep.equal([
      {
        line: 2,
        column: 16,
        operator: 'comparison',
        from: '<',
        to: '<=',
        code: 'const b = (a < c) as boolean;',
        start: 28,
        end: 29,
      },
    ]);
  });
});

describe('the selection of mutants', () => {
  const text =
    'export const less = (a, b) => (a < b ? a - 1 : b + 1);\nexport const both = (a, b) => a && b;\n';
  const folderOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ file: `gateway/${name}/${index}.ts`, text }));
  const folders = [folderOf('engine', 12), folderOf('domain', 3)];

  it('draws numbers as mulberry32 does', () => {
    const random = mulberry32(0);
    expect([random(), random()]).to.deep.equal([0.26642920868471265, 0.0003297457005828619]);
  });

  it('gives the same list for a seed, and another for another seed', () => {
    const list = selectMutants(folders, { seed: 1, count: 10 });
    expect(selectMutants(folders, { seed: 1, count: 10 })).to.deep.equal(list);
    expect(selectMutants(folders, { seed: 2, count: 10 })).not.to.deep.equal(list);
  });

  it('takes folders in turn, and at most two mutants of a file', () => {
    const list = selectMutants(folders, { seed: 1, count: 100 });
    expect(list.slice(0, 4).map(({ file }) => file.split('/')[1])).to.deep.equal([
      'engine',
      'domain',
      'engine',
      'domain',
    ]);
    expect(list).to.have.length(30);
    expect(new Set(list.map(({ file }) => file)).size).to.equal(15);
    const places = list.map(({ file, line, column, operator }) => `${file}:${line}:${column} ${operator}`);
    expect(new Set(places).size).to.equal(30);
  });

  it('leaves no file out before it takes a second mutant of another', () => {
    const list = selectMutants([folderOf('engine', 12)], { seed: 1, count: 12 });
    expect(new Set(list.map(({ file }) => file)).size).to.equal(12);
  });

  it('finds a mutant again where its line has moved, and none where the line has changed', () => {
    for (const mutant of selectMutants(folders, { seed: 1, count: 10 })) {
      const moved = findMutation(`\n\n${text}`, mutant);
      expect(moved).to.include({ line: mutant.line + 2, column: mutant.column, to: mutant.to });
      expect(findMutation(text.replaceAll('=>', '=> /* changed */'), mutant)).to.equal(null);
    }
  });
});
