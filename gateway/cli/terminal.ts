/** The one place where the command line touches its streams; tests give their own. */

export interface Terminal {
  /** One line of the answer, on standard output. */
  out(line: string): void;
  /** Progress, hints and errors, on standard error. */
  err(line: string): void;
  /** Draws over the current line of standard error; only where `interactive`. */
  redraw(text: string): void;
  /** Standard error is a terminal: progress may be drawn. */
  readonly interactive: boolean;
  /**
   * Replaces the whole screen by these lines; only where `hasScreen`.
   */
  screen(lines: readonly string[]): void;
  /** Standard output is a terminal: a table may be drawn anew in its place. */
  readonly hasScreen: boolean;
  /** Standard input is a terminal: questions may be asked. */
  readonly canAsk: boolean;
  ask(question: string): Promise<string>;
  /** As `ask`, without showing what is typed. */
  askSecret(question: string): Promise<string>;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** Standard input as it comes, until it or `signal` ends it. */
  input(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export function processTerminal(): Terminal {
  // Standard input is opened on first use, because opening it and loading the line reader takes a large part of a
  // start.
  const { stdout, stderr } = process;
  const interactive = stderr.isTTY === true;
  const question = async (text: string, silent: boolean): Promise<string> => {
    const { stdin } = process;
    const [{ createInterface }, { Writable }] = await Promise.all([
      import('node:readline/promises'),
      import('node:stream'),
    ]);
    const sink = new Writable({
      write(chunk, _encoding, done) {
        if (!silent) stderr.write(chunk);
        done();
      },
    });
    const reader = createInterface({ input: stdin, output: sink, terminal: true });
    if (silent) stderr.write(text);
    try {
      return await reader.question(silent ? '' : text);
    } finally {
      reader.close();
      if (silent) stderr.write('\n');
    }
  };
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${interactive ? '\r\u001b[2K' : ''}${line}\n`),
    redraw: (text) => {
      if (interactive) stderr.write(`\r\u001b[2K${text}`);
    },
    interactive,
    hasScreen: stdout.isTTY === true,
    // From the upper left corner, each line up to its end, then what is below: nothing flickers.
    screen: (lines) =>
      void stdout.write(`\u001b[H${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`),
    get canAsk() {
      return process.stdin.isTTY === true && interactive;
    },
    ask: (text) => question(text, false),
    askSecret: (text) => question(text, true),
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    async *input(signal) {
      const { stdin } = process;
      const end = () => void stdin.destroy();
      signal.addEventListener('abort', end, { once: true });
      try {
        for await (const chunk of stdin) yield Buffer.from(chunk);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
  };
}
