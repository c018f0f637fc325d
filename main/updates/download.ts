/** Fetches a file of a release, and keeps it only when it is the one that the description names. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReleaseFile } from './release.ts';

/** Body of an address, as of `fetch`; a refusal is an error. */
export type OpenUrl = (url: string) => Promise<ReadableStream<Uint8Array>>;

/**
 * @param folder of downloads; files of an earlier download are removed from it
 * @returns path of the file
 * @throws when the file is not what the description says, or cannot be fetched or kept
 */
export async function downloadFile(
  open: OpenUrl,
  feed: string,
  file: ReleaseFile,
  folder: string,
): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = join(folder, file.name);
  const draft = `${target}.part`;
  const hash = createHash('sha512');
  let bytes = 0;
  const body = await open(new URL(file.name, feed).href);
  await pipeline(
    Readable.from(body),
    async function* counted(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.byteLength;
        if (bytes > file.bytes) throw new Error('The file is larger than the release says');
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(draft, { mode: 0o600 }),
  );
  if (bytes !== file.bytes || hash.digest('base64') !== file.sha512) {
    await rm(draft, { force: true });
    throw new Error('The file is not the one that the release names');
  }
  await rename(draft, target);
  return target;
}
