/** Data of server-sent events. Whatever else a stream says (comments that keep it alive, names, ids) is left out. */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
}
