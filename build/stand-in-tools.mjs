// Stand-ins, made of Debian's programs, for the tools that electron-builder fetches from its own server to make a
// tar.gz and a deb: the same packages can then be made and checked on a machine without network. For `npm run
// package:check` only.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sizeOfFolder } from './packaged-app.mjs';

/**
 * @param {string} folder made when it is missing
 * @returns environment by which electron-builder finds the stand-ins
 */
export function makeStandInTools(folder) {
  mkdirSync(folder, { recursive: true });
  const program = (name, body) => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  return {
    // `7za a … <target> <source>` with one file: packs it as gzip.
    ELECTRON_BUILDER_7ZIP_PATH: program(
      '7za',
      'for word; do target=$source; source=$word; done; exec gzip -1nc "$source" > "$target"',
    ),
    CUSTOM_FPM_PATH: program('fpm', `exec "${process.execPath}" "${fileURLToPath(import.meta.url)}" "$@"`),
  };
}

/** Options of fpm that the stand-in understands; any other option throws. */
const FIELDS = {
  '--name': 'Package',
  '--version': 'Version',
  '--architecture': 'Architecture',
  '--maintainer': 'Maintainer',
  '--vendor': 'Vendor',
  '--license': 'License',
  '--url': 'Homepage',
  '--deb-priority': 'Priority',
  '--category': 'Section',
  '--description': 'Description',
};
const LISTS = { '-d': 'Depends', '--deb-recommends': 'Recommends' };
const SCRIPTS = { '--after-install': 'postinst', '--after-remove': 'postrm' };
const IGNORED = new Set(['-s', '-t', '--deb-compression']);

/** @param {readonly string[]} argv of fpm: options, then `from=to` for each file or folder */
export function makeDeb(argv) {
  const fields = new Map();
  const lists = new Map();
  const scripts = [];
  const contents = [];
  let target = '';
  const words = argv.filter((word) => word !== '--force');
  while (words.length > 0) {
    const word = words.shift();
    if (!word.startsWith('-')) {
      const at = word.lastIndexOf('=');
      contents.push({ from: word.slice(0, at), to: word.slice(at + 1) });
      continue;
    }
    const value = words.shift();
    if (word === '--package') target = value;
    else if (Object.hasOwn(FIELDS, word)) fields.set(FIELDS[word], value);
    else if (Object.hasOwn(LISTS, word)) lists.set(LISTS[word], [...(lists.get(LISTS[word]) ?? []), value]);
    else if (Object.hasOwn(SCRIPTS, word)) scripts.push({ name: SCRIPTS[word], file: value });
    else if (!IGNORED.has(word)) throw new Error(`fpm's ${word} is not understood`);
  }
  const tree = mkdtempSync(join(tmpdir(), 'tandem-deb-'));
  chmodSync(tree, 0o755);
  try {
    for (const { from, to } of contents) {
      mkdirSync(dirname(join(tree, to)), { recursive: true });
      cpSync(from, join(tree, to), { recursive: true });
      chmodSync(join(tree, to), statSync(from).isDirectory() || to.endsWith('/tandem') ? 0o755 : 0o644);
    }
    for (const [name, values] of lists) fields.set(name, values.join(', '));
    fields.set('Installed-Size', String(Math.ceil(sizeOfFolder(tree) / 1024)));
    mkdirSync(join(tree, 'DEBIAN'));
    for (const { name, file } of scripts)
      writeFileSync(join(tree, 'DEBIAN', name), readFileSync(file), { mode: 0o755 });
    const description = fields.get('Description').trim().split('\n');
    fields.delete('Description');
    const lines = [...fields].map(([name, value]) => `${name}: ${value}`);
    const rest = description.slice(1).map((line) => ` ${line.trim() === '' ? '.' : line.trim()}`);
    const control = [...lines, `Description: ${description[0]}`, ...rest, ''].join('\n');
    writeFileSync(join(tree, 'DEBIAN', 'control'), control);
    const made = spawnSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', tree, target], {
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`dpkg-deb: ${made.error ?? made.stderr}`);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) makeDeb(process.argv.slice(2));
