// Decides whether the tests kill a mutant. A failure counts only when the file fails again alone, and passes on the
// sources without the mutant.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutated } from './operators.mjs';
import { makeTree, runTests } from './test-tree.mjs';

/** The nearest unit tests run first, in one process; they kill most mutants. */
const FIRST_BATCH = 5;
const API_BATCH = 5;

/** Judges mutants of the sources in `root` with the tests that `related` tells for a file. */
export function makeJudge(root, related) {
  const clean = makeTree(root);
  const passing = new Map();
  /** Test files that fail without a mutant, which are left out, and those that failed once and then passed. */
  const unsound = new Set();
  const unsteady = new Set();

  /** True: a test file passes without a mutant. It has a second try, since the machine may be busy. */
  const passes = (test) => {
    if (!passing.has(test))
      passing.set(
        test,
        runTests(clean, [test]).then(
          async ({ isGreen }) => isGreen || (await runTests(clean, [test])).isGreen,
        ),
      );
    return passing.get(test);
  };

  /** How one test file kills the mutant of a tree: `failed` or `timed out`; null if it does not. */
  async function kills(tree, test) {
    const { isGreen, isTimedOut } = await runTests(tree, [test]);
    if (isGreen) return null;
    if (await passes(test)) return isTimedOut ? 'timed out' : 'failed';
    unsound.add(test);
    return null;
  }

  /** The first test file of a batch that kills the mutant; null if none does. */
  async function killerIn(tree, batch) {
    let files = batch.filter((test) => !unsound.has(test));
    while (files.length > 0) {
      const { isGreen, failed } = await runTests(tree, files);
      if (isGreen) return null;
      const suspects = failed === null ? files : [failed];
      for (const test of suspects) {
        const how = await kills(tree, test);
        if (how !== null) return { test, how };
        if (failed !== null && !unsound.has(test)) unsteady.add(test);
      }
      files = files.filter((test) => !suspects.includes(test));
    }
    return null;
  }

  return {
    unsound,
    unsteady,
    /** Runs the tests of a mutant in a tree of its own. Resolves with `{ test, how }`, or with null if it survives. */
    async judge(tree, { file, mutation }) {
      const path = join(tree, file);
      const original = readFileSync(path, 'utf8');
      writeFileSync(path, mutated(original, mutation));
      try {
        for (const batch of batchesOf(related(file))) {
          const killer = await killerIn(tree, batch);
          if (killer !== null) return killer;
        }
        return null;
      } finally {
        writeFileSync(path, original);
      }
    },
  };
}

function batchesOf({ unit, api }) {
  const batches = [unit.slice(0, FIRST_BATCH), unit.slice(FIRST_BATCH)];
  for (let at = 0; at < api.length; at += API_BATCH) batches.push(api.slice(at, at + API_BATCH));
  return batches;
}
