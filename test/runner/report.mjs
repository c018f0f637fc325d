/** Output of a test run: a line for each file, its failures at once, and sums at the end. */

const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
const indented = (text) => text.replace(/^/gm, '      ');

export function createReport(count) {
  const begin = performance.now();
  const failures = [];
  const categories = new Map();
  let done = 0;
  let passed = 0;
  const skipped = [];
  const width = String(count).length;

  return {
    fileEnded({ file, ended, cpuSeconds, wallMs }) {
      done += 1;
      const failed = ended.filter(({ state }) => state === 'failed');
      const ok = ended.filter(({ state }) => state === 'passed').length;
      passed += ok;
      for (const { state, title } of ended) if (state === 'skipped') skipped.push(`${file}: ${title}`);
      const [, category = ''] = file.split('/');
      const sum = categories.get(category) ?? { files: 0, tests: 0, cpuSeconds: 0 };
      sum.files += 1;
      sum.tests += ended.length;
      sum.cpuSeconds += cpuSeconds;
      categories.set(category, sum);
      const place = `[${String(done).padStart(width)}/${count}]`;
      const mark = failed.length > 0 ? 'FAIL' : 'ok  ';
      console.log(
        `${place} ${mark} ${file}  ${ended.length} tests, ${seconds(wallMs)}, cpu ${cpuSeconds.toFixed(1)} s`,
      );
      for (const failure of failed) {
        failures.push({ file, ...failure });
        console.log(describe(failure));
      }
    },
    /** Failures after their file had ended. */
    failedLate(file, failure) {
      failures.push({ file, ...failure });
      console.log(`FAIL after ${file}\n${describe(failure)}`);
    },
    /** @returns whether everything was green */
    end() {
      console.log('');
      for (const { file, ...failure } of failures) console.log(`  ${file}\n${describe(failure)}`);
      const rows = [...categories].sort(([, a], [, b]) => b.cpuSeconds - a.cpuSeconds);
      for (const [name, { files, tests, cpuSeconds }] of rows)
        console.log(
          `  ${name.padEnd(12)} ${String(files).padStart(4)} files ${String(tests).padStart(6)} tests ${cpuSeconds.toFixed(0).padStart(6)} s of processor time`,
        );
      const all = rows.reduce((sum, [, { cpuSeconds }]) => sum + cpuSeconds, 0);
      console.log(
        `  together ${all.toFixed(0)} s of processor time in ${seconds(performance.now() - begin)}\n`,
      );
      for (const name of skipped) console.log(`  not run here: ${name}`);
      if (done < count) console.log(`  ${count - done} files were not run`);
      console.log(`  ${passed} passing`);
      if (skipped.length > 0) console.log(`  ${skipped.length} pending`);
      if (failures.length > 0) console.log(`  ${failures.length} failing`);
      return failures.length === 0 && passed > 0;
    },
  };
}

function describe({ title, error, diff }) {
  return `    ✘ ${title}\n${indented(error)}${diff ? `\n${indented(diff)}` : ''}`;
}
