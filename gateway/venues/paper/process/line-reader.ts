/** Cuts a text stream into lines. A peer that never ends its line is not a Tandem process: `onTooLong` is called. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

export function createLineReader(
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    rest += chunk;
    if (!chunk.includes('\n')) {
      if (rest.length > MAX_LINE_CHARACTERS) onTooLong();
      return;
    }
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') onLine(line);
  };
}
