// Writes brotli and gzip files beside each file of the dashboard that compresses: the gateway sends these files and
// never compresses during a request. The fonts are compressed already.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSES = /\.(js|css|svg)$/;
/** Size from which a compressed file is smaller on the wire. */
const LEAST_BYTES = 256;
/** Nearly as small as with the highest, in a tenth of the time. */
const QUALITY = 9;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export const compressedFiles = {
  name: 'compressed-files',
  async writeBundle({ dir }, bundle) {
    await Promise.all(
      Object.values(bundle).map(async (file) => {
        const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        if (!COMPRESSES.test(file.fileName) || content.length < LEAST_BYTES) return;
        const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
        const path = join(dir, file.fileName);
        await writeFile(`${path}.br`, await brotli(content, { params }));
        await writeFile(`${path}.gz`, await zip(content, { level: QUALITY }));
      }),
    );
  },
};
