/** Lines of a stream, each of at most `most` bytes: of a longer one nothing is kept, and `null` stands for it. */
const NEWLINE = 10;

export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<string | null> {
  let parts: Uint8Array[] = [];
  let held = 0;
  let isTooLong = false;
  const take = (part: Uint8Array): void => {
    held += part.length;
    if (held > most) {
      isTooLong = true;
      parts = [];
    } else if (part.length > 0) parts.push(part);
  };
  const line = (): string | null => {
    const text = isTooLong ? null : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    held = 0;
    isTooLong = false;
    return text;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      const text = line();
      if (text !== '') yield text;
    }
    take(chunk.subarray(from));
  }
  const last = line();
  if (last !== '') yield last;
}
