// Checks the archive of the packaged app for files that must be in it, and for files that must not.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { extractFile, getRawHeader } = createRequire(import.meta.url)('@electron/asar');

/** @returns {{ path: string, size: number, isUnpacked: boolean, sha256: string | null }[]} files of the archive */
export function filesOfArchive(archive) {
  const { header } = getRawHeader(archive);
  const walk = (node, prefix) =>
    Object.entries(node.files).flatMap(([name, entry]) =>
      entry.files === undefined
        ? [
            {
              path: `${prefix}${name}`,
              size: entry.size ?? 0,
              isUnpacked: entry.unpacked === true,
              sha256: entry.integrity?.algorithm === 'SHA256' ? entry.integrity.hash : null,
            },
          ]
        : walk(entry, `${prefix}${name}/`),
    );
  return walk(header, '');
}

/** Every file matches one of these patterns; each pattern has at least one file. */
const EXPECTED = [
  /^package\.json$/,
  /^build\/tandem\.cjs$/,
  /^dist\/gateway\.cjs$/,
  /^dist\/late-typeorm\.cjs$/,
  /^dist\/late-mcp\.cjs$/,
  /^dist\/late-(viem-utils|iconv-lite|mime-types|jose|unhomoglyph|hyperliquid|lighter|screener)\.cjs$/,
  /^dist\/build\.json$/,
  /^dist\/sbom\.cdx\.json$/,
  /^dist\/consent\/([\w-]+\.html|assets\/[\w-]+\.(css|js|svg))$/,
  /^dist\/main\/(main|preload)\.cjs$/,
  /^dist\/main\/(icon\.(png|ico|icns)|tray(-live|-testnet)?\.png|trayTemplate(@2x)?\.png)$/,
  /^dist\/main\/starting\/(index\.html|starting\.(css|js)|(base|tokens)\.css|icon\.svg)$/,
  /^dist\/renderer\/index\.html$/,
  /^dist\/renderer\/assets\/[\w.-]+\.(js|css|svg|woff2|png)(\.(br|gz))?$/,
  /^node_modules\/sqlite3\/(package\.json|lib\/(sqlite3|sqlite3-binding|trace)\.js)$/,
  /^node_modules\/sqlite3\/build\/Release\/node_sqlite3\.node$/,
  /^node_modules\/(bindings|file-uri-to-path)\/(package\.json|index\.js|bindings\.js)$/,
  /^node_modules\/keytar\/(package\.json|lib\/keytar\.js)$/,
  /^node_modules\/keytar\/prebuilds\/[\w-]+\/keytar\.node$/,
  /^node_modules\/@node-rs\/argon2\/(package\.json|index\.js)$/,
  /^node_modules\/@node-rs\/argon2-[\w-]+\/(package\.json|argon2\.[\w-]+\.node)$/,
  /^node_modules\/swagger-ui-dist\/(package\.json|index\.js|absolute-path\.js|swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png)$/,
];

/** One line for each file that is unexpected, missing or wrongly packed. */
export function faultsOfArchive(files) {
  const faults = [];
  for (const { path, isUnpacked } of files) {
    if (!EXPECTED.some((pattern) => pattern.test(path))) faults.push(`should not be there: ${path}`);
    if (path.endsWith('.node') !== isUnpacked)
      faults.push(`${isUnpacked ? 'unpacked without need' : 'not unpacked'}: ${path}`);
  }
  for (const pattern of EXPECTED)
    if (!files.some(({ path }) => pattern.test(path))) faults.push(`missing: ${pattern.source}`);
  return faults;
}

/** Electron compares a file with its hash when it reads it (fuse EnableEmbeddedAsarIntegrityValidation; macOS, Windows). */
export function faultsOfHashes(archive, files) {
  return files.flatMap(({ path, sha256 }) => {
    if (sha256 === null) return [`without a hash: ${path}`];
    const actual = createHash('sha256').update(extractFile(archive, path)).digest('hex');
    return actual === sha256 ? [] : [`not what its hash says: ${path}`];
  });
}

/** Bytes of our own files in `resources/`: the archive and the files beside it. */
export function sizeOfFolder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
