// Makes seeded mutants of the gateway, each a small mistake in the code, and runs the related tests on each: how many of
// them the tests find. Nothing is written to the working tree.
//   --seed N     other mutants                     --only N     the first N
//   --list       prints the mutants, runs nothing  --from FILE  the mutants of a list
//   --out FILE   saves the list, with verdicts     --jobs N     mutants at a time
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readGraph, relatedTests } from './mutants/related-tests.mjs';
import { findMutation, selectMutants } from './mutants/selection.mjs';
import { makeTree } from './mutants/test-tree.mjs';
import { makeJudge } from './mutants/verdicts.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..');
const FOLDERS = ['engine', 'domain', 'store', 'auth', 'venues'];
const COUNT = 80;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '41' },
    list: { type: 'boolean', default: false },
    out: { type: 'string' },
    from: { type: 'string' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
});
const seed = Number(values.seed);
const jobs = Math.max(1, Number(values.jobs));
const mutants = chosen().slice(0, values.only === undefined ? undefined : Number(values.only));

if (values.list) {
  save();
  if (values.out === undefined) console.log(JSON.stringify(mutants, null, 2));
} else {
  await run();
}

function chosen() {
  if (values.from !== undefined) return JSON.parse(readFileSync(values.from, 'utf8'));
  return selectMutants(FOLDERS.map(sourcesIn), { seed, count: COUNT });
}

function sourcesIn(folder) {
  return readdirSync(join(ROOT, 'gateway', folder), { recursive: true })
    .map((name) => `gateway/${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /(?<!\.d)\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

function save() {
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(mutants, null, 2)}\n`);
}

async function run() {
  const judge = makeJudge(ROOT, relatedTests(readGraph(ROOT)));
  const waiting = [...mutants];
  const worker = async () => {
    const tree = makeTree(ROOT);
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const begin = performance.now();
      mutant.verdict = await verdictOn(mutant, judge, tree);
      const seconds = Math.round((performance.now() - begin) / 1_000);
      console.log(
        `${mutants.indexOf(mutant) + 1}/${mutants.length} ${nameOf(mutant)}: ${mutant.verdict} (${seconds} s)`,
      );
      save();
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  report(judge);
}

async function verdictOn(mutant, { judge }, tree) {
  const path = join(tree, mutant.file);
  const mutation = existsSync(path) ? findMutation(readFileSync(path, 'utf8'), mutant) : null;
  if (mutation === null) return 'GONE';
  const killer = await judge(tree, { file: mutant.file, mutation });
  if (killer === null) return 'SURVIVED';
  return `KILLED by ${killer.test}${killer.how === 'timed out' ? ', which did not end' : ''}`;
}

function report({ unsound, unsteady }) {
  const withVerdict = (word) => mutants.filter(({ verdict }) => verdict.startsWith(word));
  const gone = withVerdict('GONE');
  console.log('');
  for (const mutant of withVerdict('SURVIVED'))
    console.log(
      `survived: ${nameOf(mutant)}\n  ${onOneLine(mutant.from)}\n  → ${onOneLine(mutant.to)}\n  in ${mutant.code}`,
    );
  for (const mutant of gone) console.log(`not in these sources: ${nameOf(mutant)}`);
  for (const test of unsound) console.log(`left out, fails without a mutant: ${test}`);
  for (const test of unsteady) console.log(`failed once and then passed: ${test}`);
  console.log(`killed ${withVerdict('KILLED').length} of ${mutants.length - gone.length}`);
}

function nameOf({ file, line, operator }) {
  return `${file}:${line} ${operator}`;
}

function onOneLine(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
