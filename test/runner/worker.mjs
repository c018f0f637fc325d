/** Runs test files, one after the other, as the parent names them; tells it how each test ended. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import '../support/register.mjs';
import { compiledPath, ROOT } from './compile.mjs';
import { descendants, killAll } from './processes.mjs';

const require = createRequire(import.meta.url);
const { EVENT_TEST_BEGIN, EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_TEST_RETRY } =
  Mocha.Runner.constants;

// A test's errors name lines of its source.
process.setSourceMapsEnabled(true);
// `config.ts` requires its settings for tests from beside itself.
require.extensions['.ts'] = (module, file) => {
  module.exports = require(join(ROOT, compiledPath(file.slice(ROOT.length + 1))));
};

/** The module that tests of this process import, not one of its own. */
const FOLDERS = pathToFileURL(join(ROOT, compiledPath('test/support/temporary-folder.ts'))).href;
const removeTemporaryFolders = async () => (await import(FOLDERS)).removeTemporaryFolders();

/** The parent reports. */
class Silent {}

const textOf = (error) =>
  [
    error?.stack ?? String(error),
    ...(error?.cause === undefined ? [] : [`cause: ${textOf(error.cause)}`]),
  ].join('\n');

/** Titles that match `grep` and have not the tag `without`. */
const titlesThatRun = (grep = '', without) =>
  new RegExp(`^${without === undefined ? '' : `(?!.*${without}\\b)`}(?=.*(?:${grep}))`, 's');

/** Rejections that nobody handles, which mocha passes on to nobody: a forgotten `await` fails its file. */
let unhandled = new Set();
const keep = (reason) => unhandled.add(reason);
process.on('unhandledRejection', keep);

/** An error that follows from the last test comes while its file is still named. */
const aMomentLater = () => new Promise((resolve) => setTimeout(resolve, 1));

async function run({ file, grep, without, bail, timeout }) {
  const ended = [];
  unhandled = new Set();
  const tell = (state, test, error) =>
    ended.push({
      state,
      title: test.fullTitle(),
      durationMs: test.duration ?? 0,
      ...(error === undefined ? {} : { error: textOf(error), diff: diffOf(error) }),
    });
  const mocha = new Mocha({ ui: 'bdd', timeout, bail, forbidOnly: true, isWorker: true, reporter: Silent });
  mocha.rootHooks({ afterAll: removeTemporaryFolders });
  mocha.grep(titlesThatRun(grep, without));
  mocha.addFile(join(ROOT, compiledPath(file)));
  try {
    await mocha.loadFilesAsync();
    await new Promise((done) => {
      const runner = mocha.run(done);
      runner.on(EVENT_TEST_BEGIN, (test) => process.send({ doing: test.fullTitle() }));
      runner.on(EVENT_TEST_PASS, (test) => tell('passed', test));
      runner.on(EVENT_TEST_FAIL, (test, error) => tell('failed', test, error));
      runner.on(EVENT_TEST_PENDING, (test) => tell('skipped', test));
      runner.on(EVENT_TEST_RETRY, (test, error) => tell('failed', test, error));
    });
  } catch (error) {
    ended.push({ state: 'failed', title: 'loading', durationMs: 0, error: textOf(error) });
  } finally {
    await aMomentLater();
    // mocha leaves its own behind.
    process.removeAllListeners('uncaughtException');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', keep);
  }
  for (const reason of unhandled)
    ended.push({
      state: 'failed',
      title: 'a rejection that nobody handles',
      durationMs: 0,
      error: textOf(reason),
    });
  if (ended.length === 0 && grep === undefined)
    ended.push({ state: 'failed', title: 'the file has no tests', durationMs: 0, error: '' });
  return ended;
}

function diffOf(error) {
  if (error?.actual === undefined || error.expected === undefined || error.showDiff === false) return '';
  return Mocha.reporters.Base.generateDiff(
    Mocha.utils.stringify(error.actual),
    Mocha.utils.stringify(error.expected),
  );
}

process.on('message', async (task) => {
  const ended = await run(task);
  process.send({ ended });
});
// Also where the parent was killed: nothing that the tests have started stays behind.
process.on('disconnect', () => {
  killAll(descendants(process.pid));
  process.exit();
});
